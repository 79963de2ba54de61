package dev.mooring.depcontroller.ca.selfmanaged.decide;

import java.util.Objects;
import java.util.Optional;

/**
 * The certificates of an installation that is its own authority.
 *
 * @param current the authority that signs; empty before the first
 * @param next the one that takes over; API servers are told of it first
 * @param old the one that signed before; API servers trust it until nothing shows its signature
 * @param serving what the webhook shows
 */
public record Certificates(
    Optional<Issued> current,
    Optional<Issued> next,
    Optional<Issued> old,
    Optional<Issued> serving) {
  public static final Certificates NONE =
      new Certificates(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

  public Certificates {
    Objects.requireNonNull(current, "current");
    Objects.requireNonNull(next, "next");
    Objects.requireNonNull(old, "old");
    Objects.requireNonNull(serving, "serving");
  }
}
