package dev.mooring.depcontroller.ca.decide;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A certificate, as decisions see it.
 *
 * @param subject unique among those of one installation
 * @param issuer the subject of the one that signed it; its own if it signed itself
 * @param names that it is good for; empty for an authority
 */
public record Issued(
    String subject, String issuer, SortedSet<String> names, Instant notBefore, Instant notAfter) {
  public Issued {
    Objects.requireNonNull(subject, "subject");
    Objects.requireNonNull(issuer, "issuer");
    names = Collections.unmodifiableSortedSet(new TreeSet<>(names));
    if (!notBefore.isBefore(notAfter)) {
      throw new IllegalArgumentException(subject + " is never valid");
    }
  }

  /** When a third of its life is left, so that whatever keeps it from being replaced has time. */
  Instant renewalTime() {
    return notAfter.minus(Duration.between(notBefore, notAfter).dividedBy(3));
  }
}
