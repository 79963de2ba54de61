package dev.mooring.syncagent.sync.decide;

import dev.mooring.syncagent.published.PublishedResource.Synchronization;

/**
 * Decides what happens to states and records of a source that the caches do not show: its finalizer
 * was removed by force, its workspace was deleted, or the agent was down meanwhile.
 *
 * <p>Laws: nothing goes while a copy is there, while anything is unread, or on an absence that no
 * server has confirmed; only a workspace's own word takes more than this agent's own states.
 */
public final class OrphanStatePlanner {
  private OrphanStatePlanner() {}

  /** What happens to them. */
  public enum Plan {
    /** They stay, or there are none; a change of source or copy brings the next decision. */
    KEEP,
    /** Caches are not filled: absence says nothing yet. */
    AWAIT,
    /** States that carry this agent's name go: without a copy nothing can be made of them. */
    CLEAR_OWN_STATES,
    /** Also what does not say whose it is, and related objects with their records. */
    CLEAR_EVERYTHING
  }

  /**
   * Gathered in this order, and no further than it takes: the last two are asked of servers.
   *
   * @param kept whether there is anything to decide on
   * @param caches whether every endpoint's objects, and the service cluster's, have been listed
   * @param copy whether a copy of the source is there, in the cache or on the server
   * @param source what kcp says of it
   */
  public record Snapshot(
      Synchronization synchronization,
      Kept kept,
      Caches caches,
      CopyPresence copy,
      SourcePresence source) {}

  /** States in Secrets and related objects. */
  public enum Kept {
    NOTHING,
    SOMETHING
  }

  public enum Caches {
    FILLED,
    FILLING
  }

  public enum CopyPresence {
    NOT_ASKED,
    THERE,
    NONE
  }

  public enum SourcePresence {
    NOT_ASKED,
    THERE,
    /** Its workspace says that there is no such object. */
    GONE,
    /**
     * No endpoint knows its workspace, and none lists it: the workspace is gone, no longer binds
     * the export, or is on a shard that has left the endpoint slice.
     */
    NOT_BOUND,
    /** There is no endpoint to ask. */
    UNKNOWN
  }

  public static Plan plan(Snapshot seen) {
    if (seen.synchronization() == Synchronization.PAUSED || seen.kept() == Kept.NOTHING) {
      return Plan.KEEP;
    }
    if (seen.caches() == Caches.FILLING) {
      return Plan.AWAIT;
    }
    if (seen.copy() != CopyPresence.NONE) {
      return Plan.KEEP;
    }
    return switch (seen.source()) {
      case GONE -> Plan.CLEAR_EVERYTHING;
      case NOT_BOUND -> Plan.CLEAR_OWN_STATES;
      case THERE, UNKNOWN, NOT_ASKED -> Plan.KEEP;
    };
  }
}
