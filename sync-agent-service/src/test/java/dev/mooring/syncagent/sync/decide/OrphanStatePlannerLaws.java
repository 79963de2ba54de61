package dev.mooring.syncagent.sync.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.syncagent.published.PublishedResource.Synchronization;
import dev.mooring.syncagent.sync.decide.OrphanStatePlan.Await;
import dev.mooring.syncagent.sync.decide.OrphanStatePlan.ClearAway;
import dev.mooring.syncagent.sync.decide.OrphanStatePlan.Extent;
import dev.mooring.syncagent.sync.decide.OrphanStatePlan.Keep;
import dev.mooring.syncagent.sync.decide.OrphanStateSnapshot.Caches;
import dev.mooring.syncagent.sync.decide.OrphanStateSnapshot.CopyPresence;
import dev.mooring.syncagent.sync.decide.OrphanStateSnapshot.Kept;
import dev.mooring.syncagent.sync.decide.OrphanStateSnapshot.SourcePresence;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds of every state that a source which is not seen can be in. */
class OrphanStatePlannerLaws {
  static Stream<OrphanStateSnapshot> everything() {
    List<OrphanStateSnapshot> all = new ArrayList<>();
    for (Synchronization synchronization : Synchronization.values()) {
      for (Kept kept : Kept.values()) {
        for (Caches caches : Caches.values()) {
          for (CopyPresence copy : CopyPresence.values()) {
            for (SourcePresence source : SourcePresence.values()) {
              all.add(new OrphanStateSnapshot(synchronization, kept, caches, copy, source));
            }
          }
        }
      }
    }
    return all.stream();
  }

  @ParameterizedTest
  @MethodSource("everything")
  void nothingGoesWhileAnythingIsThereUnreadOrUnasked(OrphanStateSnapshot seen) {
    boolean certain =
        seen.caches() == Caches.FILLED
            && seen.copy() == CopyPresence.NONE
            && (seen.source() == SourcePresence.GONE || seen.source() == SourcePresence.NOT_BOUND);
    if (OrphanStatePlanner.plan(seen) instanceof ClearAway) {
      assertThat(certain).isTrue();
      assertThat(seen.synchronization()).isNotEqualTo(Synchronization.PAUSED);
    }
  }

  @ParameterizedTest
  @MethodSource("everything")
  void onlyAWorkspacesOwnWordTakesMoreThanOwnStates(OrphanStateSnapshot seen) {
    if (OrphanStatePlanner.plan(seen) instanceof ClearAway(var extent)) {
      assertThat(extent == Extent.EVERYTHING).isEqualTo(seen.source() == SourcePresence.GONE);
    }
  }

  @ParameterizedTest
  @MethodSource("everything")
  void nothingStaysForEverThatIsNobodys(OrphanStateSnapshot seen) {
    boolean nobodys =
        seen.synchronization() != Synchronization.PAUSED
            && seen.kept() == Kept.SOMETHING
            && seen.caches() == Caches.FILLED
            && seen.copy() == CopyPresence.NONE
            && (seen.source() == SourcePresence.GONE || seen.source() == SourcePresence.NOT_BOUND);

    assertThat(OrphanStatePlanner.plan(seen) instanceof ClearAway).isEqualTo(nobodys);
  }

  @ParameterizedTest
  @MethodSource("everything")
  void onlyFillingCachesAreWaitedFor(OrphanStateSnapshot seen) {
    if (OrphanStatePlanner.plan(seen) instanceof Await) {
      assertThat(seen.caches()).isEqualTo(Caches.FILLING);
      assertThat(seen.kept()).isEqualTo(Kept.SOMETHING);
    }
  }

  @Test
  void waitsForCachesBeforeItAsksAnybody() {
    assertThat(
            OrphanStatePlanner.plan(
                new OrphanStateSnapshot(
                    Synchronization.ON,
                    Kept.SOMETHING,
                    Caches.FILLING,
                    CopyPresence.NOT_ASKED,
                    SourcePresence.NOT_ASKED)))
        .isEqualTo(new Await());
  }

  @Test
  void keepsEverythingWhileSyncingIsPaused() {
    assertThat(
            OrphanStatePlanner.plan(
                new OrphanStateSnapshot(
                    Synchronization.PAUSED,
                    Kept.SOMETHING,
                    Caches.FILLED,
                    CopyPresence.NONE,
                    SourcePresence.GONE)))
        .isEqualTo(new Keep());
  }
}
