package dev.mooring.depwebhook.race.decide;

/** A target as a live read returned it. */
public record LiveTarget(String uid, Phase phase) {

  /** Whether its deletion was requested. */
  public enum Phase {
    ACTIVE,
    TERMINATING
  }
}
