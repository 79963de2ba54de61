package dev.mooring.depcontroller.status.decide;

import dev.mooring.depcontroller.rules.decide.RuleProblem;
import dev.mooring.depcontroller.workspace.decide.Resolution;
import dev.mooring.model.dependency.Authority;
import java.util.List;
import java.util.Optional;

/** Whether the paths of a rule are resolved, and the targets exported there. */
final class TargetsResolved {
  private static final String TYPE = "TargetsResolved";

  private TargetsResolved() {}

  /** Names the first dependency of which this is not so. */
  static Condition of(List<DependencyState> states) {
    return states.stream()
        .flatMap(state -> problem(state).stream())
        .findFirst()
        .orElseGet(() -> Condition.met(TYPE, "Resolved", "every provider's workspace was found"));
  }

  private static Optional<Condition> problem(DependencyState state) {
    if (!state.resolved().takesPart()) {
      return Optional.of(
          Condition.unknown(
              TYPE, RuleProblem.PROVIDER_NOT_BOUND, DependencyState.notBound(state.resolved())));
    }
    return switch (state.resolved().resolution()) {
      case Resolution.Known(_) -> ofTarget(state);
      case Resolution.Absent(var message) ->
          Optional.of(Condition.unmet(TYPE, RuleProblem.WORKSPACE_NOT_FOUND, message));
      case Resolution.Unknown(var message) ->
          Optional.of(Condition.unknown(TYPE, RuleProblem.WORKSPACE_UNREADABLE, message));
      case Resolution.Pending() ->
          Optional.of(Condition.unknown(TYPE, DependencyState.PENDING, state.message()));
    };
  }

  private static Optional<Condition> ofTarget(DependencyState state) {
    return state.resolved().authority().orElse(null)
                instanceof Authority.Denied(var reason, var message)
            && isAboutTarget(reason)
        ? Optional.of(Condition.unmet(TYPE, reason.text(), message))
        : Optional.empty();
  }

  private static boolean isAboutTarget(Authority.Reason reason) {
    return switch (reason) {
      case DEPENDENT_EXPORT_NOT_FOUND, DEPENDENT_NOT_EXPORTED -> false;
      case TARGET_EXPORT_NOT_FOUND, TARGET_NOT_EXPORTED, DEPENDENT_NOT_ALLOWED -> true;
    };
  }
}
