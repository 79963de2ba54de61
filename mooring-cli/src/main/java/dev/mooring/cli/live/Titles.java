package dev.mooring.cli.live;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;

/** Objects as messages name them. */
public final class Titles {
  private Titles() {}

  /** Namespace and name, such as {@code default/shop}; the name alone outside namespaces. */
  public static String of(KubeObject object) {
    return of(object.namespace(), object.name());
  }

  /** With its workspace, by path where the object has that. */
  public static String inWorkspace(KubeObject object) {
    return of(object)
        + object
            .annotation("kcp.io/path")
            .or(() -> object.logicalCluster().map(LogicalCluster::name))
            .map(workspace -> " in " + workspace)
            .orElse("");
  }

  public static String of(String namespace, String name) {
    return (namespace.isEmpty() ? "" : namespace + "/") + name;
  }
}
