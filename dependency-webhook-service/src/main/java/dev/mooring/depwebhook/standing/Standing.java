package dev.mooring.depwebhook.standing;

import dev.mooring.depwebhook.rules.decide.Protection;

/**
 * Whether a rule may keep the one target that is being judged. Asked only once something refers to
 * the target, or could not be read; what cannot be told counts. Used by one thread.
 */
@FunctionalInterface
public interface Standing {
  /** Every rule may. */
  Standing EVERY = _ -> true;

  boolean counts(Protection protection);
}
