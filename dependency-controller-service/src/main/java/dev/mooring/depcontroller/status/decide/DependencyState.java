package dev.mooring.depcontroller.status.decide;

import dev.mooring.depcontroller.guard.decide.DeletionGuard;
import dev.mooring.depcontroller.guard.decide.Installation;
import dev.mooring.depcontroller.guard.decide.Installation.Blocked;
import dev.mooring.depcontroller.guard.decide.Installation.Installed;
import dev.mooring.depcontroller.guard.decide.Installation.Pending;
import dev.mooring.depcontroller.rules.decide.ResolvedDependency;
import dev.mooring.depcontroller.rules.decide.RuleProblem;
import dev.mooring.depcontroller.workspace.decide.Resolution;
import dev.mooring.depcontroller.workspace.decide.SingleSegmentPath;
import dev.mooring.model.dependency.Authority;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.FieldFindings;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.Trees;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One dependency in the status of its rule.
 *
 * @param cluster the provider's; empty while the path is not resolved, and if the provider does not
 *     take part
 * @param state {@value #INSTALLED}, or the reason why not
 * @param fieldProblem what is wrong with its field; the webhook reads it in the status
 */
record DependencyState(
    ResolvedDependency resolved,
    String cluster,
    String state,
    String message,
    Optional<String> fieldProblem) {
  static final String INSTALLED = "Installed";
  static final String PENDING = "Pending";
  private static final String TARGETS_RESOLVED = "TargetsResolved";
  private static final String LOOKING_UP = "the provider's workspace is being looked up";

  private DependencyState(
      ResolvedDependency resolved, String cluster, String state, String message) {
    this(resolved, cluster, state, message, Optional.empty());
  }

  /** The dependencies of a rule, in the author's order. */
  static List<DependencyState> all(DependencyRule rule, StatusFacts facts, FieldFindings fields) {
    var states = new ArrayList<DependencyState>();
    for (ResolvedDependency resolved : facts.resolvedRules().dependencies(rule)) {
      DependencyState state = of(rule, resolved, facts);
      states.add(
          new DependencyState(
              resolved,
              state.cluster,
              state.state,
              state.message,
              Optional.ofNullable(fields.references().get(states.size()))));
    }
    return states;
  }

  private static DependencyState of(
      DependencyRule rule, ResolvedDependency resolved, StatusFacts facts) {
    String cluster =
        resolved.takesPart() && resolved.resolution() instanceof Resolution.Known(var known)
            ? known.name()
            : "";
    if (resolved.authority().orElse(null)
        instanceof Authority.Denied(Authority.Reason reason, String message)) {
      return new DependencyState(resolved, cluster, reason.text(), message);
    }
    if (!resolved.takesPart()) {
      return new DependencyState(
          resolved, cluster, RuleProblem.PROVIDER_NOT_BOUND, notBound(resolved));
    }
    return switch (resolved.resolution()) {
      case Resolution.Absent(var message) ->
          new DependencyState(resolved, cluster, RuleProblem.WORKSPACE_NOT_FOUND, message);
      case Resolution.Unknown(var message) ->
          new DependencyState(resolved, cluster, RuleProblem.WORKSPACE_UNREADABLE, message);
      case Resolution.Pending() -> new DependencyState(resolved, cluster, PENDING, LOOKING_UP);
      case Resolution.Known(var known) ->
          installed(
              resolved,
              known,
              DeletionGuard.of(rule.enforcement()),
              facts.installations().getOrDefault(known, new Pending()));
    };
  }

  /**
   * The same for every provider that does not take part, with any other problem: an author could
   * otherwise probe by paths which workspaces, exports and types other tenants have.
   */
  static String notBound(ResolvedDependency resolved) {
    WorkspacePath path = resolved.path();
    return ("no workspace %s is known to bind the dependency APIExport: correct apiExportRef.path, or"
                + " ask the provider's administrators to bind it and to accept its permission claim;"
                + " the operator of the dependency controller sees the cause in its log and in"
                + " /actuator/status")
            .formatted(path)
        + (SingleSegmentPath.begins(path) ? "; " + SingleSegmentPath.remedy(path) : "");
  }

  /** A guard installed for other rules, or before an edit of this one, may be too weak. */
  private static DependencyState installed(
      ResolvedDependency resolved,
      LogicalCluster cluster,
      DeletionGuard wanted,
      Installation installation) {
    return switch (installation) {
      case Installed(var coverage, _)
          when coverage.guards(GroupResource.of(resolved.dependency().target()), wanted) ->
          new DependencyState(resolved, cluster.name(), INSTALLED, "");
      case Installed(_, _), Pending() ->
          new DependencyState(resolved, cluster.name(), PENDING, "the webhook is being installed");
      case Blocked(var cause, var message) ->
          new DependencyState(resolved, cluster.name(), cause.reason(), message);
    };
  }

  /**
   * Whether all paths are resolved, and the targets exported there; names the first that is not.
   */
  static Condition targetsResolved(List<DependencyState> states) {
    return states.stream()
        .flatMap(state -> state.targetProblem().stream())
        .findFirst()
        .orElseGet(() ->
            Condition.met(TARGETS_RESOLVED, "Resolved", "every provider's workspace was found"));
  }

  private Optional<Condition> targetProblem() {
    if (!resolved.takesPart()) {
      return Optional.of(
          Condition.unknown(TARGETS_RESOLVED, RuleProblem.PROVIDER_NOT_BOUND, notBound(resolved)));
    }
    return switch (resolved.resolution()) {
      case Resolution.Known(_) -> deniedTarget();
      case Resolution.Absent(var message) ->
          Optional.of(Condition.unmet(TARGETS_RESOLVED, RuleProblem.WORKSPACE_NOT_FOUND, message));
      case Resolution.Unknown(var message) ->
          Optional.of(
              Condition.unknown(TARGETS_RESOLVED, RuleProblem.WORKSPACE_UNREADABLE, message));
      case Resolution.Pending() ->
          Optional.of(Condition.unknown(TARGETS_RESOLVED, PENDING, message));
    };
  }

  private Optional<Condition> deniedTarget() {
    return resolved.authority().orElse(null) instanceof Authority.Denied(var reason, var message)
            && isAboutTarget(reason)
        ? Optional.of(Condition.unmet(TARGETS_RESOLVED, reason.text(), message))
        : Optional.empty();
  }

  private static boolean isAboutTarget(Authority.Reason reason) {
    return switch (reason) {
      case DEPENDENT_EXPORT_NOT_FOUND, DEPENDENT_NOT_EXPORTED -> false;
      case TARGET_EXPORT_NOT_FOUND, TARGET_NOT_EXPORTED, DEPENDENT_NOT_ALLOWED -> true;
    };
  }

  boolean isInstalled() {
    return state.equals(INSTALLED);
  }

  Map<String, Object> tree() {
    var tree = new LinkedHashMap<String, Object>();
    tree.put("path", resolved.path().value());
    tree.put("resource", GroupResource.of(resolved.dependency().target()).toString());
    if (!cluster.isEmpty()) {
      tree.put("logicalCluster", cluster);
    }
    tree.put("state", fieldProblem.isPresent() ? FieldFindings.NOT_IN_SCHEMA : state);
    Trees.putUnlessEmpty(tree, "message", fieldProblem.orElse(message));
    return tree;
  }
}
