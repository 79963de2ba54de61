package dev.mooring.depwebhook.certificate;

import java.time.Instant;

/** The certificate that the webhook serves. */
public sealed interface CertificateState {
  /** From mounted files, which another component renews. */
  record Mounted() implements CertificateState {}

  /**
   * The certificate of the Secret.
   *
   * @param until when it expires
   */
  record Served(Instant until) implements CertificateState {}

  /**
   * An untrusted temporary certificate.
   *
   * @param reason what is missing, where, and what to do
   */
  record Pending(String reason) implements CertificateState {}
}
