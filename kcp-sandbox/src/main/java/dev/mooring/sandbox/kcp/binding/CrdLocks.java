package dev.mooring.sandbox.kcp.binding;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.controller.LoopbackClient;
import dev.mooring.sandbox.controller.Reconciler;
import dev.mooring.sandbox.controller.Reconciler.Next;
import dev.mooring.sandbox.kcp.binding.decide.ResourceLocks;
import dev.mooring.sandbox.kcp.object.KcpResources;
import dev.mooring.sandbox.kcp.workspace.LogicalClusters;
import java.util.List;

/** Keeps the resources of established CustomResourceDefinitions from being bound. */
public record CrdLocks(LoopbackClient objects, LogicalClusters clusters)
    implements Reconciler<LogicalCluster> {
  @Override
  public Next reconcile(LogicalCluster cluster) {
    clusters
        .object(cluster)
        .ifPresent(read -> {
          List<String> established =
              objects.list(KcpResources.CRDS, cluster).stream()
                  .filter(crd -> crd.object().hasCondition("Established"))
                  .map(crd -> crd.key().name())
                  .toList();
          KubeObject locked = ResourceLocks.takenByCrds(read.object(), established);
          if (locked != read.object()) {
            objects.update(read, locked);
          }
        });
    return new Next.OnEvent();
  }
}
