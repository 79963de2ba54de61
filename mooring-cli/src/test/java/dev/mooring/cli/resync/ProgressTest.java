package dev.mooring.cli.resync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.mooring.cli.resync.ResyncRow.State;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProgressTest {
  private static final String AGENT = "sync agent";

  @Test
  void isDoneOnceTheAgentsQueuesAreEmpty() {
    assertThat(Progress.ofAgent(Map.of("certificates", published(2, 0))).waiting()).isEqualTo(2);
    assertThat(Progress.ofAgent(Map.of("certificates", published(2, 0))).rows())
        .containsExactly(new ResyncRow(AGENT, "certificates", "3 objects", State.pending, ""));
    assertThat(Progress.ofAgent(Map.of("certificates", published(0, 0))).rows())
        .containsExactly(new ResyncRow(AGENT, "certificates", "3 objects", State.done, ""));
  }

  @Test
  void namesOneOfTheObjectsThatFail() {
    assertThat(Progress.ofAgent(Map.of("certificates", published(0, 1))).rows())
        .containsExactly(
            new ResyncRow(
                AGENT,
                "certificates",
                "3 objects",
                State.failing,
                "1 fail, such as c|default/b: NameCollision: taken"));
  }

  @Test
  void countsATypeThatIsNotSyncedAsDone() {
    assertThat(Progress.ofAgent(Map.of("certificates", Map.of("schema", ""))).rows())
        .extracting(ResyncRow::state)
        .containsExactly(State.done);
  }

  @Test
  void saysWhyTheOneObjectFails() {
    assertThat(Progress.ofObject("certificates b", "c|default/b", published(0, 1)).rows())
        .extracting(ResyncRow::state, ResyncRow::message)
        .containsExactly(tuple(State.failing, "NameCollision: taken"));
    assertThat(Progress.ofObject("certificates c", "c|default/c", published(0, 1)).rows())
        .extracting(ResyncRow::state)
        .containsExactly(State.done);
  }

  @Test
  void isDoneOnceTheControllersQueueIsEmpty() {
    assertThat(Progress.ofController("all", controller(true, 1, 1)).waiting()).isEqualTo(2);
    assertThat(Progress.ofController("all", controller(true, 0, 0)).rows())
        .containsExactly(
            new ResyncRow("dependency controller", "all", "1 rule, 2 providers", State.done, ""));
  }

  @Test
  void countsRulesAndProvidersOfOneAlone() {
    KubeObject status =
        controller(true, 0, 0)
            .with(Map.of("b1|a", "valid", "b|a", "valid", "b|b", "valid"), "rules");

    assertThat(Progress.ofProvider("root:b", new LogicalCluster("b"), status).rows())
        .containsExactly(
            new ResyncRow(
                "dependency controller", "root:b", "2 rules, 1 provider", State.done, ""));
  }

  @Test
  void sendsTheUserFromAReplicaThatDoesNotLeadToTheLeader() {
    Progress progress = Progress.ofController("all", controller(false, 1, 0));

    assertThat(progress.waiting()).isZero();
    assertThat(progress.rows().getFirst().state()).isEqualTo(State.refused);
  }

  @Test
  void isDoneOnceEveryShardHasSentSomethingToTheWebhookSince() {
    assertThat(webhook(Map.of("rules", 4L, "lastEventAgeSeconds", 9L), 2).waiting()).isEqualTo(7);
    assertThat(webhook(Map.of("rules", 4L, "lastEventAgeSeconds", 1L), 2).rows())
        .containsExactly(new ResyncRow("dependency webhook", "all", "4 rules", State.done, ""));
  }

  @Test
  void isNotDoneWhileTheWebhookLoadsItsRules() {
    Progress progress = webhook(Map.of("waitingFor", "the first list"), 60);

    assertThat(progress.waiting()).isPositive();
    assertThat(progress.rows().getFirst().message()).isEqualTo("the first list");
  }

  private static Map<String, Object> published(long queued, long failed) {
    return Map.of(
        "sync",
        Map.of(
            "objects",
            3L,
            "queued",
            queued,
            "failed",
            failed,
            "failing",
            Map.of(
                "c|default/b",
                Map.of("outlook", "refused", "reason", "NameCollision", "message", "taken"))));
  }

  private static KubeObject controller(boolean leader, long waiting, long running) {
    return KubeObject.of(
        Map.of(
            "leader", leader,
            "queue", Map.of("waiting", waiting, "running", running),
            "rules", Map.of("a", "valid"),
            "providers", Map.of("b", Map.of(), "c", Map.of())));
  }

  private static Progress webhook(Map<String, Object> details, long elapsedSeconds) {
    return Progress.ofWebhook(
        "all",
        KubeObject.of(Map.of("components", Map.of("rules", Map.of("details", details)))),
        Duration.ofSeconds(elapsedSeconds));
  }
}
