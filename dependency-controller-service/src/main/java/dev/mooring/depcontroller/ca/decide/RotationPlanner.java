package dev.mooring.depcontroller.ca.decide;

import dev.mooring.depcontroller.ca.decide.RotationStep.AddNext;
import dev.mooring.depcontroller.ca.decide.RotationStep.DropOld;
import dev.mooring.depcontroller.ca.decide.RotationStep.Found;
import dev.mooring.depcontroller.ca.decide.RotationStep.IssueServing;
import dev.mooring.depcontroller.ca.decide.RotationStep.Promote;
import dev.mooring.depcontroller.ca.decide.RotationStep.Rest;
import dev.mooring.depcontroller.ca.decide.RotationStep.Signer;
import java.time.Duration;
import java.time.Instant;
import java.util.SortedSet;

/**
 * Decides how certificates change so that API servers trust what the webhook shows at every moment:
 *
 * <ol>
 *   <li>a third of the authority's life is left: make the next one; the bundle has both;
 *   <li>every configuration has that bundle, and has had time to reach every shard: have the
 *       webhook show a certificate of the next one;
 *   <li>the next one signs from now on;
 *   <li>every replica of the webhook has had time to show the new certificate: the old authority
 *       leaves the bundle.
 * </ol>
 */
public final class RotationPlanner {
  /** Copies of configurations reach other shards in seconds. */
  public static final Duration SPREAD = Duration.ofMinutes(1);

  /** Mounted Secrets reach pods in a minute or two. */
  public static final Duration RELOAD = Duration.ofMinutes(10);

  /** A configuration that cannot be written must not keep all others from a valid certificate. */
  public static final Duration LAST_CALL = Duration.ofDays(7);

  private RotationPlanner() {}

  /** Whether every configuration has the bundle as it is now. */
  public enum Spread {
    EVERYWHERE,
    NOT_YET
  }

  /**
   * @param names that the webhook is reached by
   */
  public static RotationStep plan(
      Certificates seen, Spread bundle, SortedSet<String> names, Instant now) {
    if (seen.current().isEmpty()) {
      return new Found();
    }
    Issued current = seen.current().get();
    if (seen.serving().isEmpty()) {
      return new IssueServing(Signer.CURRENT);
    }
    Issued serving = seen.serving().get();
    if (seen.next().isPresent()) {
      Issued next = seen.next().get();
      if (serving.issuer().equals(next.subject())) {
        return new Promote();
      }
      if (mayTakeOver(current, next, bundle, now)) {
        return new IssueServing(Signer.NEXT);
      }
    } else if (!now.isBefore(current.renewalTime()) && seen.old().isEmpty()) {
      return new AddNext();
    }
    if (!serving.names().equals(names)
        || !now.isBefore(serving.renewalTime())
        || !isTrusted(serving, seen)) {
      return new IssueServing(Signer.CURRENT);
    }
    boolean unneeded =
        seen.old().isPresent()
            && serving.issuer().equals(current.subject())
            && !now.isBefore(serving.notBefore().plus(RELOAD));
    return unneeded ? new DropOld() : new Rest();
  }

  private static boolean mayTakeOver(Issued current, Issued next, Spread bundle, Instant now) {
    boolean spread = bundle == Spread.EVERYWHERE && !now.isBefore(next.notBefore().plus(SPREAD));
    return spread || !now.isBefore(current.notAfter().minus(LAST_CALL));
  }

  private static boolean isTrusted(Issued serving, Certificates seen) {
    return serving.issuer().equals(seen.current().map(Issued::subject).orElse(""))
        || serving.issuer().equals(seen.old().map(Issued::subject).orElse(""));
  }
}
