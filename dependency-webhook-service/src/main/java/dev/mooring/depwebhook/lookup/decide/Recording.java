package dev.mooring.depwebhook.lookup.decide;

/** Whether the API server persists a request that its review allows. */
public enum Recording {
  /** The race register has a record of it, which the other side sees. */
  RECORDED,
  /** {@code dryRun}: the answer is the same, without records, events and metrics. */
  DRY_RUN
}
