package dev.mooring.syncagent.related.decide;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How a pass over a primary's related objects ended. */
public sealed interface Progress extends RelatedPlan {
  /** All are in sync. */
  record Settled() implements Progress {}

  /** One write was made; its watch event requeues the primary. */
  record Wrote() implements Progress {}

  /** The caches are behind: requeue soon. */
  record Stale() implements Progress {}

  /** The caches that decisions need are not synced; why is empty if none reports a failure. */
  record NotSynced(@Nullable String why) implements Progress {}

  /** Another change is due first; its watch event requeues the primary. */
  record Waiting() implements Progress {}

  /** All are in sync, as far as that is possible. */
  record Warned(String reason, String message) implements Progress {}

  /**
   * At least one cannot be synced until a user acts; the others are in sync.
   *
   * @param retryAfter zero if nothing is to be tried before something changes
   */
  record Refused(String reason, String message, Duration retryAfter) implements Progress {
    public Refused(String reason, String message) {
      this(reason, message, Duration.ZERO);
    }
  }

  /** What keeps a pass from objects that the consumer does not show; empty if nothing does. */
  static Optional<Progress> hidden(ClaimVisibility visibility) {
    return switch (visibility) {
      case ClaimVisibility.Full _, ClaimVisibility.Partial _ -> Optional.empty();
      case ClaimVisibility.Pending _ -> Optional.of(new Waiting());
      case ClaimVisibility.None(var why) -> Optional.of(new Refused("ClaimRejected", why));
    };
  }

  /** The one that matters more. */
  default Progress orWorse(Progress other) {
    return rank(other) > rank(this) ? other : this;
  }

  private static int rank(Progress progress) {
    return switch (progress) {
      case Settled _ -> 0;
      case Waiting _ -> 1;
      case Warned _ -> 2;
      case NotSynced _ -> 3;
      // A delay has to be kept.
      case Refused(var _, var _, var retryAfter) -> retryAfter.isZero() ? 4 : 5;
      case Stale _, Wrote _ -> 6;
    };
  }
}
