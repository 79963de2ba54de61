package dev.mooring.depwebhook.lookup.decide;

import java.time.Duration;

/**
 * A refusal as the client receives it. A reason that ends within moments is a 429 or 503 with
 * {@code retryAfterSeconds}: client-go retries it up to ten times. A 409 would count as a stale
 * object and cause another read. Client libraries do not retry a reason that needs an action.
 *
 * @param code HTTP status
 * @param reason of the Status; empty for none
 * @param message for the operator: may name objects that the client may not list
 * @param clientMessage for the client
 * @param retryAfter zero if a retry cannot help
 */
public record ClientRefusal(
    int code, String reason, String message, String clientMessage, Duration retryAfter) {
  private static final Duration SOON = Duration.ofSeconds(1);

  /** Without details for the operator only. */
  public ClientRefusal(int code, String reason, String message, Duration retryAfter) {
    this(code, reason, message, message, retryAfter);
  }

  /** The client may retry soon. */
  public static ClientRefusal soon(int code, String reason, String message, String clientMessage) {
    return new ClientRefusal(code, reason, message, clientMessage, SOON);
  }

  /** What was asked for is forbidden as things are. */
  public static ClientRefusal forbidden(String message) {
    return new ClientRefusal(403, "Forbidden", message, Duration.ZERO);
  }

  /** The webhook cannot decide now. */
  public static ClientRefusal unavailable(String message, String clientMessage) {
    return soon(503, "ServiceUnavailable", message, clientMessage);
  }

  /** Whether the operator's message says more than the client's. */
  public boolean isDetailed() {
    return !message.equals(clientMessage);
  }
}
