package dev.mooring.sandbox.kcp.binding;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.controller.LoopbackClient;
import dev.mooring.sandbox.controller.Reconciler;
import dev.mooring.sandbox.controller.Reconciler.Next;
import dev.mooring.sandbox.kcp.binding.decide.BindingPlanner;
import dev.mooring.sandbox.kcp.binding.decide.BindingStep;
import dev.mooring.sandbox.kcp.binding.decide.NamesInUse;
import dev.mooring.sandbox.kcp.binding.decide.ResourceLocks;
import dev.mooring.sandbox.kcp.bound.BindingIndex;
import dev.mooring.sandbox.kcp.claim.ClaimLabels;
import dev.mooring.sandbox.kcp.claim.decide.ClaimedResource;
import dev.mooring.sandbox.kcp.claim.decide.PermissionClaim;
import dev.mooring.sandbox.kcp.export.ExportResolver;
import dev.mooring.sandbox.kcp.export.decide.ExportPlanner;
import dev.mooring.sandbox.kcp.object.ContentDeletion;
import dev.mooring.sandbox.kcp.object.KcpHashes;
import dev.mooring.sandbox.kcp.object.KcpResources;
import dev.mooring.sandbox.kcp.object.decide.Conditions;
import dev.mooring.sandbox.kcp.object.decide.Conditions.Severity;
import dev.mooring.sandbox.kcp.object.decide.ExportReference;
import dev.mooring.sandbox.kcp.object.decide.KcpNames;
import dev.mooring.sandbox.kcp.workspace.LogicalClusters;
import dev.mooring.sandbox.storage.ResourceKey;
import dev.mooring.sandbox.storage.StoredObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Executes the steps of {@link BindingPlanner}; cleans up after a deleted binding. */
public record BindingReconciler(
    LoopbackClient objects,
    BindingIndex bindings,
    LogicalClusters clusters,
    ExportResolver exports,
    ClaimLabels labels,
    BoundResourceCatalog resources,
    Predicate<ClaimedResource> served,
    ContentDeletion deletion)
    implements Reconciler<ObjectKey> {
  private static final String CONTENT_DELETED = "BindingResourceDeleteSuccess";
  private static final Next SETTLED = new Next.OnEvent();

  /** A name conflict or a denied deletion ends without an event on the binding. */
  private static final Next BLOCKED = new Next.After(Duration.ofMillis(500));

  /** Deletions of bound objects are not watched. */
  private static final Next DRAINING = new Next.After(Duration.ofMillis(100));

  @Override
  public Next reconcile(ObjectKey key) {
    Optional<StoredObject> read = objects.get(KcpResources.BINDINGS, key.cluster(), key.name());
    Optional<StoredObject> cluster = clusters.object(key.cluster());
    if (read.isEmpty()) {
      return SETTLED;
    }
    if (read.get().object().deleting()) {
      return release(read.get());
    }
    if (cluster.isEmpty()) {
      return BLOCKED;
    }
    KubeObject binding = read.get().object();
    switch (BindingPlanner.next(facts(binding, cluster.get().object(), key))) {
      case BindingStep.Update(KubeObject after) -> objects.update(read.get(), after);
      case BindingStep.UpdateStatus status -> {
        List<KubeObject> all = bindingsIn(key.cluster());
        status.relabel().forEach(claimed -> labels.relabel(claimed, key.cluster(), all));
        objects.update(read.get(), status.binding());
      }
      case BindingStep.Lock(KubeObject after) -> {
        objects.update(cluster.get(), after);
        return reconcile(key);
      }
      case BindingStep.Await ignored -> {
        return unresolved(binding) ? BLOCKED : SETTLED;
      }
    }
    return SETTLED;
  }

  /**
   * Neither conflicting objects nor types of other workspaces are watched: they are looked up again
   * after a while.
   */
  private static boolean unresolved(KubeObject binding) {
    return !binding.text("status", "phase").equals("Bound")
        || !binding.hasCondition(BindingPlanner.CLAIMS_APPLIED);
  }

  private BindingPlanner.Facts facts(KubeObject binding, KubeObject cluster, ObjectKey key) {
    ExportReference reference = ExportReference.ofBinding(binding);
    // A workspace of another shard without exports is not known here any more.
    Optional<LogicalCluster> provider =
        exports.exportCluster(reference, key.cluster()).or(() -> boundTo(binding));
    Optional<KubeObject> export = exports.export(reference, key.cluster());
    Map<String, KubeObject> schemas = new HashMap<>();
    export
        .map(ExportPlanner::schemaNames)
        .orElse(List.of())
        .forEach(name ->
            exports.schema(provider.orElseThrow(), name).ifPresent(s -> schemas.put(name, s)));
    String hash = provider.map(p -> KcpHashes.export(p, reference.name())).orElse("");
    return new BindingPlanner.Facts(
        binding,
        export,
        reference.path().isEmpty() ? key.cluster().name() : reference.path(),
        KcpNames.CLAIMED_PREFIX + hash,
        KcpHashes.REFLEXIVE_CLAIM,
        schemas,
        cluster,
        others(key),
        unserved(binding),
        objects.now());
  }

  private Set<ClaimedResource> unserved(KubeObject binding) {
    Set<ClaimedResource> applied =
        PermissionClaim.appliedIn(binding).stream()
            .map(PermissionClaim::resource)
            .collect(Collectors.toSet());
    return PermissionClaim.ofBinding(binding).stream()
        .map(PermissionClaim::resource)
        .filter(claimed -> !applied.contains(claimed) && !served.test(claimed))
        .collect(Collectors.toSet());
  }

  private static Optional<LogicalCluster> boundTo(KubeObject binding) {
    String provider = binding.text("status", "apiExportClusterName");
    return provider.isEmpty() ? Optional.empty() : Optional.of(new LogicalCluster(provider));
  }

  /** Names that CRDs and other bindings of the cluster serve. */
  private List<NamesInUse> others(ObjectKey key) {
    var names = new ArrayList<NamesInUse>();
    for (StoredObject crd : objects.list(KcpResources.CRDS, key.cluster())) {
      names.add(NamesInUse.ofCrd(crd.object()));
    }
    for (KubeObject other : bindingsIn(key.cluster())) {
      if (!other.name().equals(key.name())) {
        resources
            .schemasOf(other)
            .forEach(schema -> names.add(NamesInUse.ofBinding(other, schema)));
      }
    }
    return names;
  }

  private List<KubeObject> bindingsIn(LogicalCluster cluster) {
    return bindings.of(cluster).bindings();
  }

  /**
   * Deletes the objects of the bound resources, then removes locks and the finalizer. As at kcp,
   * claimed objects keep their labels until they are written again.
   */
  private Next release(StoredObject read) {
    KubeObject binding = read.object();
    LogicalCluster cluster = read.key().cluster();
    if (!binding.hasFinalizer(KcpNames.BINDING_FINALIZER)) {
      return SETTLED;
    }
    var left = new TreeMap<String, Integer>();
    var finalizers = new TreeMap<String, Integer>();
    for (ResourceKey resourceKey : resources.resourceKeysOf(binding)) {
      try {
        delete(resourceKey, cluster);
      } catch (ApiFailure refused) {
        report(read, "ResourceDeletionFailed", String.valueOf(refused.getMessage()));
        return BLOCKED;
      }
      for (StoredObject object : objects.list(resourceKey, cluster)) {
        left.merge(resourceKey.resource() + "." + resourceKey.group(), 1, Integer::sum);
        object.object().finalizers().forEach(it -> finalizers.merge(it, 1, Integer::sum));
      }
    }
    if (!finalizers.isEmpty()) {
      report(
          read,
          "SomeFinalizersRemain",
          "Some content in the workspace has finalizers remaining: "
              + listed(finalizers, "%s in %d resource instances"));
      return DRAINING;
    }
    if (!left.isEmpty()) {
      return DRAINING;
    }
    Optional<StoredObject> owner = clusters.object(cluster);
    if (owner.isPresent()) {
      KubeObject released = ResourceLocks.released(owner.get().object(), binding.name());
      if (released != owner.get().object()) {
        objects.update(owner.get(), released);
      }
    }
    // Other finalizers may keep it.
    objects.update(
        read,
        Conditions.met(binding, CONTENT_DELETED, objects.now())
            .withoutFinalizer(KcpNames.BINDING_FINALIZER));
    return SETTLED;
  }

  private static String listed(SortedMap<String, Integer> counts, String form) {
    return counts.entrySet().stream()
        .map(count -> form.formatted(count.getKey(), count.getValue()))
        .collect(Collectors.joining(", "));
  }

  /** Writes the reason why the binding stays to a condition. */
  private void report(StoredObject read, String reason, String message) {
    KubeObject reported =
        Conditions.unmet(
            read.object(), CONTENT_DELETED, Severity.ERROR, reason, message, objects.now());
    if (!reported.equals(read.object())) {
      objects.update(read, reported);
    }
  }

  private void delete(ResourceKey resourceKey, LogicalCluster cluster) {
    Optional<ResourceDefinition> definition =
        resources.in(cluster).values().stream()
            .filter(d -> d.resourceKey().equals(resourceKey))
            .findFirst();
    for (StoredObject object : objects.list(resourceKey, cluster)) {
      if (definition.isEmpty()) {
        // Admission needs a definition; a resource whose schema is gone has none.
        objects.delete(object);
      } else if (!object.object().deleting()) {
        deletion.delete(definition.get(), object);
      }
    }
  }
}
