package dev.mooring.acceptance;

import static dev.mooring.acceptance.Objects.awaitGone;
import static dev.mooring.acceptance.Objects.awaitReady;
import static dev.mooring.acceptance.Objects.awaitSecret;
import static dev.mooring.acceptance.Objects.certificate;
import static dev.mooring.acceptance.Objects.copy;
import static dev.mooring.acceptance.Objects.delete;
import static dev.mooring.acceptance.Objects.find;
import static dev.mooring.acceptance.Objects.machine;
import static dev.mooring.acceptance.Objects.refusal;
import static dev.mooring.acceptance.Objects.vpc;
import static dev.mooring.runtime.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cli.demo.ClusterClient;
import dev.mooring.cli.demo.DemoEnvironment;
import dev.mooring.cli.demo.Providers;
import dev.mooring.cli.demo.Types;
import dev.mooring.harness.KcpChoice;
import dev.mooring.harness.Program;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeFailure;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * All three services while a shard of kcp is killed and started again. The shard has one consumer;
 * the providers and the other consumers are on the shard {@code root}.
 */
@Tag("full")
class ShardRestartIT {
  private static final String SHARD = "shard-1";
  private static final String UNSCHEDULABLE = "experimental.core.kcp.io/unschedulable";

  private static Mooring.Started started;
  private static DemoEnvironment stage;
  private static ClusterClient near;
  private static ClusterClient far;

  @BeforeAll
  static void start() {
    started =
        new Mooring.Started(
            "shard-restart",
            new KcpChoice.Sandbox(2),
            environment -> annotateShard(environment, Map.of(UNSCHEDULABLE, "true")));
    stage = started.running().stage();
    annotateShard(stage, Collections.singletonMap(UNSCHEDULABLE, null));
    near = stage.blue();
    far = consumerOnTheShard();
  }

  @AfterAll
  static void stop() {
    started.close();
  }

  private static void annotateShard(DemoEnvironment environment, Map<String, ?> annotations) {
    environment
        .parent()
        .client()
        .patch(Types.SHARDS, "", SHARD, Map.of("metadata", Map.of("annotations", annotations)));
  }

  private static ClusterClient consumerOnTheShard() {
    var kubectl = started.running().kubectl();
    kubectl.create(
        stage.orgPlace(),
        "workspace-team-far.yaml",
        List.of(
            KubeObject.of(
                Map.of(
                    "apiVersion",
                    Types.WORKSPACES.apiVersion(),
                    "kind",
                    "Workspace",
                    "metadata",
                    Map.of("name", "team-far"),
                    "spec",
                    Map.of(
                        "type",
                        Map.of("name", "universal", "path", "root"),
                        "location",
                        Map.of("selector", Map.of("matchLabels", Map.of("name", SHARD))))))));
    kubectl.await(
        stage.orgPlace(),
        Types.WORKSPACES,
        "",
        "team-far",
        "is ready",
        workspace -> workspace.text("status", "phase").equals("Ready"),
        KubeObject::name);
    ClusterClient consumer = stage.child("team-far");
    Map.of(
            "certificates.example.corp", stage.certificates(),
            "network.example.corp", stage.network(),
            "compute.example.corp", stage.compute())
        .forEach((export, provider) -> Providers.bind(kubectl, consumer, provider, stage, export));
    return consumer;
  }

  @Test
  void goOnForOtherConsumersAndCatchUpOnceItIsBack() {
    for (ClusterClient consumer : List.of(near, far)) {
      consumer.client().create(Types.CERTIFICATES, certificate("kept", "old.example.org"));
      consumer.client().create(Types.VPCS, vpc("used"));
      consumer.client().create(Types.VIRTUAL_MACHINES, machine("user", "used"));
      assertRefused(consumer);
    }
    awaitReady(near, "kept");
    KubeObject source = awaitReady(far, "kept");
    KubeObject before = copy(stage.serviceCluster(), source).orElseThrow();
    String secretBefore = awaitSecret(far, "kept-tls").uid();

    started.running().suite().shard(SHARD).kill();

    near.client().create(Types.CERTIFICATES, certificate("meanwhile", "a.example.org"));
    awaitReady(near, "meanwhile");
    near.client().create(Types.VPCS, vpc("unused"));
    assertRefused(near);
    delete(near, Types.VPCS, "unused");
    awaitGone(near, Types.VPCS, "unused");
    stage
        .network()
        .client()
        .delete(
            Types.WEBHOOK_CONFIGURATIONS,
            "",
            "dependency-controller",
            new DeleteCondition.Unconditional());
    await("the controller installs the webhook again")
        .until(() ->
            stage
                .network()
                .client()
                .find(Types.WEBHOOK_CONFIGURATIONS, "", "dependency-controller")
                .isPresent());
    assertRefused(near);
    assertThat(copy(stage.serviceCluster(), source)).map(KubeObject::uid).contains(before.uid());
    started.running().suite().requireAllAlive();

    started.running().suite().shard(SHARD).start();

    await("the shard answers")
        .ignoreExceptionsMatching(KubeFailure.class::isInstance)
        .until(() -> find(far, Types.CERTIFICATES, "kept").isPresent());
    far.client()
        .patch(
            Types.CERTIFICATES,
            "default",
            "kept",
            Map.of("spec", Map.of("dnsNames", List.of("new.example.org"))));
    await()
        .untilAsserted(() ->
            assertThat(copy(stage.serviceCluster(), source).orElseThrow().list("spec", "dnsNames"))
                .containsExactly("new.example.org"));
    assertThat(copy(stage.serviceCluster(), source)).map(KubeObject::uid).contains(before.uid());
    assertThat(find(far, Types.SECRETS, "kept-tls")).map(KubeObject::uid).contains(secretBefore);
    far.client().create(Types.CERTIFICATES, certificate("afterwards", "a.example.org"));
    awaitReady(far, "afterwards");
    await("the webhook protects the consumers of the shard again")
        .untilAsserted(() -> assertRefused(far));
    delete(far, Types.VIRTUAL_MACHINES, "user");
    await("the VPC may go")
        .ignoreExceptionsMatching(KubeFailure.class::isInstance)
        .until(() -> {
          if (find(far, Types.VPCS, "used").isEmpty()) {
            return true;
          }
          delete(far, Types.VPCS, "used");
          return find(far, Types.VPCS, "used").isEmpty();
        });
    for (Program service :
        List.of(Program.SYNC_AGENT, Program.DEPENDENCY_CONTROLLER, Program.DEPENDENCY_WEBHOOK)) {
      started.running().suite().awaitReady(service);
    }
  }

  private static void assertRefused(ClusterClient consumer) {
    assertThat(refusal(consumer, Types.VPCS, "used"))
        .hasMessageEndingWith("still referenced by VirtualMachine/user");
  }
}
