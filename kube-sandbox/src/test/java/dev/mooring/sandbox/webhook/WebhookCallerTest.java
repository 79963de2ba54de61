package dev.mooring.sandbox.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsServer;
import dev.mooring.sandbox.JsonServer;
import dev.mooring.sandbox.security.certificate.CertificateAuthority;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WebhookCallerTest {
  @TempDir Path directory;

  private final WebhookCaller caller = new WebhookCaller();
  private final Map<String, String> headers = new ConcurrentHashMap<>();
  private final CountDownLatch end = new CountDownLatch(1);
  private CertificateAuthority authority;
  private HttpsServer server;

  @BeforeEach
  void serve() throws Exception {
    authority = CertificateAuthority.in(directory, Instant.now());
    server = JsonServer.listening(authority);
    server.createContext("/ok", exchange -> answer(exchange, 200, "application/json", "{}"));
    server.createContext("/broken", exchange -> answer(exchange, 500, "text/plain", "boom"));
    server.createContext("/slow", this::neverAnswer);
    server.start();
  }

  @AfterEach
  void stop() {
    end.countDown();
    server.stop(0);
    caller.close();
  }

  @Test
  void postsAsTheApiServerDoes() throws Exception {
    byte[] answer = caller.post(webhook("/ok", trusted(), 10), "{}".getBytes());

    assertThat(answer).asString(StandardCharsets.UTF_8).isEqualTo("{}");
    assertThat(headers)
        .containsEntry("method", "POST")
        .containsEntry("uri", "/ok?timeout=10s")
        .containsEntry("type", "application/json")
        .containsEntry("agent", "kube-apiserver-admission");
  }

  @Test
  void untrustedCertificateIsRefused() {
    assertThatThrownBy(() -> caller.post(webhook("/ok", "", 10), "{}".getBytes()))
        .isInstanceOf(WebhookCaller.CallFailed.class)
        .hasMessageContaining("/ok?timeout=10s\": tls: failed to verify certificate: ");
  }

  @Test
  void errorOfTheServerIsReported() {
    assertThatThrownBy(() -> caller.post(webhook("/broken", trusted(), 10), "{}".getBytes()))
        .hasMessage("the server responded with the status code 500");
  }

  @Test
  void aWebhookThatDoesNotAnswerEndsWithTheTimeout() {
    assertThatThrownBy(() -> caller.post(webhook("/slow", trusted(), 1), "{}".getBytes()))
        .hasMessage(
            "Post \"https://127.0.0.1:%d/slow?timeout=1s\": context deadline exceeded"
                .formatted(server.getAddress().getPort()));
  }

  @Test
  void refusedConnectionNamesTheAddress() {
    int port = server.getAddress().getPort();
    server.stop(0);

    assertThatThrownBy(() -> caller.post(webhook("/ok", trusted(), 10), "{}".getBytes()))
        .hasMessageEndingWith("dial tcp 127.0.0.1:" + port + ": connect: connection refused");
  }

  private WebhookCaller.Target webhook(String path, String caBundle, int timeoutSeconds) {
    return new WebhookCaller.Target(
        URI.create("https://127.0.0.1:" + server.getAddress().getPort() + path),
        caBundle,
        Duration.ofSeconds(timeoutSeconds));
  }

  private String trusted() {
    return Base64.getEncoder()
        .encodeToString(authority.certificatePem().getBytes(StandardCharsets.US_ASCII));
  }

  private void answer(HttpExchange exchange, int status, String type, String body) {
    try (exchange) {
      exchange.getRequestBody().readAllBytes();
      headers.put("method", exchange.getRequestMethod());
      headers.put("uri", exchange.getRequestURI().toString());
      headers.put("type", exchange.getRequestHeaders().getFirst("Content-Type"));
      headers.put("agent", exchange.getRequestHeaders().getFirst("User-Agent"));
      exchange.getResponseHeaders().set("Content-Type", type);
      byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(status, bytes.length);
      exchange.getResponseBody().write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void neverAnswer(HttpExchange exchange) {
    try (exchange) {
      end.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
