package dev.mooring.cli.check;

import dev.mooring.cli.demo.ClusterClient;
import dev.mooring.harness.HttpProbe;
import dev.mooring.harness.Kubeconfig;
import dev.mooring.model.identity.ResourceType;
import java.net.URI;

/**
 * Deletes all objects of a type in a namespace by one request, as scripts and kcp's own controllers
 * do: API servers then ask webhooks without naming the object.
 */
final class CollectionDeletion {
  private CollectionDeletion() {}

  /** What the server said. */
  static HttpProbe.Answer of(ClusterClient cluster, ResourceType type, String namespace) {
    Kubeconfig config = Kubeconfig.read(cluster.kubeconfig());
    URI url =
        URI.create(
            cluster.client().url()
                + "/"
                + type.apiPath()
                + "/namespaces/"
                + namespace
                + "/"
                + type.resource());
    try (HttpProbe http = HttpProbe.of(config)) {
      return http.delete(url, config.token());
    }
  }
}
