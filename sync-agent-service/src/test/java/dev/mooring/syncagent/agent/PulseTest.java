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

    time.advance(Pulse.SPACING);

    assertThat(passedOn).containsExactly("a", "b");
  }

  @Test
  void passesItOnAgainAfterwards() {
    pulse.tell("a");
    time.advance(Pulse.SPACING);
    pulse.tell("a");
    time.advance(Pulse.SPACING);

    assertThat(passedOn).containsExactly("a", "a");
  }
}
