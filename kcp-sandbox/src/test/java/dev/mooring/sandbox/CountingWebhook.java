package dev.mooring.sandbox;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.security.certificate.CertificateAuthority;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** A validating webhook for ConfigMaps that allows everything. */
final class CountingWebhook implements AutoCloseable {
  private final CertificateAuthority authority;
  private final HttpsServer server;
  private final AtomicInteger reviews = new AtomicInteger();

  /**
   * @param directory for its certificate
   */
  CountingWebhook(Path directory) throws IOException, GeneralSecurityException {
    authority = CertificateAuthority.in(directory, Instant.now());
    char[] password = "password".toCharArray();
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(authority.serverIdentity(Set.of(), Instant.now()).keyStore(password), password);
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(keys.getKeyManagers(), null, null);
    server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(tls));
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::allow);
    server.start();
  }

  /** Reviews that have reached it. */
  int reviews() {
    return reviews.get();
  }

  /** A configuration with a timeout of a second. */
  Map<String, Object> configuration(String name, String failurePolicy) {
    return Map.of(
        "metadata",
        Map.of("name", name),
        "webhooks",
        List.of(
            Map.of(
                "name",
                "counting.example.com",
                "clientConfig",
                Map.of(
                    "url",
                    "https://127.0.0.1:" + server.getAddress().getPort() + "/",
                    "caBundle",
                    Base64.getEncoder()
                        .encodeToString(
                            authority.certificatePem().getBytes(StandardCharsets.US_ASCII))),
                "rules",
                List.of(
                    Map.of(
                        "apiGroups", List.of(""),
                        "apiVersions", List.of("v1"),
                        "operations", List.of("CREATE"),
                        "resources", List.of("configmaps"))),
                "timeoutSeconds",
                1L,
                "failurePolicy",
                failurePolicy,
                "sideEffects",
                "None",
                "admissionReviewVersions",
                List.of("v1"))));
  }

  private void allow(HttpExchange exchange) throws IOException {
    try (exchange) {
      KubeObject review = KubeJson.readObject(exchange.getRequestBody().readAllBytes());
      reviews.incrementAndGet();
      byte[] answer =
          KubeJson.write(
              Map.of(
                  "apiVersion",
                  "admission.k8s.io/v1",
                  "kind",
                  "AdmissionReview",
                  "response",
                  Map.of("uid", review.text("request", "uid"), "allowed", true)));
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(200, answer.length);
      exchange.getResponseBody().write(answer);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
