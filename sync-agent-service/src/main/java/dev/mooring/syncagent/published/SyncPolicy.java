package dev.mooring.syncagent.published;

import dev.mooring.model.object.Trees;
import org.jspecify.annotations.Nullable;

/** What an owner chose for copies whose objects, or whose own content, take an unusual way. */
public record SyncPolicy(Drift drift, OnLeave onLeave, EmptyNamespaces emptyNamespaces) {
  /** Where a PublishedResource says nothing. */
  public static final SyncPolicy DEFAULT =
      new SyncPolicy(Drift.KEEP_LOCAL, OnLeave.KEEP, EmptyNamespaces.KEEP);

  /** What becomes of synced fields that were changed in the copy alone. */
  public enum Drift {
    /** They stay until the consumer changes them, too. */
    KEEP_LOCAL,
    /** They are set back; fields that the source does not have stay. */
    REVERT,
    /** They stay, and an event on the copy names them. */
    REPORT
  }

  /** What becomes of the copy of an object that left the filter. */
  public enum OnLeave {
    /** It stays as it is and is no longer updated. */
    KEEP,
    DELETE
  }

  /** What becomes of a Namespace that the agent made, once nothing of the agent is left in it. */
  public enum EmptyNamespaces {
    KEEP,
    DELETE
  }

  /** Throws {@link InvalidPublishedResource} for words that are none of the known ones. */
  static SyncPolicy read(@Nullable Object spec) {
    return new SyncPolicy(
        FieldValues.find(Drift.class, spec, "synchronization", "drift").orElse(Drift.KEEP_LOCAL),
        FieldValues.find(OnLeave.class, spec, "filter", "onLeave").orElse(OnLeave.KEEP),
        Boolean.TRUE.equals(Trees.at(spec, "naming", "cleanupNamespaces"))
            ? EmptyNamespaces.DELETE
            : EmptyNamespaces.KEEP);
  }
}
