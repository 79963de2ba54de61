package dev.mooring.depwebhook.admission.decide;

import dev.mooring.depwebhook.race.decide.RaceRefusal;
import java.util.List;

/** The decision on a deletion. */
public sealed interface Verdict {
  /**
   * The deletion may go ahead.
   *
   * @param warnings for the caller
   * @param audits for Events about the target
   */
  record Allow(AllowReason reason, List<Note> warnings, List<Note> audits) implements Verdict {
    public Allow {
      warnings = List.copyOf(warnings);
      audits = List.copyOf(audits);
    }

    public Allow(AllowReason reason) {
      this(reason, List.of(), List.of());
    }
  }

  /**
   * Something refers to the target.
   *
   * @param rules that say so, by qualified name
   */
  record Deny(String message, List<String> rules) implements Verdict {
    public Deny {
      rules = List.copyOf(rules);
    }
  }

  /** A fact could not be determined, so the deletion is denied. */
  record Undetermined(Missing what, String message, String callerMessage) implements Verdict {}

  /** A conflicting request is in flight, so the deletion is denied; a retry helps. */
  record Contended(RaceRefusal refusal) implements Verdict {}

  /**
   * A remark on the deletion.
   *
   * @param message for the operator; may name objects that the caller may not list
   * @param callerMessage for the caller
   * @param rules that it is about; empty if it is about no rule
   */
  record Note(String message, String callerMessage, List<String> rules) {
    public Note {
      rules = List.copyOf(rules);
    }

    /** The same for operator and caller. */
    public Note(String message, List<String> rules) {
      this(message, message, rules);
    }

    /** Whether the operator's message says more than the caller's. */
    public boolean isDetailed() {
      return !message.equals(callerMessage);
    }
  }

  /** Why a deletion may go ahead. */
  enum AllowReason {
    SKIP_PROTECTION,
    NO_RULES,
    NO_REFERRERS,
    /** There are referrers, but their rules only warn or audit. */
    TOLERATED,
    WORKSPACE_TERMINATING,
    /** Rules are not loaded, and the webhook entry denies nothing without them. */
    UNCHECKED
  }

  /** The fact that could not be determined. */
  enum Missing {
    RULES,
    REFERRERS
  }
}
