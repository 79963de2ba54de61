package dev.mooring.depwebhook.race.decide;

import java.util.Objects;

/** A target as a live read returned it. */
public record LiveTarget(String uid, String namespace, Phase phase) {
  public LiveTarget {
    Objects.requireNonNull(uid, "uid");
    Objects.requireNonNull(namespace, "namespace");
    Objects.requireNonNull(phase, "phase");
  }

  /** Whether its deletion was requested. */
  public enum Phase {
    ACTIVE,
    TERMINATING
  }
}
