package dev.mooring.depcontroller.ca.selfmanaged.decide;

import dev.mooring.depcontroller.ca.selfmanaged.decide.RotationStep.AddNext;
import dev.mooring.depcontroller.ca.selfmanaged.decide.RotationStep.DropOld;
import dev.mooring.depcontroller.ca.selfmanaged.decide.RotationStep.Found;
import dev.mooring.depcontroller.ca.selfmanaged.decide.RotationStep.IssueServing;
import dev.mooring.depcontroller.ca.selfmanaged.decide.RotationStep.Promote;
import dev.mooring.depcontroller.ca.selfmanaged.decide.RotationStep.Rest;
import dev.mooring.depcontroller.ca.selfmanaged.decide.RotationStep.Signer;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.SortedSet;

/**
 * Decides how certificates change so that API servers trust what the webhook shows at every moment:
 *
 * <ol>
 *   <li>a third of the authority's life is left, or its key is lost: make the next one; the bundle
 *       has both;
 *   <li>every configuration has that bundle, and has had it for long enough that copies on other
 *       shards have it as well: have the webhook show a certificate of the next one;
 *   <li>the next one signs from now on;
 *   <li>every replica of the webhook has had time to show the new certificate: the old authority
 *       leaves the bundle.
 * </ol>
 */
public final class RotationPlanner {
  /** A configuration that cannot be written must not keep all others from a valid certificate. */
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
      return new Found();
    }
    Issued current = seen.current().get();
    if (seen.serving().isEmpty()) {
      return current.keyIsThere() ? new IssueServing(Signer.CURRENT) : new Found();
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
    return unneeded ? new DropOld() : new Rest();
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
