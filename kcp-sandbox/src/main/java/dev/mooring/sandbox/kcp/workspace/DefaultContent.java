package dev.mooring.sandbox.kcp.workspace;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.controller.SystemObjects;
import dev.mooring.sandbox.kcp.object.KcpResources;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Creates the first namespaces of a new workspace, and makes its creator administrator. */
public record DefaultContent(SystemObjects objects)
    implements LogicalClusterReconciler.Initializer {
  private static final List<String> NAMESPACES = List.of("kube-system", "default");

  @Override
  public boolean ensure(KubeObject logicalCluster, LogicalCluster cluster) {
    String creator = logicalCluster.text("spec", "createdBy", "username");
    if (!creator.isEmpty()) {
      objects.ensure(KcpResources.ROLE_BINDINGS, cluster, administrator(creator));
    }
    NAMESPACES.forEach(name ->
        objects.ensure(
            KcpResources.NAMESPACES,
            cluster,
            namespace(name, Map.of("bootstrap.kcp.io/create-only", "true"))));
    return true;
  }

  public static KubeObject namespace(String name, Map<String, String> annotations) {
    var metadata = new LinkedHashMap<String, Object>();
    metadata.put("name", name);
    metadata.put("labels", Map.of("kubernetes.io/metadata.name", name));
    if (!annotations.isEmpty()) {
      metadata.put("annotations", annotations);
    }
    var namespace = new LinkedHashMap<String, Object>();
    namespace.put("apiVersion", "v1");
    namespace.put("kind", "Namespace");
    namespace.put("metadata", metadata);
    namespace.put("spec", Map.of("finalizers", List.of("kubernetes")));
    namespace.put("status", Map.of("phase", "Active"));
    return KubeObject.of(namespace);
  }

  private static KubeObject administrator(String user) {
    String group = "rbac.authorization.k8s.io";
    return KubeObject.of(
        Map.of(
            "apiVersion",
            group + "/v1",
            "kind",
            "ClusterRoleBinding",
            "metadata",
            Map.of(
                "name",
                "workspace-admin",
                "annotations",
                Map.of("internal.kcp.io/replicate", "apis.kcp.io,tenancy.kcp.io")),
            "subjects",
            List.of(Map.of("kind", "User", "apiGroup", group, "name", user)),
            "roleRef",
            Map.of("apiGroup", group, "kind", "ClusterRole", "name", "cluster-admin")));
  }
}
