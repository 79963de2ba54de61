package dev.mooring.depwebhook.race.decide;

import java.time.Duration;

/**
 * A refusal as the client receives it. A reason that ends within moments is a 429 with {@code
 * retryAfterSeconds}: client-go retries it up to ten times. A 409 would count as a stale object and
 * cause another read. Client libraries do not retry a reason that needs an action.
 *
 * @param code HTTP status
 * @param reason of the Status
 * @param message for the operator: may name objects that the client may not list
 * @param clientMessage for the client
 * @param retryAfter zero if a retry cannot help
 * @param label for metrics
 */
public record RaceRefusal(
    int code,
    String reason,
    String message,
    String clientMessage,
    Duration retryAfter,
    String label) {
  private static final Duration SOON = Duration.ofSeconds(1);

  /** A refusal without details for the operator only. */
  public RaceRefusal(int code, String reason, String message, Duration retryAfter, String label) {
    this(code, reason, message, message, retryAfter, label);
  }

  /** Whether the operator's message says more than the client's. */
  public boolean isDetailed() {
    return !message.equals(clientMessage);
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
                  + ": the dependency webhook could not find out whether that is safe; ask again,"
                  + " or the platform's operator if it stays so",
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
