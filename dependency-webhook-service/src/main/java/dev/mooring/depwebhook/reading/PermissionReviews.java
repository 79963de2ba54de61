package dev.mooring.depwebhook.reading;

import dev.mooring.runtime.client.KubeFailure;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reviews of permissions that one review needs: all at once, and each once however often it is
 * needed. Used by one thread.
 *
 * @param <P> a permission, and where it is reviewed
 */
public final class PermissionReviews<P> {
  private static final Logger LOG = LoggerFactory.getLogger(PermissionReviews.class);

  private final Deadline deadline;
  private final Map<P, PendingRead<Optional<Boolean>>> begun = new HashMap<>();

  /**
   * @param deadline of the review that waits for them
   */
  public PermissionReviews(Deadline deadline) {
    this.deadline = deadline;
  }

  /**
   * @param what the permission is to, for the log
   * @param review asks kcp
   */
  public void begin(P permission, String what, BooleanSupplier review) {
    begun.computeIfAbsent(
        permission,
        _ -> PendingRead.begin("the permission to " + what, () -> reviewed(what, review)));
  }

  /** Waits for kcp's answer; empty if it could not say, which is logged, or was not asked. */
  public Optional<Boolean> result(P permission) {
    return Optional.ofNullable(begun.get(permission)).flatMap(review -> review.result(deadline));
  }

  private static Optional<Boolean> reviewed(String what, BooleanSupplier review) {
    try {
      return Optional.of(review.getAsBoolean());
    } catch (KubeFailure failure) {
      LOG.warn(
          "Permission to {} could not be reviewed: {}{}",
          what,
          failure.getMessage(),
          failure.kind() == KubeFailure.Kind.FORBIDDEN
              ? "; let the webhook's user create subjectaccessreviews.authorization.k8s.io there"
              : "");
      return Optional.empty();
    }
  }
}
