package dev.mooring.syncagent;

import static dev.mooring.syncagent.TwoClusters.CERTIFICATES;
import static dev.mooring.syncagent.TwoClusters.SECRETS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.ListQuery;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * One consumer's certificates, all in its namespace "default", and what the service cluster makes
 * of them.
 */
record Certificates(TwoClusters clusters, String consumer) {
  /** The consumer's logical cluster, whose name is the namespace of its copies. */
  String cluster() {
    return clusters.cluster(consumer).name();
  }

  /** Asks for a Secret {@code <name>-tls}, too. */
  void order(String name) {
    clusters
        .consumer(consumer)
        .create(
            CERTIFICATES,
            TwoClusters.object(
                """
                apiVersion: certs.example.io/v1
                kind: Certificate
                metadata:
                  namespace: default
                  name: %1$s
                spec:
                  secretName: %1$s-tls
                  dnsNames: [%1$s.example.io]
                """,
                name));
  }

  KubeObject source(String name) {
    return clusters.consumer(consumer).find(CERTIFICATES, "default", name).orElseThrow();
  }

  /** The copy, once there is one. */
  KubeObject copy(String name) {
    return copy(name, _ -> {});
  }

  /** The copy, once it is as expected. */
  KubeObject copy(String name, Consumer<KubeObject> expected) {
    return clusters.eventually(
        clusters.service(), CERTIFICATES, cluster(), "default-" + name, expected);
  }

  void awaitPhase(String name, String phase) {
    clusters.eventually(
        clusters.consumer(consumer),
        CERTIFICATES,
        "default",
        name,
        source -> assertThat(source.text("status", "phase")).isEqualTo(phase));
  }

  /** As the service's operator does. */
  void report(KubeObject copy, String phase) {
    clusters
        .service()
        .patchStatus(
            CERTIFICATES, copy.namespace(), copy.name(), Map.of("status", Map.of("phase", phase)));
  }

  /** As the service's operator does: a Secret beside the copy. */
  void issue(KubeObject copy, String secret, String key) {
    clusters
        .service()
        .create(
            SECRETS,
            TwoClusters.object(
                """
                apiVersion: v1
                kind: Secret
                metadata:
                  namespace: %s
                  name: %s
                data:
                  tls.key: %s
                """,
                copy.namespace(), secret, key));
  }

  static void hasKey(KubeObject secret, String key) {
    assertThat(secret.text("data", "tls.key")).isEqualTo(key);
  }

  void hold(KubeObject copy, List<String> finalizers) {
    clusters
        .service()
        .patch(
            CERTIFICATES,
            copy.namespace(),
            copy.name(),
            Map.of("metadata", Map.of("finalizers", finalizers)));
  }

  /** Secrets in which the agent keeps what it knows of a certificate's related objects. */
  List<KubeObject> states(String name) {
    return clusters.service().list(SECRETS, ListQuery.ALL).items().stream()
        .filter(secret -> secret.labels().containsKey("syncagent.kcp.io/related-object"))
        .filter(secret -> secret.annotations().containsValue(name))
        .toList();
  }
}
