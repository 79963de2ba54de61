package dev.mooring.syncagent.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.time.ManualTime;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

class DebouncerTest {
  private final ManualTime time = new ManualTime();
  private final ArrayList<String> passedOn = new ArrayList<>();
  private final Debouncer debouncer = new Debouncer(time, passedOn::add);

  @Test
  void passesANameOnOnceHoweverOftenItIsTold() {
    debouncer.tell("a");
    debouncer.tell("a");
    debouncer.tell("b");
    assertThat(passedOn).isEmpty();

    time.advance(Debouncer.QUIET);

    assertThat(passedOn).containsExactly("b");
    time.advance(Debouncer.QUIET);
    assertThat(passedOn).containsExactly("b", "a");
  }

  @Test
  void passesItOnAgainAfterwards() {
    debouncer.tell("a");
    time.advance(Debouncer.QUIET);
    debouncer.tell("a");
    time.advance(Debouncer.QUIET);

    assertThat(passedOn).containsExactly("a", "a");
  }

  @Test
  void waitsUntilNothingMoreIsTold() {
    debouncer.tell("a");
    time.advance(Debouncer.QUIET.dividedBy(2));
    debouncer.tell("a");
    time.advance(Debouncer.QUIET.dividedBy(2));
    assertThat(passedOn).isEmpty();

    time.advance(Debouncer.QUIET);

    assertThat(passedOn).containsExactly("a");
  }

  @Test
  void passesOnAtOnceWhatIsUrgentAndOnceMoreForWhatElseWasTold() {
    debouncer.tell("a");

    debouncer.tellAtOnce("a");

    assertThat(passedOn).containsExactly("a");
    time.advance(Debouncer.QUIET);
    time.advance(Debouncer.QUIET);
    assertThat(passedOn).containsExactly("a", "a");
  }

  @Test
  void passesOnWithinARoundWhatIsUrgentTooOften() {
    for (int told = 1; told <= Debouncer.AT_ONCE_MAX + 3; told++) {
      debouncer.tellAtOnce("a");
    }
    debouncer.tell("a");
    assertThat(passedOn).hasSize(Debouncer.AT_ONCE_MAX);

    time.advance(Debouncer.QUIET);

    assertThat(passedOn).hasSize(Debouncer.AT_ONCE_MAX + 1);
  }

  @Test
  void passesOnWhatIsToldOfWithoutEnd() {
    for (int round = 1; round < Debouncer.ROUNDS_MAX; round++) {
      debouncer.tell("a");
      debouncer.tell("a");
      time.advance(Debouncer.QUIET);
      assertThat(passedOn).isEmpty();
    }
    debouncer.tell("a");

    time.advance(Debouncer.QUIET);

    assertThat(passedOn).containsExactly("a");
  }
}
