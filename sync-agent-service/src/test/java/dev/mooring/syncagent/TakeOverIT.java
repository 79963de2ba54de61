package dev.mooring.syncagent;

import static dev.mooring.syncagent.TwoClusters.CERTIFICATES;
import static dev.mooring.syncagent.TwoClusters.SECRETS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.published.Hashes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the Go agent made, as it leaves it, under an agent that has never seen it. */
class TakeOverIT {
  @RegisterExtension static final TwoClusters clusters = TwoClusters.withAgent();
  private static Certificates certificates;

  @BeforeAll
  static void start() throws IOException {
    certificates = new Certificates(clusters, "consumer-1");
  }

  @Test
  void goesOnWithWhatTheGoAgentMadeWithoutTouchingIt() {
    clusters.stopAgent();
    KubeObject source = source("web");
    KubeObject copy = copyOf(source);
    clusters
        .service()
        .patch(
            CERTIFICATES, copy.namespace(), copy.name(), Map.of("spec", Map.of("issuer", "local")));
    KubeObject state = stateOf(source);
    KubeObject edited = certificates.copy("web");

    clusters.startAgent();
    certificates.order("later");
    certificates.copy("later");
    clusters.awaitCondition("certificates", "Syncing", "True");

    assertThat(certificates.source("web")).isEqualTo(source);
    assertThat(certificates.copy("web")).isEqualTo(edited);

    clusters
        .consumer("consumer-1")
        .patch(CERTIFICATES, "default", "web", Map.of("spec", Map.of("days", 30L)));

    certificates.copy(
        "web",
        changed -> {
          assertThat(changed.at("spec", "days")).isEqualTo(30L);
          assertThat(changed.at("spec", "issuer")).isEqualTo("local");
          assertThat(changed.uid()).isEqualTo(copy.uid());
        });

    TwoClusters.delete(clusters.consumer("consumer-1"), CERTIFICATES, "default", "web");

    clusters.eventuallyGone(clusters.consumer("consumer-1"), CERTIFICATES, "default", "web");
    clusters.eventuallyGone(clusters.service(), CERTIFICATES, copy.namespace(), copy.name());
    clusters.eventuallyGone(clusters.service(), SECRETS, "default", state.name());
  }

  /** Held by the finalizer, as the Go agent does first. */
  private static KubeObject source(String name) {
    certificates.order(name);
    clusters
        .consumer("consumer-1")
        .patch(
            CERTIFICATES,
            "default",
            name,
            Map.of("metadata", Map.of("finalizers", List.of("syncagent.kcp.io/cleanup"))));
    return certificates.source(name);
  }

  private static KubeObject copyOf(KubeObject source) {
    ensureNamespace(certificates.cluster());
    return clusters
        .service()
        .create(
            CERTIFICATES,
            KubeObject.of(
                Map.of(
                    "apiVersion",
                    "certs.example.io/v1",
                    "kind",
                    "Certificate",
                    "metadata",
                    Map.of(
                        "namespace",
                        certificates.cluster(),
                        "name",
                        "default-" + source.name(),
                        "labels",
                        Map.of(
                            "syncagent.kcp.io/agent-name",
                            "certs-syncagent",
                            "syncagent.kcp.io/remote-object-cluster",
                            certificates.cluster(),
                            "syncagent.kcp.io/remote-object-name-hash",
                            Hashes.sha1(source.name()),
                            "syncagent.kcp.io/remote-object-namespace-hash",
                            Hashes.sha1("default")),
                        "annotations",
                        Map.of(
                            "syncagent.kcp.io/remote-object-name",
                            source.name(),
                            "syncagent.kcp.io/remote-object-namespace",
                            "default")),
                    "spec",
                    source.map("spec"))));
  }

  private static void ensureNamespace(String name) {
    if (clusters.service().find(TwoClusters.NAMESPACES, "", name).isEmpty()) {
      clusters
          .service()
          .create(
              ResourceType.core("namespaces"),
              KubeObject.of(
                  Map.of(
                      "apiVersion", "v1", "kind", "Namespace", "metadata", Map.of("name", name))));
    }
  }

  /** The Secret that the Go agent keeps what it knows in. */
  private static KubeObject stateOf(KubeObject source) {
    var key = new ObjectKey(new LogicalCluster(certificates.cluster()), "default", source.name());
    String identity =
        "{\"apiVersion\":\"certs.example.io/v1\",\"kind\":\"Certificate\",\"name\":\""
            + source.name()
            + "\",\"namespace\":\"default\"}\n";
    String entry =
        "{\"ClusterName\":\""
            + key.cluster().name()
            + "\",\"WorkspacePath\":\"\",\"Namespace\":\"default\",\"Name\":\""
            + source.name()
            + "\"}\n";
    String state =
        """
        {"apiVersion":"certs.example.io/v1","kind":"Certificate",
         "metadata":{"name":"%1$s","namespace":"default"},
         "spec":{"days":90,"dnsNames":["%1$s.example.io"],"secretName":"%1$s-tls"}}
        """
            .formatted(source.name());
    return clusters
        .service()
        .create(
            SECRETS,
            KubeObject.of(
                Map.of(
                    "apiVersion",
                    "v1",
                    "kind",
                    "Secret",
                    "metadata",
                    Map.of(
                        "namespace",
                        "default",
                        "name",
                        "obj-state-" + key.cluster().name() + "-" + Hashes.sha1Short(identity),
                        "labels",
                        Map.of(
                            "syncagent.kcp.io/object-state",
                            "true",
                            "syncagent.kcp.io/remote-object-cluster",
                            key.cluster().name(),
                            "syncagent.kcp.io/remote-object-name-hash",
                            Hashes.sha1(source.name()),
                            "syncagent.kcp.io/remote-object-namespace-hash",
                            Hashes.sha1("default"))),
                    "data",
                    Map.of(
                        Hashes.sha1(entry),
                        Base64.getEncoder()
                            .encodeToString(state.getBytes(StandardCharsets.UTF_8))))));
  }
}
