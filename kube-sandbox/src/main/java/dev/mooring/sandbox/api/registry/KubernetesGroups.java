package dev.mooring.sandbox.api.registry;

import java.util.Set;

/**
 * The groups that Go's client of Kubernetes has types for. kcp takes strategic merge patches of
 * their resources, and protobuf, even where it serves them as custom resources: by a
 * CustomResourceDefinition, or in a virtual workspace.
 */
public final class KubernetesGroups {
  private static final Set<String> ALL =
      Set.of(
          "",
          "admissionregistration.k8s.io",
          "apps",
          "authentication.k8s.io",
          "authorization.k8s.io",
          "autoscaling",
          "batch",
          "certificates.k8s.io",
          "coordination.k8s.io",
          "discovery.k8s.io",
          "events.k8s.io",
          "extensions",
          "flowcontrol.apiserver.k8s.io",
          "networking.k8s.io",
          "node.k8s.io",
          "policy",
          "rbac.authorization.k8s.io",
          "resource.k8s.io",
          "scheduling.k8s.io",
          "storage.k8s.io");

  private KubernetesGroups() {}

  public static boolean contains(String group) {
    return ALL.contains(group);
  }
}
