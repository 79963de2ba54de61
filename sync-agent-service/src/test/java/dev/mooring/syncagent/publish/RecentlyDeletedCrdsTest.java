package dev.mooring.syncagent.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.time.ManualTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RecentlyDeletedCrdsTest {
  private final ManualTime time = new ManualTime();
  private final RecentlyDeletedCrds gone = new RecentlyDeletedCrds(time);

  @Test
  void knowsNothingOfTypesThatNeverHadACrd() {
    assertThat(gone.mayBeDescribed("Thing.example.io")).isFalse();
  }

  @Test
  void distrustsWhatIsSaidOfATypeForAWhile() {
    gone.going("Thing.example.io");

    time.advance(RecentlyDeletedCrds.DESCRIBED_FOR.minus(Duration.ofNanos(1)));
    assertThat(gone.mayBeDescribed("Thing.example.io")).isTrue();
    assertThat(gone.mayBeDescribed("Other.example.io")).isFalse();

    time.advance(Duration.ofNanos(1));
    assertThat(gone.mayBeDescribed("Thing.example.io")).isFalse();
  }

  @Test
  void countsFromWhenTheCrdWasSeenLast() {
    gone.going("Thing.example.io");
    time.advance(RecentlyDeletedCrds.DESCRIBED_FOR.dividedBy(2));
    gone.going("Thing.example.io");
    time.advance(RecentlyDeletedCrds.DESCRIBED_FOR.dividedBy(2));

    assertThat(gone.mayBeDescribed("Thing.example.io")).isTrue();
  }
}
