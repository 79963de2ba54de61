package dev.mooring.syncagent.sync.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.syncagent.published.PublishedResource.Synchronization;
import dev.mooring.syncagent.sync.decide.OrphanStatePlanner.Caches;
import dev.mooring.syncagent.sync.decide.OrphanStatePlanner.CopyPresence;
import dev.mooring.syncagent.sync.decide.OrphanStatePlanner.Kept;
import dev.mooring.syncagent.sync.decide.OrphanStatePlanner.Plan;
import dev.mooring.syncagent.sync.decide.OrphanStatePlanner.Snapshot;
import dev.mooring.syncagent.sync.decide.OrphanStatePlanner.SourcePresence;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds of every state that a source which is not seen can be in. */
class OrphanStatePlannerLaws {
  private static final Set<Plan> CLEARS = Set.of(Plan.CLEAR_OWN_STATES, Plan.CLEAR_EVERYTHING);

  static Stream<Snapshot> everything() {
    List<Snapshot> all = new ArrayList<>();
    for (Synchronization synchronization : Synchronization.values()) {
      for (Kept kept : Kept.values()) {
        for (Caches caches : Caches.values()) {
          for (CopyPresence copy : CopyPresence.values()) {
            for (SourcePresence source : SourcePresence.values()) {
              all.add(new Snapshot(synchronization, kept, caches, copy, source));
            }
          }
        }
      }
    }
    return all.stream();
  }

  @ParameterizedTest
  @MethodSource("everything")
  void nothingGoesWhileAnythingIsThereUnreadOrUnasked(Snapshot seen) {
    boolean certain =
        seen.caches() == Caches.FILLED
            && seen.copy() == CopyPresence.NONE
            && (seen.source() == SourcePresence.GONE || seen.source() == SourcePresence.NOT_BOUND);
    if (CLEARS.contains(OrphanStatePlanner.plan(seen))) {
      assertThat(certain).isTrue();
      assertThat(seen.synchronization()).isNotEqualTo(Synchronization.PAUSED);
    }
  }

  @ParameterizedTest
  @MethodSource("everything")
  void onlyAWorkspacesOwnWordTakesMoreThanOwnStates(Snapshot seen) {
    Plan plan = OrphanStatePlanner.plan(seen);
    if (CLEARS.contains(plan)) {
      assertThat(plan == Plan.CLEAR_EVERYTHING).isEqualTo(seen.source() == SourcePresence.GONE);
    }
  }

  @ParameterizedTest
  @MethodSource("everything")
  void nothingStaysForEverThatIsNobodys(Snapshot seen) {
    boolean nobodys =
        seen.synchronization() != Synchronization.PAUSED
            && seen.kept() == Kept.SOMETHING
            && seen.caches() == Caches.FILLED
            && seen.copy() == CopyPresence.NONE
            && (seen.source() == SourcePresence.GONE || seen.source() == SourcePresence.NOT_BOUND);

    assertThat(CLEARS.contains(OrphanStatePlanner.plan(seen))).isEqualTo(nobodys);
  }

  @ParameterizedTest
  @MethodSource("everything")
  void onlyFillingCachesAreWaitedFor(Snapshot seen) {
    if (OrphanStatePlanner.plan(seen) == Plan.AWAIT) {
      assertThat(seen.caches()).isEqualTo(Caches.FILLING);
      assertThat(seen.kept()).isEqualTo(Kept.SOMETHING);
    }
  }

  @Test
  void waitsForCachesBeforeItAsksAnybody() {
    assertThat(
            OrphanStatePlanner.plan(
                new Snapshot(
                    Synchronization.ON,
                    Kept.SOMETHING,
                    Caches.FILLING,
                    CopyPresence.NOT_ASKED,
                    SourcePresence.NOT_ASKED)))
        .isEqualTo(Plan.AWAIT);
  }

  @Test
  void keepsEverythingWhileSyncingIsPaused() {
    assertThat(
            OrphanStatePlanner.plan(
                new Snapshot(
                    Synchronization.PAUSED,
                    Kept.SOMETHING,
                    Caches.FILLED,
                    CopyPresence.NONE,
                    SourcePresence.GONE)))
        .isEqualTo(Plan.KEEP);
  }
}
