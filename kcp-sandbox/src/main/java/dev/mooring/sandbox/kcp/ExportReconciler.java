package dev.mooring.sandbox.kcp;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.kcp.decide.EndpointSlicePlanner;
import dev.mooring.sandbox.kcp.decide.ExportPlanner;
import dev.mooring.sandbox.kcp.decide.KcpNames;
import dev.mooring.sandbox.storage.StoredObject;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Gives every APIExport its identity and its endpoint slice. */
final class ExportReconciler {
  /** What is still to be done when nothing more can be done now. */
  enum Outcome {
    SETTLED,
    /** A write that makes no event for the export; look again at once. */
    GOING_ON,
    /** The export's secret is not there yet, or has no key; look again now and then. */
    WAITING
  }

  private final SystemObjects objects;
  private final LogicalClusters clusters;
  private final KcpLookups lookups;
  private final Supplier<String> keys;

  /**
   * @param keys makes identity keys: long, random, text
   */
  ExportReconciler(
      SystemObjects objects, LogicalClusters clusters, KcpLookups lookups, Supplier<String> keys) {
    this.objects = objects;
    this.clusters = clusters;
    this.lookups = lookups;
    this.keys = keys;
  }

  Outcome reconcile(ObjectKey key) {
    Optional<StoredObject> read = objects.get(KcpBuckets.EXPORTS, key.cluster(), key.name());
    if (read.isEmpty()) {
      removeSlices(key);
      return Outcome.SETTLED;
    }
    KubeObject export = read.get().object();
    if (export.deleting()) {
      return Outcome.SETTLED;
    }
    ExportPlanner.Identity identity = lookups.identity(export, key.cluster());
    switch (ExportPlanner.next(export, identity, objects.now())) {
      case ExportPlanner.Step.MakeSecret() -> {
        makeSecret(key);
        return Outcome.GOING_ON;
      }
      case ExportPlanner.Step.Update(KubeObject after) -> objects.update(read.get(), after);
      case ExportPlanner.Step.UpdateStatus(KubeObject after) -> objects.update(read.get(), after);
      case ExportPlanner.Step.Await() -> ensureSlice(export, key);
    }
    return identity instanceof ExportPlanner.Identity.Known ? Outcome.SETTLED : Outcome.WAITING;
  }

  private void ensureSlice(KubeObject export, ObjectKey key) {
    objects.ensure(
        KcpBuckets.SLICES,
        key.cluster(),
        EndpointSlicePlanner.forExport(export, clusters.path(key.cluster()).value()));
  }

  private void removeSlices(ObjectKey export) {
    for (StoredObject slice : objects.list(KcpBuckets.SLICES, export.cluster())) {
      boolean owned =
          slice.object().list("metadata", "ownerReferences").stream()
              .map(Trees::mapOrEmpty)
              .anyMatch(owner ->
                  "APIExport".equals(owner.get("kind")) && export.name().equals(owner.get("name")));
      if (owned) {
        objects.delete(slice);
      }
    }
  }

  private void makeSecret(ObjectKey key) {
    objects.ensure(
        KcpBuckets.NAMESPACES,
        key.cluster(),
        DefaultContent.namespace(KcpNames.IDENTITY_NAMESPACE, Map.of()));
    var metadata = new LinkedHashMap<String, Object>();
    metadata.put("name", key.name());
    metadata.put("namespace", KcpNames.IDENTITY_NAMESPACE);
    String encoded =
        Base64.getEncoder().encodeToString(keys.get().getBytes(StandardCharsets.UTF_8));
    var secret = new LinkedHashMap<String, Object>();
    secret.put("apiVersion", "v1");
    secret.put("kind", "Secret");
    secret.put("metadata", metadata);
    secret.put("data", Map.of("key", encoded));
    secret.put("type", "Opaque");
    objects.ensure(KcpBuckets.SECRETS, key.cluster(), KubeObject.of(secret));
  }
}
