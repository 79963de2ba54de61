package dev.mooring.sandbox.junit;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.json.MalformedJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.junit.KcpConnection.Credentials;
import dev.mooring.sandbox.security.certificate.ClientIdentity;
import dev.mooring.sandbox.security.certificate.TrustedAuthorities;
import java.io.IOException;
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
import javax.net.ssl.SSLContext;

/** The extension's own requests to kcp: the few that make workspaces. Thread-safe. */
final class KcpClient implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final KcpConnection connection;
  private final HttpClient http;

  /**
   * @param body empty if the server sent no JSON object
   */
  record Answer(int status, KubeObject body) {
    boolean isSuccess() {
      return status >= 200 && status < 300;
    }

    /** Of a failure, as the server puts it. */
    String message() {
      String message = body.text("message");
      return message.isEmpty() ? "status " + status : message;
    }
  }

  KcpClient(KcpConnection connection) {
    this.connection = connection;
    this.http = HttpClient.newBuilder().connectTimeout(TIMEOUT).sslContext(tls()).build();
  }

  /**
   * @param path such as {@code /clusters/root/api/v1/namespaces}
   */
  Answer get(String path) {
    return send(request(path).GET());
  }

  Answer post(String path, Map<String, ?> object) {
    return send(
        request(path)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofByteArray(KubeJson.write(object))));
  }

  Answer delete(String path) {
    return send(request(path).DELETE());
  }

  private HttpRequest.Builder request(String path) {
    URI url = URI.create(connection.server() + path);
    HttpRequest.Builder request = HttpRequest.newBuilder(url).timeout(TIMEOUT);
    return connection.credentials() instanceof Credentials.Token(String token)
        ? request.header("Authorization", "Bearer " + token)
        : request;
  }

  private Answer send(HttpRequest.Builder builder) {
    HttpRequest request = builder.build();
    try {
      HttpResponse<byte[]> response = http.send(request, BodyHandlers.ofByteArray());
      return new Answer(response.statusCode(), object(response.body()));
    } catch (IOException e) {
      throw new KcpProblem("kcp does not answer at " + request.uri() + ": " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KcpProblem("interrupted while waiting for the answer of " + request.uri(), e);
    }
  }

  private static KubeObject object(byte[] body) {
    try {
      return KubeJson.readObject(body);
    } catch (MalformedJson plainText) {
      String text = new String(body, StandardCharsets.UTF_8).strip();
      return KubeObject.of(text.isEmpty() ? Map.of() : Map.of("message", text));
    }
  }

  private SSLContext tls() {
    try {
      return TrustedAuthorities.context(
          connection.certificateAuthority(),
          connection.credentials() instanceof Credentials.ClientCertificate own
              ? Optional.of(new ClientIdentity(own.certificatePem(), own.keyPem()))
              : Optional.empty());
    } catch (IllegalArgumentException e) {
      throw new KcpProblem(
          "the certificates for %s cannot be used: %s".formatted(connection.url(), e.getMessage()),
          e);
    }
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
