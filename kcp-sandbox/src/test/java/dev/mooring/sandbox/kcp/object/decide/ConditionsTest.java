package dev.mooring.sandbox.kcp.object.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.kcp.object.decide.Conditions.Severity;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ConditionsTest {
  private static final KubeObject EMPTY = KubeObject.of(Map.of("kind", "APIBinding"));
  private static final String EARLY = "2026-11-21T10:00:00Z";
  private static final String LATE = "2026-11-21T11:00:00Z";

  @Test
  void keepsTheTimeOfAConditionThatSaysTheSame() {
    KubeObject before = Conditions.met(EMPTY, "A", EARLY);

    assertThat(Conditions.met(before, "A", LATE)).isSameAs(before);
  }

  @Test
  void replacesAConditionThatSaysSomethingElse() {
    KubeObject before = Conditions.met(EMPTY, "A", EARLY);

    KubeObject after = Conditions.unmet(before, "A", Severity.ERROR, "Broken", "it broke", LATE);

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
    KubeObject object = Conditions.met(EMPTY, "B", EARLY);
    object = Conditions.met(object, "A", EARLY);
    object = Conditions.summarized(object, "A", LATE);

    assertThat(object.list("status", "conditions"))
        .extracting(item -> Trees.textOrEmpty(Trees.at(item, "type")))
        .containsExactly("Ready", "A", "B");
  }

  @Test
  void summarizesAFailureWithItsReason() {
    KubeObject object = Conditions.unmet(EMPTY, "A", Severity.INFO, "Waiting", "wait", EARLY);

    KubeObject after = Conditions.summarized(object, "A", LATE);

    assertThat("False".equals(after.condition("Ready"))).isTrue();
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
