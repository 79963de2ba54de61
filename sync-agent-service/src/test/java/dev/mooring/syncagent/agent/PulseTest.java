package dev.mooring.syncagent.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.time.ManualTime;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

class PulseTest {
  private final ManualTime time = new ManualTime();
  private final ArrayList<String> passedOn = new ArrayList<>();
  private final Pulse pulse = new Pulse(time, passedOn::add);

  @Test
  void passesANameOnOnceHoweverOftenItIsTold() {
    pulse.tell("a");
    pulse.tell("a");
    pulse.tell("b");
    assertThat(passedOn).isEmpty();

    time.advance(Pulse.QUIET);

    assertThat(passedOn).containsExactly("b");
    time.advance(Pulse.QUIET);
    assertThat(passedOn).containsExactly("b", "a");
  }

  @Test
  void passesItOnAgainAfterwards() {
    pulse.tell("a");
    time.advance(Pulse.QUIET);
    pulse.tell("a");
    time.advance(Pulse.QUIET);

    assertThat(passedOn).containsExactly("a", "a");
  }

  @Test
  void waitsUntilNothingMoreIsTold() {
    pulse.tell("a");
    time.advance(Pulse.QUIET.dividedBy(2));
    pulse.tell("a");
    time.advance(Pulse.QUIET.dividedBy(2));
    assertThat(passedOn).isEmpty();

    time.advance(Pulse.QUIET);

    assertThat(passedOn).containsExactly("a");
  }

  @Test
  void passesOnAtOnceWhatIsUrgentAndOnceMoreForWhatElseWasTold() {
    pulse.tell("a");

    pulse.tellAtOnce("a");

    assertThat(passedOn).containsExactly("a");
    time.advance(Pulse.QUIET);
    time.advance(Pulse.QUIET);
    assertThat(passedOn).containsExactly("a", "a");
  }

  @Test
  void passesOnWithinARoundWhatIsUrgentTooOften() {
    for (int told = 1; told <= Pulse.AT_ONCE_MAX + 3; told++) {
      pulse.tellAtOnce("a");
    }
    pulse.tell("a");
    assertThat(passedOn).hasSize(Pulse.AT_ONCE_MAX);

    time.advance(Pulse.QUIET);

    assertThat(passedOn).hasSize(Pulse.AT_ONCE_MAX + 1);
  }

  @Test
  void passesOnWhatIsToldOfWithoutEnd() {
    for (int round = 1; round < Pulse.ROUNDS_MAX; round++) {
      pulse.tell("a");
      pulse.tell("a");
      time.advance(Pulse.QUIET);
      assertThat(passedOn).isEmpty();
    }
    pulse.tell("a");

    time.advance(Pulse.QUIET);

    assertThat(passedOn).containsExactly("a");
  }
}
