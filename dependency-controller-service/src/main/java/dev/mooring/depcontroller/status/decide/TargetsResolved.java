package dev.mooring.depcontroller.status.decide;

import dev.mooring.depcontroller.rules.decide.ExportKey;
import dev.mooring.depcontroller.rules.decide.Shortfall;
import dev.mooring.depcontroller.workspace.decide.LoneSegment;
import dev.mooring.depcontroller.workspace.decide.Resolution;
import dev.mooring.model.dependency.Authority;
import dev.mooring.model.dependency.DependencyRule.ExportReference;
import dev.mooring.model.dependency.ExportReading;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.WorkspacePath;
import java.util.List;
import java.util.Optional;

/** Whether it is known where a rule leads, and whether that is there. */
final class TargetsResolved {
  private static final String TYPE = "TargetsResolved";

  private TargetsResolved() {}

  /** By the first dependency of which it is not. */
  static Condition of(List<DependencyState> states, StatusFacts facts) {
    return states.stream()
        .flatMap(state -> problem(state, facts).stream())
        .findFirst()
        .orElseGet(() -> Condition.met(TYPE, "Resolved", "every provider's workspace was found"));
  }

  private static Optional<Condition> problem(DependencyState state, StatusFacts facts) {
    return switch (state.standing().resolution()) {
      case Resolution.Known(var cluster) -> ofTarget(state, cluster, facts);
      case Resolution.Absent(var message) ->
          Optional.of(Condition.unmet(TYPE, Shortfall.WORKSPACE_NOT_FOUND, message));
      case Resolution.Unknown(var message) ->
          Optional.of(Condition.unknown(TYPE, Shortfall.WORKSPACE_UNREADABLE, message));
      case Resolution.Pending() ->
          Optional.of(Condition.unknown(TYPE, DependencyState.PENDING, state.message()));
    };
  }

  private static Optional<Condition> ofTarget(
      DependencyState state, LogicalCluster cluster, StatusFacts facts) {
    ExportReference target = state.of().export();
    WorkspacePath path = target.path();
    if (state.standing().authority().orElse(null) instanceof Authority.Denied(var reason, _)
        && isAboutTarget(reason)) {
      return Shortfall.of(state.of(), state.standing())
          .map(shortfall -> Condition.unmet(TYPE, shortfall.reason(), shortfall.message()));
    }
    ExportReading exports = facts.landscape().exports().get(new ExportKey(cluster, target.name()));
    // What asks the webhook there is there, whether or not it may be read.
    return LoneSegment.is(path)
            && !state.isInstalled()
            && exports instanceof ExportReading.Unreadable(String why)
        ? Optional.of(
            Condition.unknown(
                TYPE, Shortfall.WORKSPACE_UNREADABLE, LoneSegment.remedy(path) + "; " + why))
        : Optional.empty();
  }

  private static boolean isAboutTarget(Authority.Reason reason) {
    return switch (reason) {
      case DEPENDENT_EXPORT_NOT_FOUND, DEPENDENT_NOT_EXPORTED -> false;
      case TARGET_EXPORT_NOT_FOUND, TARGET_NOT_EXPORTED, DEPENDENT_NOT_ALLOWED -> true;
    };
  }
}
