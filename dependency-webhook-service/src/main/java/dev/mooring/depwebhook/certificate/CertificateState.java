package dev.mooring.depwebhook.certificate;

import java.time.Instant;

/** What the webhook shows API servers. */
public sealed interface CertificateState {
  /** A certificate from files that somebody else looks after. */
  record Mounted() implements CertificateState {}

  /**
   * The certificate of the Secret.
   *
   * @param until when it ends
   */
  record Shown(Instant until) implements CertificateState {}

  /**
   * None that any API server believes.
   *
   * @param reason what is missing, where, and what to do
   */
  record Awaited(String reason) implements CertificateState {}
}
