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
    debouncer.submit("a");
    debouncer.submit("a");
    debouncer.submit("b");
    assertThat(passedOn).isEmpty();

    time.advance(Debouncer.QUIET);

    assertThat(passedOn).containsExactly("b");
    time.advance(Debouncer.QUIET);
    assertThat(passedOn).containsExactly("b", "a");
  }

  @Test
  void passesItOnAgainAfterwards() {
    debouncer.submit("a");
    time.advance(Debouncer.QUIET);
    debouncer.submit("a");
    time.advance(Debouncer.QUIET);

    assertThat(passedOn).containsExactly("a", "a");
  }

  @Test
  void waitsUntilNothingMoreIsTold() {
    debouncer.submit("a");
    time.advance(Debouncer.QUIET.dividedBy(2));
    debouncer.submit("a");
    time.advance(Debouncer.QUIET.dividedBy(2));
    assertThat(passedOn).isEmpty();

    time.advance(Debouncer.QUIET);

    assertThat(passedOn).containsExactly("a");
  }

  @Test
  void passesOnAtOnceWhatIsUrgentAndOnceMoreForWhatElseWasTold() {
    debouncer.submit("a");

    debouncer.submitAtOnce("a");

    assertThat(passedOn).containsExactly("a");
    time.advance(Debouncer.QUIET);
    time.advance(Debouncer.QUIET);
    assertThat(passedOn).containsExactly("a", "a");
  }

  @Test
  void passesOnWithinARoundWhatIsUrgentTooOften() {
    for (int told = 1; told <= Debouncer.AT_ONCE_MAX + 3; told++) {
      debouncer.submitAtOnce("a");
    }
    debouncer.submit("a");
    assertThat(passedOn).hasSize(Debouncer.AT_ONCE_MAX);

    time.advance(Debouncer.QUIET);

    assertThat(passedOn).hasSize(Debouncer.AT_ONCE_MAX + 1);
  }

  @Test
  void passesOnWhatIsToldOfWithoutEnd() {
    for (int round = 1; round < Debouncer.ROUNDS_MAX; round++) {
      debouncer.submit("a");
      debouncer.submit("a");
      time.advance(Debouncer.QUIET);
      assertThat(passedOn).isEmpty();
    }
    debouncer.submit("a");

    time.advance(Debouncer.QUIET);

    assertThat(passedOn).containsExactly("a");
  }
}
