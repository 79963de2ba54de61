package dev.mooring.depwebhook.race.decide;

/** Whether a review writes to the register. */
public enum Recording {
  /** The other side sees the record. */
  RECORDED,
  /** {@code dryRun}: the answer is the same, nothing is written. */
  DRY_RUN
}
