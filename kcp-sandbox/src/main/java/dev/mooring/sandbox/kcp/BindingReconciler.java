package dev.mooring.sandbox.kcp;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.ApiFailure;
import dev.mooring.sandbox.api.ResourceDefinition;
import dev.mooring.sandbox.kcp.decide.BindingPlanner;
import dev.mooring.sandbox.kcp.decide.BindingStep;
import dev.mooring.sandbox.kcp.decide.ClaimedResource;
import dev.mooring.sandbox.kcp.decide.Condition;
import dev.mooring.sandbox.kcp.decide.Conditions;
import dev.mooring.sandbox.kcp.decide.ExportReference;
import dev.mooring.sandbox.kcp.decide.KcpNames;
import dev.mooring.sandbox.kcp.decide.NamesInUse;
import dev.mooring.sandbox.kcp.decide.PermissionClaim;
import dev.mooring.sandbox.kcp.decide.ResourceLocks;
import dev.mooring.sandbox.storage.Bucket;
import dev.mooring.sandbox.storage.StoredObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Carries out what {@link BindingPlanner} says, and clears up behind a binding that goes. */
final class BindingReconciler {
  /** What is still to be done when nothing more can be done now. */
  enum Outcome {
    SETTLED,
    /** It waits for something that makes no event; look again now and then. */
    WAITING,
    /** Objects are going away; look again soon. */
    DRAINING
  }

  private final SystemObjects objects;
  private final LogicalClusters clusters;
  private final KcpLookups lookups;
  private final ClaimLabels labels;
  private final BoundApis apis;
  private final ContentDeletion deletion;

  BindingReconciler(
      SystemObjects objects,
      LogicalClusters clusters,
      KcpLookups lookups,
      ClaimLabels labels,
      BoundApis apis,
      ContentDeletion deletion) {
    this.objects = objects;
    this.clusters = clusters;
    this.lookups = lookups;
    this.labels = labels;
    this.apis = apis;
    this.deletion = deletion;
  }

  Outcome reconcile(ObjectKey key) {
    Optional<StoredObject> read = objects.get(KcpBuckets.BINDINGS, key.cluster(), key.name());
    Optional<StoredObject> cluster = clusters.object(key.cluster());
    if (read.isEmpty()) {
      return Outcome.SETTLED;
    }
    if (read.get().object().deleting()) {
      return release(read.get());
    }
    if (cluster.isEmpty()) {
      return Outcome.WAITING;
    }
    KubeObject binding = read.get().object();
    switch (BindingPlanner.next(seen(binding, cluster.get().object(), key))) {
      case BindingStep.Update(KubeObject after) -> objects.update(read.get(), after);
      case BindingStep.UpdateStatus status -> {
        List<KubeObject> bindings = bindingsIn(key.cluster());
        status.relabel().forEach(claimed -> labels.relabel(claimed, key.cluster(), bindings));
        objects.update(read.get(), status.binding());
      }
      case BindingStep.Lock(KubeObject after) -> {
        objects.update(cluster.get(), after);
        return reconcile(key);
      }
      case BindingStep.Await ignored -> {
        return unresolved(binding) ? Outcome.WAITING : Outcome.SETTLED;
      }
    }
    return Outcome.SETTLED;
  }

  /** A conflict may be resolved by somebody whom we do not watch. */
  private static boolean unresolved(KubeObject binding) {
    return !binding.text("status", "phase").equals("Bound");
  }

