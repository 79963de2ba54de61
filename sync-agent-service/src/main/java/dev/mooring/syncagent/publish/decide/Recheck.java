package dev.mooring.syncagent.publish.decide;

import dev.mooring.syncagent.sync.decide.SyncState;

/** Why a PublishedResource is requeued by the clock: no watch reports the change. */
public enum Recheck {
  /** Watches report every change. */
  NONE,
  /** The status is to say soon that objects are kept in step. */
  CACHES_FILL,
  /** What the service cluster serves could not be read. */
  TYPE_UNREADABLE,
  /** The service cluster may serve the type in another form, and no watch of it would end. */
  TYPE_UNWATCHED,
  /** The service cluster does not serve the type. */
  TYPE_MISSING,
  /** The schema that others are to create may lack the label by which it is watched. */
  SCHEMA_MISSING;

  /** Where the form of a type is known from. */
  public enum TypeSource {
    /** A CRD, which is watched. */
    DEFINITION,
    /** OpenAPI, which is read. */
    DESCRIPTION,
    /** OpenAPI as it was before it could not be read. */
    OLD_DESCRIPTION
  }

  public static Recheck of(PublicationSnapshot seen, TypeSource source) {
    boolean cachesFill =
        switch (seen.syncing()) {
          case SyncState.Listing _ -> true;
          case SyncState.Waiting(var reason, var _) -> reason.equals(SyncState.CACHES_FILLING);
          case SyncState.Off(), SyncState.Running(var _, var _) -> false;
        };
    if (cachesFill) {
      return CACHES_FILL;
    }
    if (seen.export() instanceof ExportLookup.External
        && seen.listed() instanceof ListedSchema.Gone) {
      return SCHEMA_MISSING;
    }
    return switch (seen.publication()) {
      case Publication.Unreadable _ -> TYPE_UNREADABLE;
      case Publication.Rejected(var reason, var _) ->
          reason.equals(Publication.NOT_FOUND) ? TYPE_MISSING : NONE;
      case Publication.Ready _ ->
          switch (source) {
            case DEFINITION -> NONE;
            case DESCRIPTION -> seen.syncing() instanceof SyncState.Off ? TYPE_UNWATCHED : NONE;
            case OLD_DESCRIPTION -> TYPE_UNREADABLE;
          };
    };
  }
}
