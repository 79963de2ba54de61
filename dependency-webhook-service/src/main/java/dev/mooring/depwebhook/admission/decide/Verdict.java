package dev.mooring.depwebhook.admission.decide;

import dev.mooring.depwebhook.race.decide.RaceRefusal;
import java.util.List;
import java.util.Objects;

/** The answer to a review of a deletion. */
public sealed interface Verdict {
  /**
   * Go ahead.
   *
   * @param warnings for whoever asked
   * @param audits for whoever looks at the target later on
   */
  record Allow(AllowReason reason, List<Note> warnings, List<Note> audits) implements Verdict {
    public Allow {
      Objects.requireNonNull(reason, "reason");
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
      Objects.requireNonNull(message, "message");
      rules = List.copyOf(rules);
    }
  }

  /** Not known, therefore refused; asking again may help. */
  record Undetermined(Missing what, String message) implements Verdict {
    public Undetermined {
      Objects.requireNonNull(what, "what");
      Objects.requireNonNull(message, "message");
    }
  }

  /** Something is under way that would make it wrong; asking again helps. */
  record Contended(RaceRefusal refusal) implements Verdict {
    public Contended {
      Objects.requireNonNull(refusal, "refusal");
    }
  }

  /**
   * Something to tell.
   *
   * @param message for the operator: may name what the caller may not know
   * @param callerMessage for the caller
   * @param rules it comes from; empty if it is not of a rule
   */
  record Note(String message, String callerMessage, List<String> rules) {
    public Note {
      Objects.requireNonNull(message, "message");
      Objects.requireNonNull(callerMessage, "callerMessage");
      rules = List.copyOf(rules);
    }

    /** One that the caller may know all of. */
    public Note(String message, List<String> rules) {
      this(message, message, rules);
    }

    /** Whether the operator can learn more than the caller is told. */
    public boolean isDetailed() {
      return !message.equals(callerMessage);
    }
  }

  /** Why a deletion may go ahead. */
  enum AllowReason {
    SKIP_PROTECTION,
    NO_RULES,
    NO_REFERRERS,
    /** There are referrers, but their rules do not refuse. */
    TOLERATED,
    WORKSPACE_TERMINATING,
    /** Nobody knows of a rule that refuses it, and nobody was able to look. */
    UNCHECKED
  }

  /** What is not known. */
  enum Missing {
    RULES,
    REFERRERS
  }
}
