package dev.mooring.cli.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cli.status.ObjectStatus.State;
import dev.mooring.model.object.KubeObject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ObjectStatusTest {
  @Test
  void isReadyIfEveryConditionIsTrue() {
    assertThat(of(condition("Accepted", "True", "Valid"), condition("Syncing", "True", "InSync")))
        .isEqualTo(new ObjectStatus("Kind/name", State.ready, "", "", ""));
  }

  @Test
  void namesTheFirstFalseConditionBeforeUnknownOnes() {
    ObjectStatus status =
        of(
            condition("A", "Unknown", "x"),
            condition("B", "False", "First"),
            condition("C", "False", "Second"));

    assertThat(status.state()).isEqualTo(State.failing);
    assertThat(status.reason()).isEqualTo("First");
    assertThat(status.message()).isEqualTo("because First");
  }

  @Test
  void isNoProblemIfTheOwnerWantsIt() {
    ObjectStatus status = of(condition("Syncing", "False", "Paused"));

    assertThat(status.state()).isEqualTo(State.off);
    assertThat(status.state().isProblem()).isFalse();
  }

  @Test
  void doubtsConditionsOfAnOlderGeneration() {
    ObjectStatus status =
        ObjectStatus.of(
            KubeObject.of(
                Map.of(
                    "kind", "Kind",
                    "metadata", Map.of("name", "name", "generation", 2L),
                    "status", Map.of("conditions", List.of(condition("A", "True", "Valid"))))));

    assertThat(status.state()).isEqualTo(State.unknown);
    assertThat(status.reason()).isEqualTo("Outdated");
  }

  @Test
  void doubtsAnObjectThatNoServiceReportedOn() {
    assertThat(of().reason()).isEqualTo("NotReported");
    assertThat(of().state().isProblem()).isTrue();
  }

  private static Object condition(String type, String status, String reason) {
    return Map.of(
        "type", type,
        "status", status,
        "reason", reason,
        "message", "because " + reason,
        "observedGeneration", 1L);
  }

  private static ObjectStatus of(Object... conditions) {
    return ObjectStatus.of(
        KubeObject.of(
            Map.of(
                "kind", "Kind",
                "metadata", Map.of("name", "name", "generation", 1L),
                "status", Map.of("conditions", List.of(conditions)))));
  }
}
