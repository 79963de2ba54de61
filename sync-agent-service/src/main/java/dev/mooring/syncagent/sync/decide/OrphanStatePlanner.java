package dev.mooring.syncagent.sync.decide;

import dev.mooring.syncagent.published.PublishedResource.Synchronization;
import dev.mooring.syncagent.sync.decide.OrphanStatePlan.Await;
import dev.mooring.syncagent.sync.decide.OrphanStatePlan.ClearAway;
import dev.mooring.syncagent.sync.decide.OrphanStatePlan.Extent;
import dev.mooring.syncagent.sync.decide.OrphanStatePlan.Keep;
import dev.mooring.syncagent.sync.decide.OrphanStateSnapshot.Caches;
import dev.mooring.syncagent.sync.decide.OrphanStateSnapshot.CopyPresence;
import dev.mooring.syncagent.sync.decide.OrphanStateSnapshot.Kept;

/**
 * Decides what happens to states and records of a source that the caches do not show: its finalizer
 * was removed by force, its workspace was deleted, or the agent was down meanwhile.
 *
 * <p>Laws: nothing goes while a copy is there, while anything is unread, or on an absence that no
 * server has confirmed; only a workspace's own word takes more than this agent's own states.
 */
public final class OrphanStatePlanner {
  private OrphanStatePlanner() {}

  public static OrphanStatePlan plan(OrphanStateSnapshot seen) {
    if (seen.synchronization() == Synchronization.PAUSED || seen.kept() == Kept.NOTHING) {
      return new Keep();
    }
    if (seen.caches() == Caches.FILLING) {
      return new Await();
    }
    if (seen.copy() != CopyPresence.NONE) {
      return new Keep();
    }
    return switch (seen.source()) {
      case GONE -> new ClearAway(Extent.EVERYTHING);
      case NOT_BOUND -> new ClearAway(Extent.OWN_STATES);
      case THERE, UNKNOWN, NOT_ASKED -> new Keep();
    };
  }
}