  private BindingPlanner.Seen seen(KubeObject binding, KubeObject cluster, ObjectKey key) {
    ExportReference reference = ExportReference.ofBinding(binding);
    Optional<LogicalCluster> provider = lookups.exportCluster(reference, key.cluster());
    Optional<KubeObject> export = lookups.export(reference, key.cluster());
    Map<String, KubeObject> schemas = new HashMap<>();
    export
        .map(BindingPlanner::schemaNames)
        .orElse(List.of())
        .forEach(name ->
            lookups.schema(provider.orElseThrow(), name).ifPresent(s -> schemas.put(name, s)));
    String hash = provider.map(p -> KcpHashes.export(p, reference.name())).orElse("");
    return new BindingPlanner.Seen(
        binding,
        export,
        reference.path().isEmpty() ? key.cluster().name() : reference.path(),
        KcpNames.CLAIMED_PREFIX + hash,
        KcpHashes.REFLEXIVE_CLAIM,
        schemas,
        cluster,
        others(key),
        objects.now());
  }

  /** Names that CRDs and other bindings of the cluster serve. */
  private List<NamesInUse> others(ObjectKey key) {
    var names = new ArrayList<NamesInUse>();
    for (StoredObject crd : objects.list(KcpBuckets.CRDS, key.cluster())) {
      names.add(NamesInUse.ofCrd(crd.object()));
    }
    for (KubeObject other : bindingsIn(key.cluster())) {
      if (!other.name().equals(key.name())) {
        apis.schemasOf(other).forEach(schema -> names.add(NamesInUse.ofBinding(other, schema)));
      }
    }
    return names;
  }

  private List<KubeObject> bindingsIn(LogicalCluster cluster) {
    return objects.list(KcpBuckets.BINDINGS, cluster).stream().map(StoredObject::object).toList();
  }

  /** Removes what the binding brought: its resources' objects, claim labels, locks, itself. */
  private Outcome release(StoredObject read) {
    KubeObject binding = read.object();
    LogicalCluster cluster = read.address().cluster();
    if (!binding.hasFinalizer(KcpNames.BINDING_FINALIZER)) {
      return Outcome.SETTLED;
    }
    boolean empty = true;
    for (Bucket bucket : apis.bucketsOf(binding)) {
      try {
        delete(bucket, cluster);
      } catch (ApiFailure refused) {
        tell(read, refused.getMessage());
        return Outcome.WAITING;
      }
      empty &= objects.isEmpty(bucket, cluster);
    }
    if (!empty) {
      return Outcome.DRAINING;
    }
    List<KubeObject> left =
        bindingsIn(cluster).stream().filter(b -> !b.name().equals(binding.name())).toList();
    for (PermissionClaim claim : PermissionClaim.appliedIn(binding)) {
      ClaimedResource claimed = claim.resource();
      labels.relabel(claimed, cluster, left);
    }
    Optional<StoredObject> owner = clusters.object(cluster);
    if (owner.isPresent()) {
      KubeObject released = ResourceLocks.released(owner.get().object(), binding.name());
      if (released != owner.get().object()) {
        objects.update(owner.get(), released);
      }
    }
    var finalizers = new ArrayList<>(binding.finalizers());
    finalizers.remove(KcpNames.BINDING_FINALIZER);
    objects.update(
        read,
        finalizers.isEmpty()
            ? binding.without("metadata", "finalizers")
            : binding.with(Trees.freeze(finalizers), "metadata", "finalizers"));
    return Outcome.SETTLED;
  }

  /** What keeps a binding. */
  private void tell(StoredObject read, String refusal) {
    KubeObject told =
        Conditions.with(
            read.object(),
            Condition.unmet(
                "BindingResourceDeleteSuccess",
                Condition.Severity.ERROR,
                "ResourceDeletionFailed",
                refusal,
                objects.now()));
    if (!told.equals(read.object())) {
      objects.update(read, told);
    }
  }

  private void delete(Bucket bucket, LogicalCluster cluster) {
    Optional<ResourceDefinition> definition =
        apis.in(cluster).values().stream().filter(d -> d.bucket().equals(bucket)).findFirst();
    for (StoredObject object : objects.list(bucket, cluster)) {
      if (definition.isEmpty()) {
        // What is not served, for its schema is gone, has nobody who could be asked.
        objects.delete(object);
      } else if (!object.object().deleting()) {
        deletion.delete(definition.get(), object);
      }
    }
  }
}
