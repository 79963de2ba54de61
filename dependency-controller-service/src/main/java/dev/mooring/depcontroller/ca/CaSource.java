package dev.mooring.depcontroller.ca;

import java.security.cert.X509Certificate;
import java.util.Optional;

/** The CA bundle with which kcp's API servers verify the webhook's certificate. */
public interface CaSource {
  /**
   * The bundle as a webhook configuration has it: Base64 of PEM; empty for the API servers' own.
   *
   * @throws IllegalStateException naming the cause, while the bundle is not known
   */
  String base64();

  /** The CA certificate that signs; empty if the controller issues none. */
  default Optional<X509Certificate> signing() {
    return Optional.empty();
  }

  /** The serving certificate of the webhook; empty if the controller issues none. */
  default Optional<X509Certificate> serving() {
    return Optional.empty();
  }

  /**
   * Renews certificates that are due; called periodically.
   *
   * @return whether the bundle changed
   */
  default boolean refresh() {
    return false;
  }
}
