package dev.mooring.model.dependency;

import dev.mooring.model.object.KubeObject;
import java.util.List;
import java.util.Map;

/** Rule objects as an API server serves them. */
final class Rules {
  private Rules() {}

  /** A virtual machine refers to a VPC by {@code .spec.vpcRef.name}. */
  static KubeObject vmNeedsVpc() {
    return KubeObject.of(
        Map.of(
            "apiVersion",
            "dependencies.opendefense.cloud/v1alpha1",
            "kind",
            "DependencyRule",
            "metadata",
            Map.of(
                "name",
                "vm-dependencies",
                "generation",
                3,
                "annotations",
                Map.of("kcp.io/cluster", "compute1")),
            "spec",
            Map.of(
                "dependent",
                    Map.of(
                        "apiExportName", "compute.example.com",
                        "group", "compute.example.com",
                        "version", "v1alpha1",
                        "kind", "VirtualMachine",
                        "resource", "virtualmachines"),
                "dependencies", List.of(onVpc()))));
  }

  static Map<String, Object> onVpc() {
    return Map.of(
        "apiExportRef", Map.of("path", "root:providers:network", "name", "network.example.com"),
        "group", "network.example.com",
        "version", "v1alpha1",
        "resource", "vpcs",
        "fieldRef", Map.of("path", ".spec.vpcRef.name"));
  }

  static KubeObject withDependencyField(Object value, String... path) {
    KubeObject dependency = KubeObject.of(onVpc()).with(value, path);
    return vmNeedsVpc().with(List.of(dependency.tree()), "spec", "dependencies");
  }
}
