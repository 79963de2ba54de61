package dev.mooring.syncagent;

import static dev.mooring.syncagent.TwoClusters.SECRETS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.fault.Fault;
import dev.mooring.sandbox.fault.FaultInjector;
import dev.mooring.syncagent.agent.SyncAgent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A shard that starts answers 404 to everything in the export's virtual workspace: while the agent
 * runs, and while it starts. Requests of consumers are answered meanwhile.
 */
@Tag("full")
class StartingShardIT {
  @RegisterExtension static final TwoClusters clusters = TwoClusters.withoutAgent();
  private static final String DOWN =
      "{'identifier':'settings','origin':'kcp','kind':'Secret',"
          + "'object':{'template':{'template':'{{ .Object.metadata.name }}-settings'}}}";
  private static final String UP =
      "{'identifier':'login','origin':'service','kind':'Secret','cleanup':true,"
          + "'object':{'template':{'template':'{{ .Object.metadata.name }}-login'}}}";

  /** Far more than one pass over everything asks for. */
  private static final int REFUSED_MIN = 30;

  private static AgentStart asRobot;

  @BeforeAll
  static void start() throws IOException {
    Path kubeconfig = clusters.directory().resolve("robot.kubeconfig");
    Files.writeString(
        kubeconfig,
        Files.readString(clusters.kcpKubeconfig())
            .replaceAll("token: .*", "token: " + TwoClusters.ROBOT_TOKEN));
    asRobot = AgentStart.between(clusters).toKcp(kubeconfig);
  }

  @Test
  void takesNothingForGoneUnderAnAgentThatRuns() {
    try (SyncAgent agent = asRobot.start()) {
      Synced before = ordered(RelatedStage.publish(clusters, "running", DOWN, UP));
      suffers(Fault.STARTING_SHARD, Fault.DROPPED_WATCH);
      changes(before);

      awaitRefusals();
      before.assertUntouched();
      faults().reset();

      converges(before);
      AgentStart.awaitReady(agent);
    }
  }

  @Test
  void takesNothingForGoneWhileTheAgentStarts() {
    Synced before;
    try (SyncAgent agent = asRobot.start()) {
      before = ordered(RelatedStage.publish(clusters, "restarted", DOWN, UP));
      AgentStart.awaitReady(agent);
    }
    suffers(Fault.STARTING_SHARD);
    changes(before);

    try (SyncAgent agent = asRobot.start()) {
      awaitRefusals();
      before.assertUntouched();
      faults().reset();

      converges(before);
      AgentStart.awaitReady(agent);
    }
  }

  /** Two orders, their copies, and all that goes with them, before the shard starts. */
  private record Synced(RelatedStage stage, KubeObject staying, KubeObject going) {
    String stays() {
      return staying.name();
    }

    String goes() {
      return going.name();
    }

    /** Nothing that a copy, or an original's finalizer, was made for is known to be gone. */
    void assertUntouched() {
      for (KubeObject copy : List.of(staying, going)) {
        assertThat(stage.service().find(stage.type(), copy.namespace(), copy.name()))
            .hasValueSatisfying(found -> assertThat(found.uid()).isEqualTo(copy.uid()));
        assertThat(stage.service().find(SECRETS, stage.local(), copy.name() + "-settings"))
            .isPresent();
        assertThat(stage.consumer().find(SECRETS, "default", copy.name() + "-login")).isPresent();
        assertThat(stage.records(copy.name())).hasSize(2);
      }
    }
  }

  private static Synced ordered(RelatedStage stage) {
    String stays = stage.type().group() + "-stays";
    String goes = stage.type().group() + "-goes";
    for (String name : List.of(stays, goes)) {
      stage.order(name);
      stage.copy(name);
      stage.secret(stage.consumer(), "default", name + "-settings", "YQ==");
      stage.secret(stage.service(), stage.local(), name + "-login", "YQ==");
      stage.awaitSecret(stage.service(), stage.local(), name + "-settings", "YQ==");
      stage.awaitSecret(stage.consumer(), "default", name + "-login", "YQ==");
      await().atMost(AgentStart.PATIENCE).until(() -> stage.records(name).size() == 2);
    }
    return new Synced(stage, stage.copy(stays), stage.copy(goes));
  }

  /** One order is to go, and an original of the other's. */
  private static void changes(Synced before) {
    RelatedStage stage = before.stage();
    stage.deleteOrder(before.goes());
    stage
        .consumer()
        .patch(stage.type(), "default", before.stays(), Map.of("spec", Map.of("size", 2L)));
    TwoClusters.delete(stage.consumer(), SECRETS, "default", before.stays() + "-settings");
    stage
        .service()
        .patch(
            SECRETS,
            stage.local(),
            before.stays() + "-login",
            Map.of("data", Map.of("password", "Yg==")));
  }

  private static void converges(Synced before) {
    RelatedStage stage = before.stage();
    String stays = before.stays();
    String goes = before.goes();
    stage.awaitOrderGone(goes);
    stage.awaitNoSecret(stage.service(), stage.local(), goes + "-settings");
    stage.awaitNoSecret(stage.consumer(), "default", goes + "-login");
    stage.awaitNoSecret(stage.service(), stage.local(), stays + "-settings");
    stage.awaitNoSecret(stage.consumer(), "default", stays + "-settings");
    stage.awaitSecret(stage.consumer(), "default", stays + "-login", "Yg==");
    KubeObject staying =
        clusters.eventually(
            stage.service(),
            stage.type(),
            stage.local(),
            stays,
            copy -> assertThat(copy.at("spec", "size")).isEqualTo(2L));
    assertThat(staying.uid()).isEqualTo(before.staying().uid());
    assertThat(
            stage
                .consumer()
                .find(SECRETS, "default", goes + "-settings")
                .orElseThrow()
                .finalizers())
        .isEmpty();
  }

  private static FaultInjector faults() {
    return clusters.kcpServer().faults();
  }

  /** The agent alone. */
  private static void suffers(Fault... faults) {
    faults().affect(TwoClusters.ROBOT_USER::equals);
    for (Fault fault : faults) {
      faults().inject(fault, 1);
    }
  }

  private static void awaitRefusals() {
    long before = faults().injected(Fault.STARTING_SHARD);
    await()
        .atMost(AgentStart.PATIENCE)
        .until(() -> faults().injected(Fault.STARTING_SHARD) >= before + REFUSED_MIN);
  }
}
