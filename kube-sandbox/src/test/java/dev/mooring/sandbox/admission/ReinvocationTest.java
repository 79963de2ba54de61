package dev.mooring.sandbox.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.object.KubeObject;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReinvocationTest {
  private static final KubeObject BEFORE = KubeObject.of(Map.of("a", 1L));
  private static final KubeObject AFTER = KubeObject.of(Map.of("a", 2L));

  private final Reinvocation reinvocation = new Reinvocation();
  private final Reinvocation.Steps first = reinvocation.of(plugin("first"));
  private final Reinvocation.Steps second = reinvocation.of(plugin("second"));

  @Test
  void nothingRunsTwiceWhereNothingChanged() {
    first.begin(BEFORE);
    first.invoked("step");
    first.end(BEFORE);

    assertThat(reinvocation.begin()).isFalse();
  }

  @Test
  void stepsBeforeAChangeRunAgainAndTheOneThatChangedDoesNot() {
    first.begin(BEFORE);
    first.invoked("early");
    first.changed();
    first.invoked("late");
    first.end(AFTER);

    assertThat(reinvocation.begin()).isTrue();
    first.begin(AFTER);
    assertThat(first.runs("early")).isTrue();
    assertThat(first.runs("late")).isFalse();
    assertThat(first.runs("never asked to")).isFalse();
  }

  @Test
  void allStepsOfAPluginRunAgainAfterTheChangeOfAnother() {
    first.begin(BEFORE);
    first.invoked("step");
    first.end(BEFORE);
    second.begin(BEFORE);
    second.changed();
    second.end(AFTER);

    assertThat(reinvocation.begin()).isTrue();
    first.begin(AFTER);
    assertThat(first.runs("step")).isTrue();
  }

  @Test
  void thereIsNoThirdPass() {
    first.changed();

    assertThat(reinvocation.begin()).isTrue();
    first.changed();
    assertThat(reinvocation.begin()).isFalse();
  }

  private static AdmissionPlugin plugin(String name) {
    return () -> name;
  }
}
