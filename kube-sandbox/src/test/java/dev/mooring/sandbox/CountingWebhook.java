package dev.mooring.sandbox;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** A validating webhook for ConfigMaps that allows everything. */
final class CountingWebhook implements AutoCloseable {
  private final JsonServer server;
  private final AtomicInteger reviews = new AtomicInteger();

  /**
   * @param directory for its certificate
   */
  CountingWebhook(Path directory) throws IOException, GeneralSecurityException {
    server = new JsonServer(directory, (_, body) -> allow(KubeJson.readObject(body)));
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
                    server.url() + "/",
                    "caBundle",
                    Base64.getEncoder()
                        .encodeToString(server.authority().getBytes(StandardCharsets.US_ASCII))),
                "rules",
                List.of(
                    Map.of(
                        "apiGroups", List.of(""),
                        "apiVersions", List.of("v1"),
                        "operations", List.of("CREATE"),
                        "resources", List.of("configmaps"))),
                // A controller creates one in each namespace, at a time of its own.
                "matchConditions",
                List.of(
                    Map.of(
                        "name", "made-by-tests",
                        "expression", "object.metadata.name != 'kube-root-ca.crt'")),
                "timeoutSeconds",
                1L,
                "failurePolicy",
                failurePolicy,
                "sideEffects",
                "None",
                "admissionReviewVersions",
                List.of("v1"))));
  }

  private Map<String, Object> allow(KubeObject review) {
    reviews.incrementAndGet();
    return Map.of(
        "apiVersion",
        "admission.k8s.io/v1",
        "kind",
        "AdmissionReview",
        "response",
        Map.of("uid", review.text("request", "uid"), "allowed", true));
  }

  @Override
  public void close() {
    server.close();
  }
}
