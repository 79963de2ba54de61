package dev.mooring.syncagent.sync.decide;

import dev.mooring.syncagent.published.PublishedResource.Synchronization;

/**
 * What {@link OrphanStatePlanner} decides on: states in Secrets and related objects of a source
 * that the caches do not show. Gathered in this order, and no further than it takes: the last two
 * are asked of servers.
 */
public record OrphanStateSnapshot(
    Synchronization synchronization,
    Kept kept,
    Caches caches,
    CopyPresence copy,
    SourcePresence source) {
  /** Whether there is anything to decide on. */
  public enum Kept {
    NOTHING,
    SOMETHING
  }

  /** Whether every endpoint's objects, and those of the service cluster, have been listed. */
  public enum Caches {
    FILLED,
    FILLING
  }

  /** Whether a copy of the source is there, in the cache or on the server. */
  public enum CopyPresence {
    NOT_ASKED,
    THERE,
    NONE
  }

  /** What kcp says of the source. */
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
}
