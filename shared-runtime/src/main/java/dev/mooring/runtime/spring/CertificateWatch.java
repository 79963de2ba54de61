package dev.mooring.runtime.spring;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A certificate whose end health and metrics show. A bean for each is enough.
 *
 * @param name a few words with hyphens, the same for the life of the process
 * @param certificate in use now; empty if there is none. Must not block
 */
public record CertificateWatch(String name, Supplier<Optional<X509Certificate>> certificate) {
  /** Certificates that live long are warned of so long before their end. */
  static final Duration WARNED_BEFORE = Duration.ofDays(7);

  /** Certificates that live shortly are warned of in the last part of their life. */
  static final int WARNED_PART = 5;

  /** A renewed certificate is overdue then: cert-manager renews at two thirds. */
  static boolean isEnding(X509Certificate certificate, Instant now) {
    Instant end = certificate.getNotAfter().toInstant();
    Duration part =
        Duration.between(certificate.getNotBefore().toInstant(), end).dividedBy(WARNED_PART);
    Duration before = part.compareTo(WARNED_BEFORE) < 0 ? part : WARNED_BEFORE;
    return !now.isBefore(end.minus(before));
  }
}
