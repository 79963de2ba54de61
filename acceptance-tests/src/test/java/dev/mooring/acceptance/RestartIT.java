package dev.mooring.acceptance;

import static dev.mooring.acceptance.Objects.awaitGone;
import static dev.mooring.acceptance.Objects.awaitReady;
import static dev.mooring.acceptance.Objects.certificate;
import static dev.mooring.acceptance.Objects.copy;
import static dev.mooring.acceptance.Objects.delete;
import static dev.mooring.acceptance.Objects.deleteGuard;
import static dev.mooring.acceptance.Objects.guard;
import static dev.mooring.acceptance.Objects.machine;
import static dev.mooring.acceptance.Objects.refusal;
import static dev.mooring.acceptance.Objects.vpc;
import static dev.mooring.runtime.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cli.demo.ClusterClient;
import dev.mooring.cli.live.Types;
import dev.mooring.harness.Program;
import dev.mooring.harness.Suite;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.KubeFailure;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Each service killed as by a crash, and started again. */
@ExtendWith(Mooring.class)
@Tag("full")
class RestartIT {
  private Suite suite;
  private ClusterClient blue;
  private ClusterClient network;
  private ClusterClient serviceCluster;

  @BeforeEach
  void takePlaces(Mooring.Running running) {
    suite = running.suite();
    blue = running.stage().blue();
    network = running.stage().network();
    serviceCluster = running.stage().serviceCluster();
  }

  @Test
  void theAgentCatchesUpWithWhatHappenedWhileItWasDown() {
    KubeObject changed =
        blue.client().create(Types.CERTIFICATES, certificate("changed", "old.example.org"));
    KubeObject deleted =
        blue.client().create(Types.CERTIFICATES, certificate("deleted", "a.example.org"));
    KubeObject before = awaitReady(blue, "changed");
    awaitReady(blue, "deleted");
    String copyBefore = copy(serviceCluster, changed).orElseThrow().uid();

    suite.service(Program.SYNC_AGENT).kill();
    KubeObject made =
        blue.client().create(Types.CERTIFICATES, certificate("made", "a.example.org"));
    blue.client()
        .patch(
            Types.CERTIFICATES,
            "default",
            "changed",
            Map.of("spec", Map.of("dnsNames", List.of("new.example.org"))));
    delete(blue, Types.CERTIFICATES, "deleted");
    suite.relaunch(Program.SYNC_AGENT);

    awaitReady(blue, "made");
    awaitGone(blue, Types.CERTIFICATES, "deleted");
    await()
        .untilAsserted(() ->
            assertThat(copy(serviceCluster, changed).orElseThrow().list("spec", "dnsNames"))
                .containsExactly("new.example.org"));
    assertThat(copy(serviceCluster, changed).orElseThrow().uid()).isEqualTo(copyBefore);
    assertThat(copy(serviceCluster, deleted)).isEqualTo(Optional.empty());
    assertThat(copy(serviceCluster, made)).isPresent();
    assertThat(before.uid()).isEqualTo(changed.uid());
  }

  @Test
  void theWebhookRefusesAgainOnceItIsBack() {
    blue.client().create(Types.VPCS, vpc("durable"));
    blue.client().create(Types.VIRTUAL_MACHINES, machine("durable-user", "durable"));
    refusal(blue, Types.VPCS, "durable");

    suite.service(Program.DEPENDENCY_WEBHOOK).kill();
    KubeFailure whileDown = refusal(blue, Types.VPCS, "durable");
    suite.relaunch(Program.DEPENDENCY_WEBHOOK);
    suite.awaitReady(Program.DEPENDENCY_WEBHOOK);

    assertThat(whileDown).hasMessageContaining("failed calling webhook");
    assertThat(refusal(blue, Types.VPCS, "durable"))
        .hasMessageEndingWith("still referenced by VirtualMachine/durable-user");
  }

  @Test
  void theControllerPutsRightWhatWasBrokenWhileItWasDown() {
    suite.service(Program.DEPENDENCY_CONTROLLER).kill();
    deleteGuard(network);
    suite.relaunch(Program.DEPENDENCY_CONTROLLER);

    await()
        .untilAsserted(() ->
            assertThat(
                    guard(network)
                        .map(found -> Trees.at(found.list("webhooks").getFirst(), "rules")))
                .isPresent());
    blue.client().create(Types.VPCS, vpc("guarded-again"));
    blue.client().create(Types.VIRTUAL_MACHINES, machine("guard", "guarded-again"));
    assertThat(refusal(blue, Types.VPCS, "guarded-again"))
        .hasMessageEndingWith("still referenced by VirtualMachine/guard");
  }
}
