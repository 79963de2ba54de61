package dev.mooring.depwebhook.admission;

import dev.mooring.depwebhook.admission.decide.Verdict;
import dev.mooring.depwebhook.admission.decide.Verdict.AllowReason;
import dev.mooring.depwebhook.admission.decide.Verdict.Missing;

/** The outcome of a review as a metric label; the values bound the number of series. */
public enum Decision {
  DENIED("denied"),
  ALLOWED("allowed"),
  ALLOWED_UNPROTECTED("allowed_unprotected"),
  TOLERATED("tolerated"),
  SKIPPED("skipped"),
  WORKSPACE_TERMINATING("workspace_terminating"),
  UNCHECKED("unchecked"),
  NOT_READY("not_ready"),
  LOOKUP_FAILED("lookup_failed"),
  MALFORMED("malformed"),
  IN_FLIGHT("in_flight"),
  REFERENCE_ALLOWED("reference_allowed"),
  REFERENCE_REFUSED("reference_refused"),
  NOT_A_DELETION("not_a_deletion"),
  NOTIFIED("notified"),
  TIMED_OUT("timed_out"),
  FAILED("failed");

  private final String label;

  Decision(String label) {
    this.label = label;
  }

  public String label() {
    return label;
  }

  static Decision of(Verdict verdict) {
    return switch (verdict) {
      case Verdict.Deny _ -> DENIED;
      case Verdict.Contended _ -> IN_FLIGHT;
      case Verdict.Undetermined(Missing what, _) ->
          switch (what) {
            case RULES -> NOT_READY;
            case REFERRERS -> LOOKUP_FAILED;
          };
      case Verdict.Allow(AllowReason reason, _, _) ->
          switch (reason) {
            case SKIP_PROTECTION -> SKIPPED;
            case NO_RULES -> ALLOWED_UNPROTECTED;
            case NO_REFERRERS -> ALLOWED;
            case TOLERATED -> TOLERATED;
            case WORKSPACE_TERMINATING -> WORKSPACE_TERMINATING;
            case UNCHECKED -> UNCHECKED;
          };
    };
  }
}
