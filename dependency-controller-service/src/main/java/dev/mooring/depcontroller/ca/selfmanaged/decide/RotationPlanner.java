package dev.mooring.depcontroller.ca.selfmanaged.decide;

import dev.mooring.depcontroller.ca.selfmanaged.decide.RotationStep.AddNext;
import dev.mooring.depcontroller.ca.selfmanaged.decide.RotationStep.CreateFirst;
import dev.mooring.depcontroller.ca.selfmanaged.decide.RotationStep.DropOld;
import dev.mooring.depcontroller.ca.selfmanaged.decide.RotationStep.IssueServing;
import dev.mooring.depcontroller.ca.selfmanaged.decide.RotationStep.Promote;
import dev.mooring.depcontroller.ca.selfmanaged.decide.RotationStep.Signer;
import dev.mooring.depcontroller.ca.selfmanaged.decide.RotationStep.Wait;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.SortedSet;

/**
 * Plans the rotation of certificates, so that API servers trust the serving certificate at every
 * moment:
 *
 * <ol>
 *   <li>a third of the CA's life is left, or its key is lost: issue the next CA; the bundle has
 *       both;
 *   <li>every webhook configuration has that bundle, for long enough to be replicated to other
 *       shards: issue a serving certificate of the next CA;
 *   <li>the next CA becomes the current one;
 *   <li>every replica of the webhook has had time to serve the new certificate: remove the old CA.
 * </ol>
 */
public final class RotationPlanner {
  /** A configuration that cannot be written must not block the renewal for all others. */
  public static final Duration LAST_CALL = Duration.ofDays(7);

  private RotationPlanner() {}

  /**
   * @param everywhereSince since when every configuration is known to have the bundle as it is now;
   *     empty if some have not
   * @param names that the webhook is reached by
   */
  public static RotationStep plan(
      Certificates seen,
      Optional<Instant> everywhereSince,
      SortedSet<String> names,
      RotationTimings timings,
      Instant now) {
    if (seen.current().isEmpty()) {
      return new CreateFirst();
    }
    Issued current = seen.current().get();
    if (seen.serving().isEmpty()) {
      return current.keyIsThere() ? new IssueServing(Signer.CURRENT) : new CreateFirst();
    }
    Issued serving = seen.serving().get();
    if (seen.next().isPresent()) {
      Issued next = seen.next().get();
      if (serving.issuer().equals(next.subject())) {
        return new Promote();
      }
      if (isSpread(everywhereSince, timings, now) || isLastCall(current, serving, now)) {
        return new IssueServing(Signer.NEXT);
      }
    } else if (!current.keyIsThere()
        || (!now.isBefore(current.renewalTime()) && seen.old().isEmpty())) {
      return new AddNext();
    }
    if (current.keyIsThere() && isToBeReplaced(serving, seen, names, now)) {
      return new IssueServing(Signer.CURRENT);
    }
    boolean unneeded =
        seen.old().isPresent()
            && serving.issuer().equals(current.subject())
            && !now.isBefore(serving.issuedAt().plus(timings.reload()));
    return unneeded ? new DropOld() : new Wait();
  }

  private static boolean isSpread(
      Optional<Instant> everywhereSince, RotationTimings timings, Instant now) {
    return everywhereSince.filter(since -> !now.isBefore(since.plus(timings.spread()))).isPresent();
  }

  private static boolean isLastCall(Issued current, Issued serving, Instant now) {
    return !now.isBefore(current.notAfter().minus(LAST_CALL))
        || (!current.keyIsThere() && !now.isBefore(serving.notAfter().minus(LAST_CALL)));
  }

  private static boolean isToBeReplaced(
      Issued serving, Certificates seen, SortedSet<String> names, Instant now) {
    return !serving.names().equals(names)
        || !now.isBefore(serving.renewalTime())
        || !isTrusted(serving, seen);
  }

  private static boolean isTrusted(Issued serving, Certificates seen) {
    return serving.issuer().equals(seen.current().map(Issued::subject).orElse(""))
        || serving.issuer().equals(seen.old().map(Issued::subject).orElse(""));
  }
}
