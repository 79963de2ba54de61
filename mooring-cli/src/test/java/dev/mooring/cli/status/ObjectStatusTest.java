package dev.mooring.cli.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cli.status.ObjectStatus.State;
import dev.mooring.model.object.KubeObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ObjectStatusTest {
  private static final Map<String, Object> TRUE = condition("A", "True", "Valid");

  @Test
  void isNotReadyWhileObjectsFail() {
    ObjectStatus status =
        of(condition("Accepted", "True", "Valid"), condition("Syncing", "True", "ObjectsFailing"));

    assertThat(status.state()).isEqualTo(State.failing);
    assertThat(status.reason()).isEqualTo("ObjectsFailing");
  }

  @Test
  void isReadyIfEveryConditionIsTrue() {
    assertThat(of(condition("Accepted", "True", "Valid"), condition("Syncing", "True", "InSync")))
        .isEqualTo(new ObjectStatus("Kind/name", State.ready, "", "", "", "", ""));
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
  void saysThatTheReportIsAboutAnOlderGeneration() {
    ObjectStatus status =
        ObjectStatus.of(object(2, Map.of("observedGeneration", 1L, "conditions", List.of(TRUE))));

    assertThat(status.state()).isEqualTo(State.unknown);
    assertThat(status.reason()).isEqualTo("Outdated");
    assertThat(status.message())
        .isEqualTo(
            "the object changed (generation 2), and the last report is about generation 1; does the"
                + " service run?");
  }

  /** A condition of an older generation holds until the service sets another one. */
  @Test
  void believesAConditionThatIsKeptInAReportAboutThePresentGeneration() {
    Map<String, Object> report = Map.of("observedGeneration", 2L, "conditions", List.of(TRUE));

    assertThat(ObjectStatus.of(object(2, report)).state()).isEqualTo(State.ready);
  }

  @Test
  void showsAKeptConditionThatIsFalse() {
    ObjectStatus status =
        ObjectStatus.of(
            object(
                2,
                Map.of(
                    "observedGeneration",
                    2L,
                    "conditions",
                    List.of(condition("SchemaCompatible", "False", "Breaking")))));

    assertThat(status.state()).isEqualTo(State.failing);
    assertThat(status.message()).isEqualTo("because Breaking");
  }

  /** Without status.observedGeneration, one condition about the present generation is enough. */
  @Test
  void takesTheLatestConditionForTheReport() {
    var latest = new HashMap<>(condition("B", "True", "Valid"));
    latest.put("observedGeneration", 2L);

    assertThat(ObjectStatus.of(object(2, Map.of("conditions", List.of(TRUE, latest)))).state())
        .isEqualTo(State.ready);
    assertThat(ObjectStatus.of(object(2, Map.of("conditions", List.of(TRUE)))).reason())
        .isEqualTo("Outdated");
  }

  @Test
  void doubtsAnObjectThatNoServiceReportedOn() {
    assertThat(of().reason()).isEqualTo("NotReported");
    assertThat(of().state().isProblem()).isTrue();
  }

  private static KubeObject object(long generation, Map<String, Object> status) {
    return KubeObject.of(
        Map.of(
            "kind",
            "Kind",
            "metadata",
            Map.of("name", "name", "generation", generation),
            "status",
            status));
  }

  private static Map<String, Object> condition(String type, String status, String reason) {
    return Map.of(
        "type", type,
        "status", status,
        "reason", reason,
        "message", "because " + reason,
        "observedGeneration", 1L);
  }

  private static ObjectStatus of(Object... conditions) {
    return ObjectStatus.of(object(1, Map.of("conditions", List.of(conditions))));
  }
}
