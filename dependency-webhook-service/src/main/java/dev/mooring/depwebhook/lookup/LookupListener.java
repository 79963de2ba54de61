package dev.mooring.depwebhook.lookup;

import java.time.Duration;

/** Receives the duration of lookups. Called by many threads; must not block. */
@FunctionalInterface
public interface LookupListener {
  /** Ignores all. */
  LookupListener NONE = (_, _) -> {};

  /** One dependent type was searched, successfully or not. */
  void looked(LookupMethod path, Duration took);
}
