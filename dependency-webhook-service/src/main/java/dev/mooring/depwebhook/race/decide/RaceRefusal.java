package dev.mooring.depwebhook.race.decide;

import java.time.Duration;
import java.util.Objects;

/**
 * A refusal as the client gets to see it. What ends within moments is a 429 with {@code
 * retryAfterSeconds}: kubectl and every client built on client-go then ask again by themselves, up
 * to ten times, and controllers come back anyway. A 409 would be taken for a stale object and read
 * again for nothing. What needs somebody to do something is not retried by the client library.
 *
 * @param code HTTP status
 * @param reason of the Status
 * @param message for the operator: may name what the client may not know
 * @param told to the client
 * @param retryAfter zero if asking again at once cannot help
 * @param label for metrics
 */
public record RaceRefusal(
    int code, String reason, String message, String told, Duration retryAfter, String label) {
  private static final Duration SOON = Duration.ofSeconds(1);

  public RaceRefusal {
    Objects.requireNonNull(reason, "reason");
    Objects.requireNonNull(message, "message");
    Objects.requireNonNull(told, "told");
    Objects.requireNonNull(retryAfter, "retryAfter");
    Objects.requireNonNull(label, "label");
  }

  /** One that the client may know all of. */
  public RaceRefusal(int code, String reason, String message, Duration retryAfter, String label) {
    this(code, reason, message, message, retryAfter, label);
  }

  /** Whether the operator can learn more than the client is told. */
  public boolean isDetailed() {
    return !message.equals(told);
  }

  /**
   * @param attempt such as {@code cannot delete vpcs/net1}
   * @param target such as {@code vpcs/net1}
   */
  public static RaceRefusal of(Refusal refusal, String attempt, String target) {
    return switch (refusal) {
      case Refusal.ReferenceUnderWay(var dependent, var atMost) ->
          new RaceRefusal(
              429,
              "TooManyRequests",
              underWay(attempt, "a reference from " + dependent, atMost),
              underWay(attempt, "a reference to it", atMost),
              SOON,
              "reference_in_flight");
      case Refusal.DeletionUnderWay(var atMost) ->
          soon(underWay(attempt, "the deletion of " + target, atMost), "deletion_in_flight");
      case Refusal.TargetTerminating() ->
          new RaceRefusal(
              409,
              "Conflict",
              attempt + ": " + target + " is being deleted and waits for its finalizers",
              Duration.ZERO,
              "target_terminating");
      case Refusal.TargetMissing() ->
          new RaceRefusal(
              403,
              "Forbidden",
              attempt + ": there is no " + target + "; create it first",
              Duration.ZERO,
              "target_missing");
      case Refusal.Full() ->
          soon(
              attempt
                  + ": more requests concern "
                  + target
                  + " than can be followed at once, retry in a few minutes",
              "full");
      case Refusal.Unknown(var problem) ->
          new RaceRefusal(
              503,
              "ServiceUnavailable",
              attempt + ": " + problem,
              attempt
                  + ": the dependency webhook could not find out whether that is safe; ask again",
              SOON,
              "unknown");
    };
  }

  private static String underWay(String attempt, String what, Duration atMost) {
    return "%s: %s is in flight, retry; in at most %d s it is decided"
        .formatted(attempt, what, atMost.toSeconds());
  }

  private static RaceRefusal soon(String message, String label) {
    return new RaceRefusal(429, "TooManyRequests", message, SOON, label);
  }
}
