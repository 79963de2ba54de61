package dev.mooring.syncagent.agent;

import dev.mooring.syncagent.publish.SyncControl;
import dev.mooring.syncagent.published.ProjectedSchema;
import dev.mooring.syncagent.published.PublishedResource;
import dev.mooring.syncagent.sync.decide.SyncState;

/** Starts no sync: another process is to keep objects in step. */
final class SyncDisabled implements SyncControl {
  @Override
  public void ensure(PublishedResource published, ProjectedSchema schema) {
    // Left to the other process.
  }

  @Override
  public void stop(String publishedName) {
    // Nothing runs.
  }

  @Override
  public SyncState state(String publishedName) {
    return new SyncState.Waiting(
        "DisabledInAgent",
        "This agent was started with disabled-controllers=sync: another one has to keep objects in"
            + " step.");
  }
}
