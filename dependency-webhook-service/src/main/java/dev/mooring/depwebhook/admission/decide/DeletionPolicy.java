package dev.mooring.depwebhook.admission.decide;

import dev.mooring.depwebhook.admission.decide.Verdict.Allow;
import dev.mooring.depwebhook.admission.decide.Verdict.AllowReason;
import dev.mooring.depwebhook.admission.decide.Verdict.Deny;
import dev.mooring.depwebhook.admission.decide.Verdict.Missing;
import dev.mooring.depwebhook.admission.decide.Verdict.Note;
import dev.mooring.depwebhook.admission.decide.Verdict.Undetermined;
import dev.mooring.depwebhook.eligibility.decide.WorkspaceState;
import dev.mooring.depwebhook.lookup.decide.Found;
import dev.mooring.depwebhook.lookup.decide.Lookup;
import dev.mooring.depwebhook.lookup.decide.Lookup.Complete;
import dev.mooring.depwebhook.lookup.decide.Lookup.Incomplete;
import dev.mooring.depwebhook.lookup.decide.Shortlist;
import dev.mooring.model.dependency.Mode;
import dev.mooring.model.dependency.Target;
import java.util.ArrayList;
import java.util.List;

/** Decides whether a target may be deleted: what is not known to be free is refused. */
public final class DeletionPolicy {
  /** What clients of the Go program know; they retry on it. */
  public static final Verdict RULES_NOT_LOADED =
      new Undetermined(Missing.RULES, "dependency webhook not yet initialized, retry later");

  /** Rules may have changed, and nobody would have told. */
  public static final Verdict RULES_STALE =
      new Undetermined(
          Missing.RULES,
          "dependency webhook has not heard of its rules for too long to know them, retry later");

  /** What a warning begins with of which nobody can tell what rules would have said. */
  public static final String UNCHECKED = "not checked for what still refers to it: ";

  /** In place of what could not be read, which is the operator's to know. */
  public static final String UNREAD_DEPENDENTS =
      UNCHECKED + "the dependency webhook could not read all that may refer to it";

  private static final Verdict UNCHECKED_WITHOUT_RULES =
      new Allow(
          AllowReason.UNCHECKED,
          List.of(
              new Note(
                  UNCHECKED + "the dependency webhook does not know its rules now", List.of())),
          List.of());

  private DeletionPolicy() {}

  /** By what refers to the target. */
  public static Verdict judge(Target target, Lookup lookup) {
    return switch (lookup) {
      case Incomplete(var missing) -> new Undetermined(Missing.REFERRERS, missing);
      case Complete complete when complete.of(Mode.DENY).isEmpty() -> tolerated(target, complete);
      case Complete complete -> denied(target, complete.of(Mode.DENY));
    };
  }

  /**
   * A terminating workspace lets everything go, for whatever reason it would be refused: its
   * objects go in no order, and one that stayed would keep all of it.
   */
  public static Verdict inWorkspace(Verdict verdict, WorkspaceState workspace) {
    return switch (verdict) {
      case Allow _ -> verdict;
      case Deny _, Undetermined _, Verdict.Contended _ ->
          switch (workspace) {
            case TERMINATING -> new Allow(AllowReason.WORKSPACE_TERMINATING);
            case ACTIVE, FORBIDDEN, ABSENT, UNKNOWN -> verdict;
          };
    };
  }

  /**
   * Where no rule was known to refuse when the configuration was written, rules that are not known
   * are no reason to. What is known to be refused, or only not known to be free under a rule that
   * refuses, stays refused: the configuration is about to be written anew.
   */
  public static Verdict under(Mode mode, Verdict verdict) {
    return switch (mode) {
      case DENY -> verdict;
      case WARN, AUDIT ->
          switch (verdict) {
            case Undetermined(Missing what, _) when what == Missing.RULES ->
                UNCHECKED_WITHOUT_RULES;
            case Allow _, Deny _, Undetermined _, Verdict.Contended _ -> verdict;
          };
    };
  }

  /**
   * A refusal that also says why a bypass did not help.
   *
   * @param why empty if none was asked for
   */
  public static Verdict withoutBypass(Verdict verdict, List<String> why) {
    return verdict instanceof Deny(var message, var rules) && !why.isEmpty()
        ? new Deny(message + "; not bypassed: " + Shortlist.of(why, "; "), rules)
        : verdict;
  }

  private static Verdict denied(Target target, Found found) {
    String message = found.blockers().denial(target);
    return new Deny(
        found.doubts().isEmpty() ? message : message + "; " + String.join("; ", found.doubts()),
        found.rules());
  }

  private static Verdict tolerated(Target target, Complete complete) {
    var warnings = new ArrayList<Note>();
    Found warned = complete.of(Mode.WARN);
    if (!warned.isEmpty()) {
      warnings.add(new Note(warned.blockers().remark(target), warned.rules()));
    }
    complete
        .unchecked()
        .forEach(missing -> warnings.add(new Note(missing, UNREAD_DEPENDENTS, List.of())));
    Found audited = complete.of(Mode.AUDIT);
    List<Note> audits =
        audited.isEmpty()
            ? List.of()
            : List.of(new Note(audited.blockers().remark(target), audited.rules()));
    return new Allow(
        warned.isEmpty() && audited.isEmpty() ? AllowReason.NO_REFERRERS : AllowReason.TOLERATED,
        warnings,
        audits);
  }
}
