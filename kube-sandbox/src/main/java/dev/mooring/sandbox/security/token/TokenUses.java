package dev.mooring.sandbox.security.token;

import dev.mooring.sandbox.storage.StorageKey;

/** Receives the uses of tokens that are kept in Secrets. Thread-safe. */
@FunctionalInterface
public interface TokenUses {
  /** Of a Secret, with the day on which its token was used last. */
  String LABEL = "kubernetes.io/legacy-token-last-used";

  /**
   * Called once a day for a token that is used.
   *
   * @param day as {@code 2026-11-26}
   */
  void used(StorageKey secret, String day);
}
