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
import dev.mooring.model.dependency.DependencyRule.Dependency;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.WorkspacePath;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One dependency as a rule's status shows it.
 *
 * @param cluster the provider's, empty while it is not known, and if the provider does not take
 *     part
 * @param state {@value #INSTALLED}, or the reason why not
 */
record DependencyState(
    Dependency of, ResolvedDependency resolved, String cluster, String state, String message) {
  static final String INSTALLED = "Installed";
  static final String PENDING = "Pending";
  private static final String LOOKING_UP = "the provider's workspace is being looked up";

  static DependencyState of(DependencyRule rule, Dependency dependency, StatusFacts facts) {
    ResolvedDependency resolved = facts.resolvedRules().resolved(rule, dependency);
    String cluster =
        resolved.takesPart() && resolved.resolution() instanceof Resolution.Known(var known)
            ? known.name()
            : "";
    if (resolved.authority().orElse(null)
        instanceof Authority.Denied(Authority.Reason reason, String message)) {
      return new DependencyState(dependency, resolved, cluster, reason.text(), message);
    }
    if (!resolved.takesPart()) {
      return new DependencyState(
          dependency, resolved, cluster, RuleProblem.PROVIDER_NOT_BOUND, notBound(dependency));
    }
    return switch (resolved.resolution()) {
      case Resolution.Absent(var message) ->
          new DependencyState(
              dependency, resolved, cluster, RuleProblem.WORKSPACE_NOT_FOUND, message);
      case Resolution.Unknown(var message) ->
          new DependencyState(
              dependency, resolved, cluster, RuleProblem.WORKSPACE_UNREADABLE, message);
      case Resolution.Pending() ->
          new DependencyState(dependency, resolved, cluster, PENDING, LOOKING_UP);
      case Resolution.Known(var known) ->
          installed(
              dependency,
              resolved,
              known,
              DeletionGuard.of(rule.enforcement()),
              facts.installations().getOrDefault(known, new Pending()));
    };
  }

  /**
   * The same of every provider that does not take part, whatever else is amiss: who may write rules
   * could otherwise ask by paths which workspaces, exports and types others have.
   */
  static String notBound(Dependency dependency) {
    WorkspacePath path = dependency.export().path();
    return "no workspace "
        + path
        + " is known to bind the dependency APIExport: correct apiExportRef.path, or ask the"
        + " provider's administrators to bind it and to accept its permission claim; the operator"
        + " of the dependency controller sees the cause in its log and in /actuator/status"
        + (SingleSegmentPath.begins(path) ? "; " + SingleSegmentPath.remedy(path) : "");
  }

  /** A guard that is there for other rules, or for this one as it was, may be too weak for it. */
  private static DependencyState installed(
      Dependency dependency,
      ResolvedDependency resolved,
      LogicalCluster cluster,
      DeletionGuard wanted,
      Installation installation) {
    return switch (installation) {
      case Installed(var coverage, _)
          when coverage.guards(GroupResource.of(dependency.target()), wanted) ->
          new DependencyState(dependency, resolved, cluster.name(), INSTALLED, "");
      case Installed(_, _), Pending() ->
          new DependencyState(
              dependency, resolved, cluster.name(), PENDING, "the webhook is being installed");
      case Blocked(var cause, var message) ->
          new DependencyState(dependency, resolved, cluster.name(), cause.reason(), message);
    };
  }

  boolean isInstalled() {
    return state.equals(INSTALLED);
  }

  Map<String, Object> tree() {
    var tree = new LinkedHashMap<String, Object>();
    tree.put("path", of.export().path().value());
    tree.put("resource", GroupResource.of(of.target()).toString());
    if (!cluster.isEmpty()) {
      tree.put("logicalCluster", cluster);
    }
    tree.put("state", state);
    if (!message.isEmpty()) {
      tree.put("message", message);
    }
    return tree;
  }
}
