package dev.mooring.depcontroller.ca.selfmanaged.decide;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A certificate, as decisions see it.
 *
 * @param subject unique among those of one installation
 * @param issuer the subject of the one that signed it; its own if it signed itself
 * @param names that it is good for; empty for a CA
 * @param issuedAt time of its issue, which is later than its notBefore
 * @param keyIsThere whether it can sign, or be served
 */
public record Issued(
    String subject,
    String issuer,
    SortedSet<String> names,
    Instant issuedAt,
    Instant notAfter,
    boolean keyIsThere) {
  public Issued {
    names = Collections.unmodifiableSortedSet(new TreeSet<>(names));
    if (!issuedAt.isBefore(notAfter)) {
      throw new IllegalArgumentException(subject + " is never valid");
    }
  }

  /** When a third of its life is left, so that failed renewals can be retried. */
  Instant renewalTime() {
    return notAfter.minus(Duration.between(issuedAt, notAfter).dividedBy(3));
  }
}
