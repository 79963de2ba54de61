package dev.mooring.depwebhook.certificate;

import java.time.Instant;

/** Serves a certificate on new connections. */
@FunctionalInterface
public interface CertificateTarget {
  /**
   * Shows it in place of the one before.
   *
   * @param certificatePem the certificate, and those between it and the authority if there are any
   * @param keyPem its private key
   * @return when the certificate ends
   * @throws IllegalArgumentException if it cannot be shown; the one before stays. The message does
   *     not repeat the key
   */
  Instant show(String certificatePem, String keyPem);
}
