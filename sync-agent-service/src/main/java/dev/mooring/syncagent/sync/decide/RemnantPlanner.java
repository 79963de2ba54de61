package dev.mooring.syncagent.sync.decide;

import dev.mooring.syncagent.published.PublishedResource.Synchronization;
import dev.mooring.syncagent.sync.decide.RemnantPlan.Await;
import dev.mooring.syncagent.sync.decide.RemnantPlan.ClearAway;
import dev.mooring.syncagent.sync.decide.RemnantPlan.Extent;
import dev.mooring.syncagent.sync.decide.RemnantPlan.Keep;
import dev.mooring.syncagent.sync.decide.RemnantSnapshot.Caches;
import dev.mooring.syncagent.sync.decide.RemnantSnapshot.CopyTrace;
import dev.mooring.syncagent.sync.decide.RemnantSnapshot.Kept;

/**
 * Decides what becomes of what is kept beside a source that the caches do not show: its finalizer
 * was taken off by force, its workspace went, or the agent was away meanwhile.
 *
 * <p>Laws: nothing goes while a copy is there, while anything is unread, or on an absence that no
 * server has confirmed; only a workspace's own word takes more than this agent's own states.
 */
public final class RemnantPlanner {
  private RemnantPlanner() {}

  public static RemnantPlan plan(RemnantSnapshot seen) {
    if (seen.synchronization() == Synchronization.PAUSED || seen.kept() == Kept.NOTHING) {
      return new Keep();
    }
    if (seen.caches() == Caches.FILLING) {
      return new Await();
    }
    if (seen.copy() != CopyTrace.NONE) {
      return new Keep();
    }
    return switch (seen.source()) {
      case GONE -> new ClearAway(Extent.EVERYTHING);
      case NOWHERE -> new ClearAway(Extent.OWN_STATES);
      case THERE, UNKNOWN, NOT_ASKED -> new Keep();
    };
  }
}
