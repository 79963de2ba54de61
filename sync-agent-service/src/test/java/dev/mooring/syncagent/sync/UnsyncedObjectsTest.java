package dev.mooring.syncagent.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.runtime.time.ManualTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class UnsyncedObjectsTest {
  private static final ObjectKey ONE = new ObjectKey(new LogicalCluster("c1"), "default", "one");
  private static final ObjectKey TWO = new ObjectKey(new LogicalCluster("c1"), "default", "two");

  private final ManualTime time = new ManualTime();
  private final UnsyncedObjects unsynced = new UnsyncedObjects(time);

  @Test
  void takesTheTimeFromTheFirstNoticeToTheWrite() {
    unsynced.noticed(ONE);
    time.advance(Duration.ofMillis(40));
    unsynced.noticed(ONE);
    time.advance(Duration.ofMillis(40));

    assertThat(unsynced.carried(ONE)).contains(Duration.ofMillis(80));
    assertThat(unsynced.carried(TWO)).isEmpty();
  }

  @Test
  void knowsSinceWhenTheOldestWaits() {
    unsynced.noticed(ONE);
    time.advance(Duration.ofSeconds(5));
    unsynced.noticed(TWO);
    time.advance(Duration.ofSeconds(1));
    assertThat(unsynced.oldest()).isEqualTo(Duration.ofSeconds(6));

    unsynced.settled(ONE);
    assertThat(unsynced.oldest()).isEqualTo(Duration.ofSeconds(1));

    unsynced.settled(TWO);
    assertThat(unsynced.oldest()).isZero();
  }

  @Test
  void forgetsNothingThatIsNoticedWhileAPassIsUnderWay() {
    unsynced.noticed(ONE);
    unsynced.begun(ONE);
    time.advance(Duration.ofSeconds(1));
    unsynced.noticed(ONE);
    time.advance(Duration.ofSeconds(2));
    unsynced.settled(ONE);

    assertThat(unsynced.oldest()).isEqualTo(Duration.ofSeconds(2));
    unsynced.begun(ONE);
    assertThat(unsynced.carried(ONE)).contains(Duration.ofSeconds(2));
  }

  @Test
  void hasNotStartedAllWhileAPassWaitsForItsCaches() {
    unsynced.noticed(ONE);
    assertThat(unsynced.allStarted()).isFalse();

    unsynced.begun(ONE);
    unsynced.postponed(ONE);
    assertThat(unsynced.allStarted()).as("no worker has the key").isFalse();

    unsynced.begun(ONE);
    assertThat(unsynced.allStarted()).isTrue();
    unsynced.settled(ONE);
    assertThat(unsynced.allStarted()).isTrue();
  }
}
