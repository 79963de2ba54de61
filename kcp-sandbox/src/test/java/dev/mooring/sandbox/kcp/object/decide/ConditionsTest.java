package dev.mooring.sandbox.kcp.object.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.kcp.object.decide.Condition.Severity;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ConditionsTest {
  private static final KubeObject EMPTY = KubeObject.of(Map.of("kind", "APIBinding"));
  private static final String EARLY = "2026-11-21T10:00:00Z";
  private static final String LATE = "2026-11-21T11:00:00Z";

  @Test
  void keepsTheTimeOfAConditionThatSaysTheSame() {
    KubeObject before = Conditions.with(EMPTY, Condition.met("A", EARLY));

    assertThat(Conditions.with(before, Condition.met("A", LATE))).isSameAs(before);
  }

  @Test
  void replacesAConditionThatSaysSomethingElse() {
    KubeObject before = Conditions.with(EMPTY, Condition.met("A", EARLY));

    KubeObject after =
        Conditions.with(before, Condition.unmet("A", Severity.ERROR, "Broken", "it broke", LATE));

    assertThat(after.list("status", "conditions"))
        .isEqualTo(
            List.of(
                Map.of(
                    "type", "A",
                    "status", "False",
                    "severity", "Error",
                    "reason", "Broken",
                    "message", "it broke",
                    "lastTransitionTime", LATE)));
  }

  @Test
  void putsReadyFirstAndTheOthersByName() {
    KubeObject object = Conditions.with(EMPTY, Condition.met("B", EARLY));
    object = Conditions.with(object, Condition.met("A", EARLY));
    object = Conditions.summarized(object, "A", LATE);

    assertThat(object.list("status", "conditions"))
        .extracting(item -> Trees.textOrEmpty(Trees.at(item, "type")))
        .containsExactly("Ready", "A", "B");
  }

  @Test
  void summarizesAFailureWithItsReason() {
    KubeObject object =
        Conditions.with(EMPTY, Condition.unmet("A", Severity.INFO, "Waiting", "wait", EARLY));

    KubeObject after = Conditions.summarized(object, "A", LATE);

    assertThat(Conditions.isFalse(after, "Ready")).isTrue();
    assertThat(after.list("status", "conditions").getFirst())
        .isEqualTo(
            Map.of(
                "type", "Ready",
                "status", "False",
                "severity", "Info",
                "reason", "Waiting",
                "message", "wait",
                "lastTransitionTime", LATE));
  }
}
