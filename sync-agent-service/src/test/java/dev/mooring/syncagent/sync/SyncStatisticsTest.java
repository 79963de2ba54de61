package dev.mooring.syncagent.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.runtime.time.ManualTime;
import dev.mooring.syncagent.sync.SyncStatistics.Direction;
import dev.mooring.syncagent.sync.SyncStatistics.Done;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SyncStatisticsTest {
  private static final ObjectKey ONE = new ObjectKey(new LogicalCluster("c1"), "default", "one");
  private static final ObjectKey TWO = new ObjectKey(new LogicalCluster("c1"), "default", "two");

  private final ManualTime time = new ManualTime();
  private final SyncStatistics statistics = new SyncStatistics(time);

  @Test
  void takesTheTimeFromTheFirstNoticeToTheWrite() {
    statistics.noticed(ONE);
    time.advance(Duration.ofMillis(40));
    statistics.noticed(ONE);
    time.advance(Duration.ofMillis(40));
    statistics.carried(ONE, Direction.DOWN);

    Done done = statistics.done(Direction.DOWN);
    assertThat(done.writes()).isEqualTo(1);
    assertThat(done.latencySum()).isEqualTo(Duration.ofMillis(80));
    assertThat(done.latencies())
        .hasSize(SyncStatistics.LATENCY_BOUNDS.size() + 1)
        .satisfies(counts ->
            assertThat(counts.get(SyncStatistics.LATENCY_BOUNDS.indexOf(Duration.ofMillis(100))))
                .isEqualTo(1));
    assertThat(statistics.done(Direction.UP).writes()).isZero();
  }

  @Test
  void countsWhatTookLongerThanEveryBound() {
    statistics.noticed(ONE);
    time.advance(Duration.ofHours(1));
    statistics.carried(ONE, Direction.UP);

    assertThat(statistics.done(Direction.UP).latencies().getLast()).isEqualTo(1);
  }

  @Test
  void takesNoTimeOfAWriteThatCarriesNothing() {
    statistics.noticed(ONE);
    time.advance(Duration.ofSeconds(3));
    statistics.wrote(Direction.UP);

    assertThat(statistics.done(Direction.UP).writes()).isEqualTo(1);
    assertThat(statistics.done(Direction.UP).latencies()).containsOnly(0L);
    assertThat(statistics.oldestUnsynced()).isEqualTo(Duration.ofSeconds(3));
  }

  @Test
  void knowsSinceWhenTheOldestWaits() {
    statistics.noticed(ONE);
    time.advance(Duration.ofSeconds(5));
    statistics.noticed(TWO);
    time.advance(Duration.ofSeconds(1));
    assertThat(statistics.oldestUnsynced()).isEqualTo(Duration.ofSeconds(6));

    statistics.settled(ONE);
    assertThat(statistics.oldestUnsynced()).isEqualTo(Duration.ofSeconds(1));

    statistics.settled(TWO);
    assertThat(statistics.oldestUnsynced()).isZero();
  }

  @Test
  void forgetsNothingThatIsNoticedWhileAPassIsUnderWay() {
    statistics.noticed(ONE);
    statistics.begun(ONE);
    time.advance(Duration.ofSeconds(1));
    statistics.noticed(ONE);
    time.advance(Duration.ofSeconds(2));
    statistics.settled(ONE);

    assertThat(statistics.oldestUnsynced()).isEqualTo(Duration.ofSeconds(2));
    statistics.begun(ONE);
    statistics.carried(ONE, Direction.UP);
    assertThat(statistics.done(Direction.UP).latencySum()).isEqualTo(Duration.ofSeconds(2));
  }

  @Test
  void hasNotLookedAtAllWhileAPassWaitsForItsCaches() {
    statistics.noticed(ONE);
    assertThat(statistics.allStarted()).isFalse();

    statistics.begun(ONE);
    statistics.postponed(ONE);
    assertThat(statistics.allStarted()).as("no worker has the key, its delay runs").isFalse();

    statistics.begun(ONE);
    assertThat(statistics.allStarted()).isTrue();
    statistics.settled(ONE);
    assertThat(statistics.allStarted()).isTrue();
  }

  @Test
  void countsConflictsAndErrorsByReasonAndDirection() {
    statistics.conflicted(Direction.UP);
    statistics.failed(Direction.DOWN, "invalid");
    statistics.failed(Direction.DOWN, "invalid");
    statistics.failed(Direction.DOWN, "unavailable");

    assertThat(statistics.done(Direction.UP).conflicts()).isEqualTo(1);
    assertThat(statistics.done(Direction.UP).errors()).isEmpty();
    assertThat(statistics.done(Direction.DOWN).errors())
        .isEqualTo(Map.of("invalid", 2L, "unavailable", 1L));
  }
}
