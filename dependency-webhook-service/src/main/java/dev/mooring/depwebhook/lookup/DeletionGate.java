package dev.mooring.depwebhook.lookup;

import dev.mooring.depwebhook.lookup.decide.LookupResult;

/**
 * What a deletion has to pass: finds what refers to its target. A failed read is {@link
 * LookupResult.Incomplete}, never absence.
 */
@FunctionalInterface
public interface DeletionGate {
  LookupResult findReferrers(DeletionQuery query);
}
