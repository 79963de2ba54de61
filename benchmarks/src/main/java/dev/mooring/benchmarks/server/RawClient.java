package dev.mooring.benchmarks.server;

import dev.mooring.harness.HarnessFailure;
import dev.mooring.harness.HttpProbe;
import dev.mooring.harness.Kubeconfig;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;

/**
 * Requests of an administrator whose answers are not parsed, so that the server is measured. Every
 * answer that is no success is a {@link HarnessFailure}. Thread-safe.
 */
final class RawClient implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofMinutes(5);

  private final Kubeconfig kubeconfig;
  private final String server;
  private final HttpClient http;

  /**
   * @param kubeconfig whose current context's user has a token
   */
  RawClient(Kubeconfig kubeconfig, HttpClient.Version version) {
    this.kubeconfig = kubeconfig;
    URI url = kubeconfig.server();
    this.server = url.getScheme() + "://" + url.getRawAuthority();
    byte[] authorities =
        kubeconfig
            .authorities()
            .orElseThrow(() -> new HarnessFailure("The kubeconfig names no authority."));
    this.http =
        HttpClient.newBuilder()
            .version(version)
            .sslContext(HttpProbe.contextsTrusting(authorities).get())
            .build();
  }

  /** The same server and user, over connections of its own. */
  RawClient another(HttpClient.Version version) {
    return new RawClient(kubeconfig, version);
  }

  byte[] get(String path) {
    return send(request(path).GET());
  }

  void post(String path, byte[] body) {
    send(request(path).POST(BodyPublishers.ofByteArray(body)));
  }

  /** A merge patch. */
  void patch(String path, byte[] body) {
    send(
        request(path)
            .setHeader("Content-Type", "application/merge-patch+json")
            .method("PATCH", BodyPublishers.ofByteArray(body)));
  }

  void delete(String path) {
    send(request(path).DELETE());
  }

  KubeObject object(String path) {
    return KubeJson.readObject(get(path));
  }

  /** How a GET is answered. */
  int status(String path) {
    return answer(request(path).GET().build()).statusCode();
  }

  /**
   * Begins a watch; what is returned ends with it.
   *
   * @param lines gets each event as it comes
   */
  CompletableFuture<HttpResponse<Void>> watch(String path, Flow.Subscriber<String> lines) {
    HttpRequest request =
        HttpRequest.newBuilder(url(path)).header("Authorization", authorization()).build();
    return http.sendAsync(request, BodyHandlers.fromLineSubscriber(lines));
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(url(path))
        .timeout(TIMEOUT)
        .header("Authorization", authorization())
        .header("Content-Type", "application/json");
  }

  /** A path below the server, or a URL that it gave. */
  private URI url(String path) {
    return URI.create(path.startsWith("/") ? server + path : path);
  }

  private String authorization() {
    return "Bearer " + kubeconfig.user().get("token");
  }

  private byte[] send(HttpRequest.Builder builder) {
    HttpRequest request = builder.build();
    HttpResponse<byte[]> answer = answer(request);
    if (answer.statusCode() / 100 != 2) {
      throw new HarnessFailure(
          "%s %s was answered with %d: %s"
              .formatted(
                  request.method(),
                  request.uri(),
                  answer.statusCode(),
                  new String(answer.body(), StandardCharsets.UTF_8)));
    }
    return answer.body();
  }

  private HttpResponse<byte[]> answer(HttpRequest request) {
    try {
      return http.send(request, BodyHandlers.ofByteArray());
    } catch (IOException e) {
      throw new HarnessFailure(request.method() + " " + request.uri() + " failed: " + e, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new HarnessFailure("Interrupted", e);
    }
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
