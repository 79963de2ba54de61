package dev.mooring.sandbox.kcp.workspace;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.controller.LoopbackClient;
import dev.mooring.sandbox.kcp.object.KcpResources;
import java.util.List;
import java.util.Map;

/** Creates the first namespaces of a new workspace, and makes its creator administrator. */
public record DefaultContent(LoopbackClient objects)
    implements LogicalClusterReconciler.Initializer {
  private static final List<String> NAMESPACES = List.of("kube-system", "default");

  @Override
  public LogicalClusterReconciler.Progress ensure(
      KubeObject logicalCluster, LogicalCluster cluster) {
    String creator = logicalCluster.text("spec", "createdBy", "username");
    if (!creator.isEmpty()) {
      objects.ensure(KcpResources.ROLE_BINDINGS, cluster, administrator(creator));
    }
    NAMESPACES.forEach(name -> objects.ensure(KcpResources.NAMESPACES, cluster, created(name)));
    return new LogicalClusterReconciler.Progress.Complete();
  }

  /** A namespace that a new workspace gets. */
  public static KubeObject created(String name) {
    return namespace(name, Map.of("bootstrap.kcp.io/create-only", "true"));
  }

  public static KubeObject namespace(String name, Map<String, String> annotations) {
    KubeObject namespace =
        KubeObject.of(ResourceType.core("namespaces"), "Namespace", "", name)
            .with(name, "metadata", "labels", "kubernetes.io/metadata.name")
            .with(List.of("kubernetes"), "spec", "finalizers")
            .with("Active", "status", "phase");
    return annotations.isEmpty()
        ? namespace
        : namespace.with(annotations, "metadata", "annotations");
  }

  private static KubeObject administrator(String user) {
    var type = new ResourceType("rbac.authorization.k8s.io", "v1", "clusterrolebindings");
    return KubeObject.of(type, "ClusterRoleBinding", "", "workspace-admin")
        .with("apis.kcp.io,tenancy.kcp.io", "metadata", "annotations", "internal.kcp.io/replicate")
        .with(List.of(Map.of("kind", "User", "apiGroup", type.group(), "name", user)), "subjects")
        .with(
            Map.of("apiGroup", type.group(), "kind", "ClusterRole", "name", "cluster-admin"),
            "roleRef");
  }
}
