package dev.mooring.sandbox.kcp.workspace;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.sandbox.controller.Informer;
import dev.mooring.sandbox.kcp.object.KcpResources;
import dev.mooring.sandbox.kcp.workspace.decide.LogicalClusterPlanner;
import dev.mooring.sandbox.storage.ResourceStore;
import dev.mooring.sandbox.storage.StoreEvent;
import java.util.function.Consumer;

/** Reports each logical cluster that is put to rest, when its phase changes. */
public final class InactiveClusters {
  private InactiveClusters() {}

  /**
   * @param deactivated is called on the informer's thread
   */
  public static Informer start(ResourceStore store, Consumer<LogicalCluster> deactivated) {
    return Informer.start(
        "inactive",
        store,
        KcpResources.LOGICAL_CLUSTERS,
        event -> {
          switch (event) {
            case StoreEvent.Modified modified -> {
              if (rests(modified)) {
                deactivated.accept(modified.object().key().cluster());
              }
            }
            case StoreEvent.Added _, StoreEvent.Deleted _ -> {}
          }
        });
  }

  private static boolean rests(StoreEvent.Modified event) {
    return event.object().object().text("status", "phase").equals(LogicalClusterPlanner.INACTIVE)
        && !event
            .previous()
            .object()
            .text("status", "phase")
            .equals(LogicalClusterPlanner.INACTIVE);
  }
}
