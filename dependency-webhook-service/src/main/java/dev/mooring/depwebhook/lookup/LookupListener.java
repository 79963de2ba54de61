package dev.mooring.depwebhook.lookup;

import java.time.Duration;

/** Hears how long lookups take. Called by many threads; must be quick. */
@FunctionalInterface
public interface LookupListener {
  /** Hears nothing. */
  LookupListener NONE = (_, _) -> {};

  /** One dependent type was looked at, whatever came of it. */
  void looked(LookupMethod path, Duration took);
}
