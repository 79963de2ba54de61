package dev.mooring.sandbox.security.webhook;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.json.MalformedJson;
import dev.mooring.model.object.KubeObject;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;

/**
 * Sends reviews to the server that a kubeconfig names. Waits at most {@value #TIMEOUT_SECONDS}
 * seconds for an answer. Thread-safe.
 */
final class ReviewClient implements AutoCloseable {
  private static final int TIMEOUT_SECONDS = 10;
  private static final int ANSWER_BYTES_MAX = 1024 * 1024;

  private final WebhookKubeconfig target;
  private final HttpClient client;

  ReviewClient(WebhookKubeconfig target) {
    this.target = target;
    this.client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(TIMEOUT_SECONDS))
            .sslContext(target.tls())
            .build();
  }

  /**
   * The answer, which is a review as well.
   *
   * @throws IOException that names the server, also for an answer other than 2xx or no object
   */
  KubeObject post(Map<String, Object> review) throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(target.server())
            .timeout(Duration.ofSeconds(TIMEOUT_SECONDS))
            .header("Content-Type", "application/json")
            .header("Accept", "application/json, */*")
            .POST(HttpRequest.BodyPublishers.ofByteArray(KubeJson.write(review)));
    target.token().ifPresent(token -> request.header("Authorization", "Bearer " + token));
    try {
      HttpResponse<byte[]> response =
          client.send(
              request.build(),
              HttpResponse.BodyHandlers.limiting(
                  HttpResponse.BodyHandlers.ofByteArray(), ANSWER_BYTES_MAX));
      if (response.statusCode() / 100 != 2) {
        throw new IOException("it answered " + response.statusCode());
      }
      return KubeJson.readObject(response.body());
    } catch (IOException | MalformedJson e) {
      throw new IOException("the webhook " + target.server() + " gave no answer: " + e, e);
    }
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
