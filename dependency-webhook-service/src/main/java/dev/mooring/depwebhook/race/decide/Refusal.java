package dev.mooring.depwebhook.race.decide;

import dev.mooring.depwebhook.lookup.decide.ClientRefusal;
import java.time.Duration;

/** Why the register refuses a request now. Most reasons end by themselves. */
public sealed interface Refusal {
  /** A reference to the deleted target is pending. */
  record ReferenceUnderWay(DependentId dependent, Duration atMost) implements Refusal {}

  /** A deletion of the reference's target is pending. */
  record DeletionUnderWay(Duration atMost) implements Refusal {}

  /** The target is being deleted and waits for its finalizers. */
  record TargetTerminating() implements Refusal {}

  /** The target does not exist, and the rule requires it. */
  record TargetMissing() implements Refusal {}

  /** The register has no room for another record. */
  record Full() implements Refusal {}

  /**
   * A read or write failed.
   *
   * @param problem which one, and what to do
   */
  record Unknown(String problem) implements Refusal {}

  /** The request adds more references than one review can check. */
  record TooMany(int added, int most) implements Refusal {}

  /** For metrics. */
  default String label() {
    return switch (this) {
      case ReferenceUnderWay _ -> "reference_in_flight";
      case DeletionUnderWay _ -> "deletion_in_flight";
      case TargetTerminating _ -> "target_terminating";
      case TargetMissing _ -> "target_missing";
      case Full _ -> "full";
      case TooMany _ -> "too_many";
      case Unknown _ -> "unknown";
    };
  }

  /**
   * As the client receives it.
   *
   * @param attempt such as {@code cannot delete vpcs/net1}
   * @param target such as {@code vpcs/net1}
   */
  default ClientRefusal forClient(String attempt, String target) {
    return switch (this) {
      case ReferenceUnderWay(var dependent, var atMost) ->
          retried(
              underWay(attempt, "a reference from " + dependent, atMost),
              underWay(attempt, "a reference to it", atMost));
      case DeletionUnderWay(var atMost) -> {
        String message = underWay(attempt, "the deletion of " + target, atMost);
        yield retried(message, message);
      }
      case TargetTerminating() ->
          new ClientRefusal(
              409,
              "Conflict",
              attempt + ": " + target + " is being deleted and waits for its finalizers",
              Duration.ZERO);
      case TargetMissing() ->
          ClientRefusal.forbidden(attempt + ": there is no " + target + "; create it first");
      case Full() -> {
        String message =
            "%s: more requests concern %s than can be followed at once, retry in a few minutes"
                .formatted(attempt, target);
        yield retried(message, message);
      }
      case TooMany(var added, var most) ->
          ClientRefusal.forbidden(
              "%s adds %d references at once; add at most %d in one request"
                  .formatted(attempt, added, most));
      case Unknown(var problem) ->
          ClientRefusal.unavailable(
              attempt + ": " + problem,
              attempt
                  + ": the dependency webhook could not find out whether that is safe; ask again,"
                  + " or the platform's operator if it stays so");
    };
  }

  private static ClientRefusal retried(String message, String clientMessage) {
    return ClientRefusal.soon(429, "TooManyRequests", message, clientMessage);
  }

  private static String underWay(String attempt, String what, Duration atMost) {
    return "%s: %s is in flight, retry; in at most %d s it is decided"
        .formatted(attempt, what, atMost.toSeconds());
  }
}
