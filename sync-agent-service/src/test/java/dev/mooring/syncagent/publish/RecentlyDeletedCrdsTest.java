package dev.mooring.syncagent.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.time.ManualTime;
import dev.mooring.syncagent.clusters.CopiedKind;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RecentlyDeletedCrdsTest {
  private static final CopiedKind THING = new CopiedKind("example.io", "Thing");

  private final ManualTime time = new ManualTime();
  private final RecentlyDeletedCrds gone = new RecentlyDeletedCrds(time);

  @Test
  void knowsNothingOfTypesThatNeverHadACrd() {
    assertThat(gone.mayBeDescribed(THING)).isFalse();
  }

  @Test
  void distrustsWhatIsSaidOfATypeForAWhile() {
    gone.going(THING);

    time.advance(RecentlyDeletedCrds.DESCRIBED_FOR.minus(Duration.ofNanos(1)));
    assertThat(gone.mayBeDescribed(THING)).isTrue();
    assertThat(gone.mayBeDescribed(new CopiedKind("example.io", "Other"))).isFalse();

    time.advance(Duration.ofNanos(1));
    assertThat(gone.mayBeDescribed(THING)).isFalse();
  }

  @Test
  void countsFromWhenTheCrdWasSeenLast() {
    gone.going(THING);
    time.advance(RecentlyDeletedCrds.DESCRIBED_FOR.dividedBy(2));
    gone.going(THING);
    time.advance(RecentlyDeletedCrds.DESCRIBED_FOR.dividedBy(2));

    assertThat(gone.mayBeDescribed(THING)).isTrue();
  }
}
