package dev.mooring.runtime.time;

import java.util.UUID;

/** Mints names that nothing else has. Thread-safe. */
@FunctionalInterface
public interface Ids {
  /** Such as a UUID: lower-case letters, digits and hyphens, at most 36 of them. */
  String next();

  static Ids random() {
    return () -> UUID.randomUUID().toString();
  }
}
