package dev.mooring.acceptance;

import static dev.mooring.acceptance.Objects.awaitGone;
import static dev.mooring.acceptance.Objects.awaitReady;
import static dev.mooring.acceptance.Objects.awaitSecret;
import static dev.mooring.acceptance.Objects.certificate;
import static dev.mooring.acceptance.Objects.copy;
import static dev.mooring.acceptance.Objects.delete;
import static dev.mooring.acceptance.Objects.find;
import static dev.mooring.runtime.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cli.demo.ClusterClient;
import dev.mooring.cli.live.Types;
import dev.mooring.model.object.KubeObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The sync agent as a process, between kcp and a service cluster. */
@ExtendWith(Mooring.class)
class SyncIT {
  private ClusterClient blue;
  private ClusterClient green;
  private ClusterClient serviceCluster;

  @BeforeEach
  void takePlaces(Mooring.Running running) {
    blue = running.stage().blue();
    green = running.stage().green();
    serviceCluster = running.stage().serviceCluster();
  }

  @Test
  void bringsAnObjectDownAndItsStatusAndSecretBack() {
    KubeObject source =
        blue.client().create(Types.CERTIFICATES, certificate("down-and-up", "a.example.org"));

    KubeObject ready = awaitReady(blue, "down-and-up");
    KubeObject secret = awaitSecret(blue, "down-and-up-tls");

    KubeObject copy = copy(serviceCluster, source).orElseThrow();
    assertThat(copy.at("spec")).isEqualTo(source.at("spec"));
    assertThat(copy.namespace()).isEqualTo(source.logicalCluster().orElseThrow().name());
    assertThat(ready.at("status")).isEqualTo(copy.at("status"));
    KubeObject original =
        serviceCluster
            .client()
            .find(Types.SECRETS, copy.namespace(), "down-and-up-tls")
            .orElseThrow();
    assertThat(secret.at("data")).isEqualTo(original.at("data"));
    assertThat(secret.text("type")).isEqualTo("kubernetes.io/tls");
  }

  @Test
  void leavesNoTraceOfItsOwnOnWhatAConsumerSees() {
    blue.client().create(Types.CERTIFICATES, certificate("traceless", "a.example.org"));
    KubeObject ready = awaitReady(blue, "traceless");
    KubeObject secret = awaitSecret(blue, "traceless-tls");

    assertThat(ready.labels()).isEmpty();
    assertThat(ready.finalizers()).contains("syncagent.kcp.io/cleanup");
    assertThat(secret.labels().keySet())
        .noneMatch(key -> key.startsWith("syncagent.kcp.io/remote-object"));
    assertThat(secret.annotations().keySet())
        .noneMatch(key -> key.startsWith("syncagent.kcp.io/last-known"));
  }

  @Test
  void keepsEqualNamesOfTwoConsumersApart() {
    KubeObject bluesOwn =
        blue.client().create(Types.CERTIFICATES, certificate("same", "blue.example.org"));
    KubeObject greensOwn =
        green.client().create(Types.CERTIFICATES, certificate("same", "green.example.org"));
    awaitReady(blue, "same");
    awaitReady(green, "same");

    KubeObject bluesKey = awaitSecret(blue, "same-tls");
    KubeObject greensKey = awaitSecret(green, "same-tls");

    assertThat(bluesKey.at("data", "tls.key")).isNotEqualTo(greensKey.at("data", "tls.key"));
    assertThat(copy(serviceCluster, bluesOwn).orElseThrow().list("spec", "dnsNames"))
        .containsExactly("blue.example.org");
    assertThat(copy(serviceCluster, greensOwn).orElseThrow().list("spec", "dnsNames"))
        .containsExactly("green.example.org");
    assertThat(find(blue, Types.CERTIFICATES, "same").orElseThrow().list("spec", "dnsNames"))
        .containsExactly("blue.example.org");
  }

  @Test
  void carriesChangesDown() {
    KubeObject source =
        blue.client().create(Types.CERTIFICATES, certificate("changing", "old.example.org"));
    awaitReady(blue, "changing");

    blue.client()
        .patch(
            Types.CERTIFICATES,
            "default",
            "changing",
            Map.of("spec", Map.of("dnsNames", List.of("new.example.org"))));

    await()
        .untilAsserted(() ->
            assertThat(copy(serviceCluster, source).orElseThrow().list("spec", "dnsNames"))
                .containsExactly("new.example.org"));
  }

  @Test
  void keepsWhatOnlyTheServiceClusterHasChanged() {
    KubeObject source =
        blue.client().create(Types.CERTIFICATES, certificate("local", "a.example.org"));
    awaitReady(blue, "local");
    KubeObject copy = copy(serviceCluster, source).orElseThrow();
    serviceCluster
        .client()
        .patch(
            Types.SERVICE_CERTIFICATES,
            copy.namespace(),
            copy.name(),
            Map.of("spec", Map.of("usages", List.of("client auth"))));

    blue.client()
        .patch(
            Types.CERTIFICATES,
            "default",
            "local",
            Map.of("spec", Map.of("dnsNames", List.of("b.example.org"))));

    await()
        .untilAsserted(() ->
            assertThat(copy(serviceCluster, source).orElseThrow().map("spec"))
                .containsEntry("dnsNames", List.of("b.example.org"))
                .containsEntry("usages", List.of("client auth")));
  }

  @Test
  void removesCopyAndSecretWithTheirSource() {
    KubeObject source =
        blue.client().create(Types.CERTIFICATES, certificate("going", "a.example.org"));
    awaitReady(blue, "going");
    awaitSecret(blue, "going-tls");

    delete(blue, Types.CERTIFICATES, "going");

    awaitGone(blue, Types.CERTIFICATES, "going");
    assertThat(copy(serviceCluster, source)).isEqualTo(Optional.empty());
    awaitGone(blue, Types.SECRETS, "going-tls");
  }
}
