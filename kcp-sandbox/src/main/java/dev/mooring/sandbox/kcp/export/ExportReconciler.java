package dev.mooring.sandbox.kcp.export;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.controller.LoopbackClient;
import dev.mooring.sandbox.controller.Reconciler;
import dev.mooring.sandbox.controller.Reconciler.Next;
import dev.mooring.sandbox.kcp.export.decide.EndpointSlicePlanner;
import dev.mooring.sandbox.kcp.export.decide.ExportPlanner;
import dev.mooring.sandbox.kcp.object.KcpResources;
import dev.mooring.sandbox.kcp.object.decide.KcpNames;
import dev.mooring.sandbox.kcp.workspace.LogicalClusters;
import dev.mooring.sandbox.storage.StoredObject;
import java.time.Duration;
import java.util.Optional;

/** Gives every APIExport its identity and its endpoint slice. */
public record ExportReconciler(
    LoopbackClient objects, LogicalClusters clusters, IdentitySecrets secrets)
    implements Reconciler<ObjectKey> {
  private static final Next SETTLED = new Next.OnEvent();

  /** The write makes no event for the export. */
  private static final Next AT_ONCE = new Next.After(Duration.ZERO);

  @Override
  public Next reconcile(ObjectKey key) {
    Optional<StoredObject> read = objects.get(KcpResources.EXPORTS, key.cluster(), key.name());
    if (read.isEmpty()) {
      removeSlices(key);
      return SETTLED;
    }
    KubeObject export = read.get().object();
    if (export.deleting()) {
      return SETTLED;
    }
    ExportPlanner.Identity identity = secrets.identity(export, key.cluster());
    switch (ExportPlanner.next(export, identity, objects.now())) {
      case ExportPlanner.Step.MakeSecret() -> {
        secrets.make(key);
        return AT_ONCE;
      }
      case ExportPlanner.Step.Update(KubeObject after) -> objects.update(read.get(), after);
      case ExportPlanner.Step.Await() -> ensureSlice(export, key);
    }
    return SETTLED;
  }

  private void ensureSlice(KubeObject export, ObjectKey key) {
    if (export.annotation(KcpNames.SKIP_SLICE).isPresent()) {
      return;
    }
    objects.ensure(
        KcpResources.SLICES,
        key.cluster(),
        EndpointSlicePlanner.forExport(export, clusters.path(key.cluster()).value()));
  }

  private void removeSlices(ObjectKey export) {
    for (StoredObject slice : objects.list(KcpResources.SLICES, export.cluster())) {
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
}
