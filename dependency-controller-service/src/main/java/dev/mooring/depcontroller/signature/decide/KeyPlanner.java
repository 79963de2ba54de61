package dev.mooring.depcontroller.signature.decide;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Decides how the keys change that sign the URLs of webhook configurations, so that at every moment
 * each webhook accepts what any API server sends it:
 *
 * <ol>
 *   <li>there is no key, or a new one is wanted: make one; it signs nothing yet;
 *   <li>every webhook has had time to read it: it signs, and configurations are written again;
 *   <li>every configuration carries its signature, and has for long enough that copies on other
 *       shards do too: no other key is accepted, and no unsigned review.
 * </ol>
 *
 * A configuration that cannot be written (a provider that left, a right that is missing) keeps
 * neither the others' reviews unsigned nor its own consumers locked out: after {@link
 * KeyTimings#patience} its provider is excused by name, until its configuration is signed. A key is
 * replaced only if an operator asks for it: a key ends the signature of configurations that the
 * controller does not see any more, as those of providers that deleted their APIBinding.
 */
public final class KeyPlanner {
  private KeyPlanner() {}

  /**
   * @param held empty if there is no Secret
   * @param heldSince since when exactly these keys are known to be in the Secret
   * @param unsignedProviders empty if configurations are not known
   */
  public static KeyStep plan(
      Optional<KeyFacts> held,
      Instant heldSince,
      Optional<UnsignedProviders> unsignedProviders,
      KeyTimings timings,
      Instant now) {
    if (held.isEmpty()) {
      return new KeyStep.CreateFirst();
    }
    KeyFacts keys = held.get();
    if (keys.next()) {
      return passed(heldSince, timings.spread(), now) ? new KeyStep.Promote() : new KeyStep.Wait();
    }
    if (unsignedProviders.isPresent() && isSettled(unsignedProviders.get(), timings, now)) {
      var excused = unsignedProviders.get().providers();
      if (keys.old() || keys.excused().filter(excused::equals).isEmpty()) {
        return new KeyStep.Settle(excused);
      }
    }
    return keys.rotationRequested() && !keys.old() ? new KeyStep.AddNext() : new KeyStep.Wait();
  }

  private static boolean isSettled(
      UnsignedProviders unsignedProviders, KeyTimings timings, Instant now) {
    Duration wait = unsignedProviders.providers().isEmpty() ? timings.spread() : timings.patience();
    return passed(unsignedProviders.since(), wait, now);
  }

  private static boolean passed(Instant since, Duration wait, Instant now) {
    return !now.isBefore(since.plus(wait));
  }
}
