package dev.mooring.cli.check;

import dev.mooring.cli.demo.ClusterClient;
import dev.mooring.harness.HarnessFailure;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.runtime.client.credentials.ConnectionOptions;
import dev.mooring.runtime.client.credentials.ServerAccess;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.net.URI;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Deletes all objects of a type in a namespace by one request, as scripts and kcp's own controllers
 * do: API servers then ask webhooks without naming the object.
 */
final class CollectionDeletion {
  private CollectionDeletion() {}

  /** What the server said. */
  record Answer(int status, String body) {}

  static Answer of(ClusterClient cluster, ResourceType type, String namespace) {
    return of(
        cluster.kubeconfig(),
        URI.create(
            cluster.client().url()
                + "/"
                + type.apiPath()
                + "/namespaces/"
                + namespace
                + "/"
                + type.resource()));
  }

  /** With the credentials of the kubeconfig. */
  static Answer of(Path kubeconfig, URI collection) {
    ConnectionOptions options = ConnectionOptions.of("protection-check");
    try (HttpClient http = ServerAccess.ofKubeconfig(kubeconfig, options).open()) {
      HttpRequest request =
          http.newHttpRequestBuilder().uri(collection).method("DELETE", null, null).build();
      HttpResponse<String> response =
          http.sendAsync(request, String.class).get(60, TimeUnit.SECONDS);
      return new Answer(response.code(), response.body());
    } catch (ExecutionException | TimeoutException e) {
      throw new HarnessFailure(collection + " was not answered: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new HarnessFailure("Interrupted while waiting for " + collection, e);
    }
  }
}
