package dev.mooring.syncagent.sync.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.syncagent.published.PublishedResource.Synchronization;
import dev.mooring.syncagent.sync.decide.RemnantPlan.Await;
import dev.mooring.syncagent.sync.decide.RemnantPlan.ClearAway;
import dev.mooring.syncagent.sync.decide.RemnantPlan.Extent;
import dev.mooring.syncagent.sync.decide.RemnantPlan.Keep;
import dev.mooring.syncagent.sync.decide.RemnantSnapshot.Caches;
import dev.mooring.syncagent.sync.decide.RemnantSnapshot.CopyTrace;
import dev.mooring.syncagent.sync.decide.RemnantSnapshot.Kept;
import dev.mooring.syncagent.sync.decide.RemnantSnapshot.Whereabouts;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds of every state that a source which is not seen can be in. */
class RemnantPlannerLaws {
  static Stream<RemnantSnapshot> everything() {
    List<RemnantSnapshot> all = new ArrayList<>();
    for (Synchronization synchronization : Synchronization.values()) {
      for (Kept kept : Kept.values()) {
        for (Caches caches : Caches.values()) {
          for (CopyTrace copy : CopyTrace.values()) {
            for (Whereabouts source : Whereabouts.values()) {
              all.add(new RemnantSnapshot(synchronization, kept, caches, copy, source));
            }
          }
        }
      }
    }
    return all.stream();
  }

  @ParameterizedTest
  @MethodSource("everything")
  void nothingGoesWhileAnythingIsThereUnreadOrUnasked(RemnantSnapshot seen) {
    boolean certain =
        seen.caches() == Caches.FILLED
            && seen.copy() == CopyTrace.NONE
            && (seen.source() == Whereabouts.GONE || seen.source() == Whereabouts.NOWHERE);
    if (RemnantPlanner.plan(seen) instanceof ClearAway) {
      assertThat(certain).isTrue();
      assertThat(seen.synchronization()).isNotEqualTo(Synchronization.PAUSED);
    }
  }

  @ParameterizedTest
  @MethodSource("everything")
  void onlyAWorkspacesOwnWordTakesMoreThanOwnStates(RemnantSnapshot seen) {
    if (RemnantPlanner.plan(seen) instanceof ClearAway(var extent)) {
      assertThat(extent == Extent.EVERYTHING).isEqualTo(seen.source() == Whereabouts.GONE);
    }
  }

  @ParameterizedTest
  @MethodSource("everything")
  void nothingStaysForEverThatIsNobodys(RemnantSnapshot seen) {
    boolean nobodys =
        seen.synchronization() != Synchronization.PAUSED
            && seen.kept() == Kept.SOMETHING
            && seen.caches() == Caches.FILLED
            && seen.copy() == CopyTrace.NONE
            && (seen.source() == Whereabouts.GONE || seen.source() == Whereabouts.NOWHERE);

    assertThat(RemnantPlanner.plan(seen) instanceof ClearAway).isEqualTo(nobodys);
  }

  @ParameterizedTest
  @MethodSource("everything")
  void onlyFillingCachesAreWaitedFor(RemnantSnapshot seen) {
    if (RemnantPlanner.plan(seen) instanceof Await) {
      assertThat(seen.caches()).isEqualTo(Caches.FILLING);
      assertThat(seen.kept()).isEqualTo(Kept.SOMETHING);
    }
  }

  @Test
  void waitsForCachesBeforeItAsksAnybody() {
    assertThat(
            RemnantPlanner.plan(
                new RemnantSnapshot(
                    Synchronization.ON,
                    Kept.SOMETHING,
                    Caches.FILLING,
                    CopyTrace.NOT_ASKED,
                    Whereabouts.NOT_ASKED)))
        .isEqualTo(new Await());
  }

  @Test
  void keepsEverythingWhileSyncingIsPaused() {
    assertThat(
            RemnantPlanner.plan(
                new RemnantSnapshot(
                    Synchronization.PAUSED,
                    Kept.SOMETHING,
                    Caches.FILLED,
                    CopyTrace.NONE,
                    Whereabouts.GONE)))
        .isEqualTo(new Keep());
  }
}
