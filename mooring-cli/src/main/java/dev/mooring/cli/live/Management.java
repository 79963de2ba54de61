package dev.mooring.cli.live;

import dev.mooring.harness.HttpProbe;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.json.MalformedJson;
import dev.mooring.model.object.KubeObject;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import javax.net.ssl.SSLException;

/** The management endpoints of one service. */
public record Management(
    Service service, URI url, Optional<String> token, Optional<byte[]> authorities) {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final int UNAUTHORIZED = 401;

  /** What a request came to. */
  public sealed interface Answer {
    /**
     * @param body empty if it is no JSON object
     */
    record Answered(int status, KubeObject body) implements Answer {
      public boolean isOk() {
        return status / 100 == 2;
      }

      /** Why the request was refused, in words. */
      public String problem() {
        String said = body.text("message");
        return said.isEmpty() ? "HTTP " + status : said;
      }
    }

    /** No answer. */
    record Silent(String why) implements Answer {}
  }

  /**
   * @param path below {@code /actuator/}
   */
  public Answer get(String path) {
    return send(request(path).GET().build());
  }

  /** The value of a metric without labels; empty if it cannot be read. */
  public OptionalDouble metric(String name) {
    HttpRequest request = request("prometheus?includedNames=" + name).GET().build();
    try {
      return exchange(request)
          .body()
          .lines()
          .filter(line -> line.startsWith(name + " "))
          .mapToDouble(line -> Double.parseDouble(line.substring(name.length()).strip()))
          .findFirst();
    } catch (IOException | NumberFormatException e) {
      return OptionalDouble.empty();
    }
  }

  /** As {@link #get}. */
  public Answer post(String path) {
    return send(
        request(path)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString("{}"))
            .build());
  }

  /** Sending this token, if there is one. */
  Management with(Optional<String> bearer) {
    return new Management(service, url, bearer, authorities);
  }

  /** Never the token. */
  @Override
  public String toString() {
    return service + " at " + url;
  }

  private HttpRequest.Builder request(String path) {
    String base = url.toString().replaceAll("/+$", "");
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(base + "/actuator/" + path)).timeout(TIMEOUT);
    token.ifPresent(value -> request.header("Authorization", "Bearer " + value));
    return request;
  }

  private Answer send(HttpRequest request) {
    try {
      HttpResponse<String> response = exchange(request);
      return new Answer.Answered(
          response.statusCode(), body(response.statusCode(), response.body()));
    } catch (IOException e) {
      return new Answer.Silent(
          url
              + " does not answer"
              + (e.getMessage() == null ? "" : ": " + e.getMessage())
              + (e instanceof SSLException ? "; name its CA with --management-ca" : ""));
    }
  }

  private HttpResponse<String> exchange(HttpRequest request) throws IOException {
    HttpClient.Builder builder =
        HttpClient.newBuilder().connectTimeout(TIMEOUT).version(HttpClient.Version.HTTP_1_1);
    authorities.ifPresent(pem -> builder.sslContext(HttpProbe.contextsTrusting(pem).get()));
    try (HttpClient client = builder.build()) {
      return client.send(request, BodyHandlers.ofString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    }
  }

  private KubeObject body(int status, String body) {
    if (status == UNAUTHORIZED && token.isEmpty()) {
      return KubeObject.of(
          Map.of(
              "message",
              "the "
                  + service.title()
                  + " wants a bearer token, and the kubeconfig has none; set"
                  + " --token-file"));
    }
    try {
      return KubeJson.readObject(body.getBytes(StandardCharsets.UTF_8));
    } catch (MalformedJson e) {
      return KubeObject.of(Map.of());
    }
  }
}
