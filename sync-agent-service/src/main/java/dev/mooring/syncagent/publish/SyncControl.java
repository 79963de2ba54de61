package dev.mooring.syncagent.publish;

import dev.mooring.syncagent.published.ProjectedSchema;
import dev.mooring.syncagent.published.PublishedResource;
import dev.mooring.syncagent.sync.decide.SyncState;

/** Starts and stops the syncing of published types. Thread-safe. */
public interface SyncControl {
  /** Sync objects like this from now on; nothing happens if that is so already. */
  void ensure(PublishedResource published, ProjectedSchema schema);

  /** Stop, if running; copies stay as they are. */
  void stop(String publishedName);

  SyncState state(String publishedName);
}
