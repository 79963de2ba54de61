package dev.mooring.depwebhook.admission.decide;

import dev.mooring.depwebhook.lookup.decide.ClientRefusal;
import java.util.List;

/** The decision on an admission review. */
public sealed interface AdmissionDecision {
  Outcome outcome();

  /**
   * The request may go ahead.
   *
   * @param warnings for the caller
   * @param audits for Events about the target
   * @param bypassed qualified names of the rules that the caller bypasses, each once
   */
  record Allowed(Outcome outcome, List<Note> warnings, List<Note> audits, List<String> bypassed)
      implements AdmissionDecision {
    public Allowed {
      warnings = List.copyOf(warnings);
      audits = List.copyOf(audits);
      bypassed = List.copyOf(bypassed);
    }

    public Allowed(Outcome outcome) {
      this(outcome, List.of(), List.of(), List.of());
    }
  }

  /**
   * The request is refused.
   *
   * @param rules whose dependents refer to the target, by qualified name
   */
  record Denied(Outcome outcome, ClientRefusal refusal, List<String> rules)
      implements AdmissionDecision {
    public Denied {
      rules = List.copyOf(rules);
    }

    public Denied(Outcome outcome, ClientRefusal refusal) {
      this(outcome, refusal, List.of());
    }
  }

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
}
