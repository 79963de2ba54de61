package dev.mooring.syncagent.related.sync;

/** How a pass over a primary's related objects ended. */
public sealed interface Progress {
  /** All are as they should be. */
  record Settled() implements Progress {}

  /** One write was made; its event brings the next pass. */
  record Wrote() implements Progress {}

  /** The caches are behind: look again soon. */
  record Stale() implements Progress {}

  /** The caches that decisions need are not filled; empty if nothing keeps them from it. */
  record NotSynced(String why) implements Progress {}

  /** Something else has to happen first; a watch will tell. */
  record Waiting() implements Progress {}

  /** All are as they should be, as far as that is possible. */
  record Warned(String reason, String message) implements Progress {}

  /** At least one cannot be synced as it stands; the others are as they should be. */
  record Refused(String reason, String message) implements Progress {}

  /** What is worth more telling. */
  default Progress orWorse(Progress other) {
    return rank(other) > rank(this) ? other : this;
  }

  private static int rank(Progress progress) {
    return switch (progress) {
      case Settled _ -> 0;
      case Waiting _ -> 1;
      case Warned _ -> 2;
      case NotSynced _ -> 3;
      case Refused _ -> 4;
      case Stale _, Wrote _ -> 5;
    };
  }
}
