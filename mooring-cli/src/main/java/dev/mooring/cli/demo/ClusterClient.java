package dev.mooring.cli.demo;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.runtime.client.KubeClient;
import java.nio.file.Path;

/**
 * Where requests go: one workspace, or the service cluster.
 *
 * @param name as the story calls it, such as {@code team-blue}
 * @param kubeconfig with which {@code kubectl} gets there
 */
public record ClusterClient(String name, Path kubeconfig, KubeClient client) {
  /**
   * An object there, which may not exist.
   *
   * @param namespace empty for a cluster-scoped one
   */
  public record Ref(ClusterClient cluster, ResourceType type, String namespace, String name) {}

  public Ref ref(ResourceType type, String namespace, String name) {
    return new Ref(this, type, namespace, name);
  }

  /** A cluster-scoped one. */
  public Ref ref(ResourceType type, String name) {
    return ref(type, "", name);
  }
}
