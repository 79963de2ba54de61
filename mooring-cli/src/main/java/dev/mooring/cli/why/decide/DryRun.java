package dev.mooring.cli.why.decide;

/** What the API server says to a deletion with {@code dryRun: All}. */
public sealed interface DryRun {
  record Allowed() implements DryRun {}

  /** The caller lacks the permission to delete. */
  record NotPermitted(String message) implements DryRun {}

  /** Admission or the server refuses it. */
  record Refused(String message) implements DryRun {}
}
