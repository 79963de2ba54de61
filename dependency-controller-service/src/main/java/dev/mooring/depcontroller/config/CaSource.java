package dev.mooring.depcontroller.config;

import java.security.cert.X509Certificate;
import java.util.Optional;

/** Where the certificates come from that API servers check the webhook's with. */
interface CaSource {
  /**
   * As they stand in a webhook configuration: Base64 of PEM; empty to trust what API servers trust.
   *
   * @throws IllegalStateException saying what keeps them from being known
   */
  String base64();

  /** The authority that signs now; empty if the controller keeps none. */
  default Optional<X509Certificate> authority() {
    return Optional.empty();
  }

  /** What the webhook is to show now; empty if the controller keeps none. */
  default Optional<X509Certificate> serving() {
    return Optional.empty();
  }

  /** Looks whether they are to change; called again and again. */
  default void look() {}
}
