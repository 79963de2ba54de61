package dev.mooring.depwebhook.admission;

import dev.mooring.depwebhook.admission.decide.Verdict;
import dev.mooring.depwebhook.admission.decide.Verdict.AllowReason;
import dev.mooring.depwebhook.admission.decide.Verdict.Missing;
import java.util.Locale;

/** The outcome of a review as a metric label; the values bound the number of series. */
public enum Decision {
  DENIED,
  ALLOWED,
  ALLOWED_UNPROTECTED,
  TOLERATED,
  SKIPPED,
  WORKSPACE_TERMINATING,
  UNCHECKED,
  NOT_READY,
  LOOKUP_FAILED,
  MALFORMED,
  IN_FLIGHT,
  REFERENCE_ALLOWED,
  REFERENCE_REFUSED,
  NOT_A_DELETION,
  NOTIFIED,
  TIMED_OUT,
  FAILED;

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  static Decision of(Verdict verdict) {
    return switch (verdict) {
      case Verdict.Deny _ -> DENIED;
      case Verdict.Contended _ -> IN_FLIGHT;
      case Verdict.Undetermined(Missing what, _, _) ->
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
