package dev.mooring.depcontroller.status.decide;

import dev.mooring.depcontroller.guard.decide.Installation;
import dev.mooring.depcontroller.guard.decide.Installation.Blocked;
import dev.mooring.depcontroller.guard.decide.Installation.Installed;
import dev.mooring.depcontroller.guard.decide.Installation.Pending;
import dev.mooring.depcontroller.workspace.decide.Resolution;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.DependencyRule.Dependency;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.dependency.RuleReading;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The status of a rule: whether it counts, where it leads, and whether it is enforced there. */
public final class RuleConditions {
  private static final String LOOKING_UP = "the provider's workspace is being looked up";

  private final RuleReading reading;
  private final Map<WorkspacePath, Resolution> resolutions;
  private final Map<LogicalCluster, Installation> installations;

  private RuleConditions(
      RuleReading reading,
      Map<WorkspacePath, Resolution> resolutions,
      Map<LogicalCluster, Installation> installations) {
    this.reading = reading;
    this.resolutions = resolutions;
    this.installations = installations;
  }

  /** One condition, without the time of its last transition. */
  private record Condition(String type, String status, String reason, String message) {
    static Condition met(String type, String reason, String message) {
      return new Condition(type, "True", reason, message);
    }

    static Condition unmet(String type, String reason, String message) {
      return new Condition(type, "False", reason, message);
    }

    static Condition unknown(String type, String reason, String message) {
      return new Condition(type, "Unknown", reason, message);
    }

    boolean isMet() {
      return status.equals("True");
    }
  }

  /** One dependency as the status shows it. */
  private record Entry(Dependency of, String cluster, String state, String message) {
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

  /**
   * The status that the rule should have.
   *
   * @param object as it is: a condition that stays keeps the time of its last transition
   * @param now for those that do not
   */
  public static Map<String, Object> status(
      RuleReading reading,
      Map<WorkspacePath, Resolution> resolutions,
      Map<LogicalCluster, Installation> installations,
      KubeObject object,
      Instant now) {
    return new RuleConditions(reading, resolutions, installations).status(object, now);
  }

  /**
   * Whether everything that the status tells of has been looked at. Until then what stands there
   * from before is nearer the truth.
   */
  public static boolean known(
      RuleReading reading,
      Map<WorkspacePath, Resolution> resolutions,
      Map<LogicalCluster, Installation> installations) {
    var conditions = new RuleConditions(reading, resolutions, installations);
    return switch (reading) {
      case RuleReading.Invalid(_, _, _) -> true;
      case RuleReading.Valid(DependencyRule rule) ->
          rule.dependencies().stream().allMatch(conditions::isKnown);
    };
  }

  private boolean isKnown(Dependency dependency) {
    return switch (resolution(dependency)) {
      case Resolution.Absent(_), Resolution.Unknown(_) -> true;
      case Resolution.Pending() -> false;
      case Resolution.Known(var cluster) -> installations.containsKey(cluster);
    };
  }

  private Map<String, Object> status(KubeObject object, Instant now) {
    var status = new LinkedHashMap<String, Object>();
    status.put("observedGeneration", reading.generation());
    var conditions = new ArrayList<Condition>();
    var entries = new ArrayList<Entry>();
    switch (reading) {
      case RuleReading.Invalid(_, _, var problems) ->
          conditions.add(Condition.unmet("Accepted", "Invalid", String.join("; ", problems)));
      case RuleReading.Valid(DependencyRule rule) -> {
        rule.dependencies().forEach(dependency -> entries.add(entry(dependency)));
        conditions.add(Condition.met("Accepted", "Valid", "the rule is well-formed"));
        conditions.add(targetsResolved(rule));
        conditions.add(webhooksInstalled(entries));
      }
    }
    conditions.add(ready(conditions));
    status.put("conditions", conditions.stream().map(c -> tree(c, object, now)).toList());
    status.put("dependencies", entries.stream().map(Entry::tree).toList());
    return Trees.freezeMap(status);
  }

  private Condition targetsResolved(DependencyRule rule) {
    String type = "TargetsResolved";
    for (Dependency dependency : rule.dependencies()) {
      switch (resolution(dependency)) {
        case Resolution.Known(_) -> {}
        case Resolution.Absent(var message) -> {
          return Condition.unmet(type, "WorkspaceNotFound", message);
        }
        case Resolution.Unknown(var message) -> {
          return Condition.unknown(type, "WorkspaceUnreadable", message);
        }
        case Resolution.Pending() -> {
          return Condition.unknown(type, "Pending", LOOKING_UP);
        }
      }
    }
    return Condition.met(type, "Resolved", "every provider's workspace was found");
  }

  private static Condition webhooksInstalled(List<Entry> entries) {
    String type = "WebhooksInstalled";
    return entries.stream()
        .filter(entry -> !entry.state().equals("Installed"))
        .findFirst()
        .map(entry ->
            Condition.unmet(
                type,
                entry.state(),
                GroupResource.of(entry.of().target())
                    + " of "
                    + entry.of().export().path()
                    + ": "
                    + entry.message()))
        .orElseGet(
            () -> Condition.met(type, "Installed", "every provider's workspace asks the webhook"));
  }

  private static Condition ready(List<Condition> conditions) {
    return conditions.stream()
        .filter(condition -> !condition.isMet())
        .findFirst()
        .map(unmet -> Condition.unmet("Ready", unmet.reason(), unmet.message()))
        .orElseGet(() -> Condition.met("Ready", "Protected", "the rule is enforced"));
  }

  private Entry entry(Dependency dependency) {
    return switch (resolution(dependency)) {
      case Resolution.Absent(var message) ->
          new Entry(dependency, "", "WorkspaceNotFound", message);
      case Resolution.Unknown(var message) ->
          new Entry(dependency, "", "WorkspaceUnreadable", message);
      case Resolution.Pending() -> new Entry(dependency, "", "Pending", LOOKING_UP);
      case Resolution.Known(var cluster) -> installed(dependency, cluster);
    };
  }

  private Entry installed(Dependency dependency, LogicalCluster cluster) {
    return switch (installations.getOrDefault(cluster, new Pending())) {
      case Installed(var resources)
          when resources.contains(GroupResource.of(dependency.target())) ->
          new Entry(dependency, cluster.name(), "Installed", "");
      case Installed(_) -> pending(dependency, cluster);
      case Pending() -> pending(dependency, cluster);
      case Blocked(var cause, var message) ->
          new Entry(dependency, cluster.name(), cause.reason(), message);
    };
  }

  private static Entry pending(Dependency dependency, LogicalCluster cluster) {
    return new Entry(dependency, cluster.name(), "Pending", "the webhook is being installed");
  }

  private Resolution resolution(Dependency dependency) {
    return resolutions.getOrDefault(dependency.export().path(), new Resolution.Pending());
  }

  private Map<String, Object> tree(Condition condition, KubeObject object, Instant now) {
    var tree = new LinkedHashMap<String, Object>();
    tree.put("type", condition.type());
    tree.put("status", condition.status());
    tree.put("reason", condition.reason());
    tree.put("message", condition.message());
    tree.put("observedGeneration", reading.generation());
    tree.put("lastTransitionTime", transition(condition, object, now));
    return tree;
  }

  private static String transition(Condition condition, KubeObject object, Instant now) {
    for (Object held : object.list("status", "conditions")) {
      if (condition.type().equals(Trees.at(held, "type"))
          && condition.status().equals(Trees.at(held, "status"))
          && Trees.at(held, "lastTransitionTime") instanceof String since) {
        return since;
      }
    }
    return now.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
