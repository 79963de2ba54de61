package dev.mooring.benchmarks.server;

import dev.mooring.harness.HarnessFailure;
import dev.mooring.harness.HttpProbe;
import dev.mooring.harness.Kubeconfig;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;

/**
 * Watches of an administrator that share one connection of HTTP/2. They end with the client.
 * Thread-safe.
 */
final class WatchClient implements AutoCloseable {
  private final String server;
  private final String authorization;
  private final HttpClient http;

  /**
   * @param kubeconfig whose current context's user has a token
   */
  WatchClient(Kubeconfig kubeconfig) {
    URI url = kubeconfig.server();
    this.server = url.getScheme() + "://" + url.getRawAuthority();
    this.authorization = "Bearer " + kubeconfig.user().get("token");
    this.http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_2)
            .sslContext(trusting(kubeconfig))
            .build();
  }

  /** Opens the connection before watches share it. */
  void connect() {
    http.sendAsync(request("/readyz"), BodyHandlers.discarding()).join();
  }

  /**
   * Begins a watch. If it fails, the count of events shows that some are missing.
   *
   * @param each gets every event but bookmarks as it comes
   */
  void watch(String path, Consumer<String> each) {
    var _ =
        http.sendAsync(request(path), BodyHandlers.ofLines())
            .thenAcceptAsync(
                answer ->
                    answer
                        .body()
                        .filter(line -> !line.startsWith("{\"type\":\"BOOKMARK\""))
                        .forEach(each),
                Thread::startVirtualThread);
  }

  private HttpRequest request(String path) {
    return HttpRequest.newBuilder(URI.create(server + path))
        .header("Authorization", authorization)
        .build();
  }

  static SSLContext trusting(Kubeconfig kubeconfig) {
    byte[] authorities =
        kubeconfig
            .authorities()
            .orElseThrow(() -> new HarnessFailure("The kubeconfig names no authority."));
    return HttpProbe.contextsTrusting(authorities).get();
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
