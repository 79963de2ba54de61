package dev.mooring.depcontroller.endpoint;

import dev.mooring.console.Cell;
import dev.mooring.console.Console;
import dev.mooring.console.RulesView;
import dev.mooring.console.Statement;
import dev.mooring.console.Tone;
import dev.mooring.console.View;
import dev.mooring.depcontroller.control.DependencyController;
import dev.mooring.depcontroller.guard.decide.Installation;
import dev.mooring.depcontroller.leadership.Leadership;
import dev.mooring.depcontroller.rules.decide.RuleProblem;
import dev.mooring.depcontroller.workspace.decide.Resolution;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.RuleReading;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.runtime.access.RightsMonitor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.stereotype.Component;

/** The controller's console: rules, providers, and what is wrong with them. */
@Component
@ConditionalOnProperty(name = "mooring.dependency-controller.console", matchIfMissing = true)
record ControllerConsole(
    DependencyController controller, Leadership leadership, RightsMonitor rights)
    implements Console {
  @Override
  public String service() {
    return "Dependency controller";
  }

  @Override
  public List<Statement> summary() {
    var overview = controller.overview();
    var statements = new ArrayList<Statement>();
    overview
        .waitingFor()
        .or(leadership::problem)
        .ifPresent(reason -> statements.add(Statement.of(Tone.BAD, reason)));
    statements.add(
        Statement.of(
            Tone.NEUTRAL,
            overview.leader()
                ? "This replica leads: it writes webhook configurations and statuses of rules."
                : "Another replica leads. This one writes nothing."));
    int problems = overview.ruleProblems().size();
    statements.add(
        Statement.of(
            problems > 0 ? Tone.ATTENTION : Tone.GOOD,
            "%d DependencyRules, %d of them partly or fully ineffective."
                .formatted(overview.rules().size(), problems)));
    long blocked =
        overview.installations().values().stream()
            .filter(Installation.Blocked.class::isInstance)
            .count();
    statements.add(
        Statement.of(
            blocked > 0 ? Tone.ATTENTION : Tone.GOOD,
            "%d providers have a webhook configuration to be written, %d of them cannot be written."
                .formatted(overview.installations().size(), blocked)));
    statements.addAll(Statement.missing(rights.findings().all()));
    return statements;
  }

  @Override
  public List<View> views() {
    return List.of(RulesView.of(this::rules));
  }

  private RulesView.Rules rules() {
    var overview = controller.overview();
    Map<ObjectKey, String> cycles = controller.cycles();
    var paths = new HashMap<LogicalCluster, String>();
    overview
        .resolutions()
        .forEach((path, resolution) -> {
          if (resolution instanceof Resolution.Known(var cluster)
              && !path.value().equals(cluster.name())) {
            paths.put(cluster, path.value());
          }
        });
    var dependencies = new ArrayList<RulesView.Dependency>();
    var invalid = new ArrayList<String>();
    for (RuleReading reading : overview.rules()) {
      switch (reading) {
        case RuleReading.Valid(var rule) -> {
          Cell state =
              state(
                  rule,
                  Optional.ofNullable(overview.ruleProblems().get(rule.key())),
                  Optional.ofNullable(cycles.get(rule.key())));
          for (DependencyRule.Dependency dependency : rule.dependencies()) {
            dependencies.add(
                RulesView.Dependency.of(
                    rule,
                    dependency,
                    named(rule.key().cluster(), paths),
                    provider(dependency.export().path(), overview.resolutions(), paths),
                    state));
          }
        }
        case RuleReading.Invalid(var key, var _, var problems) ->
            invalid.add(
                "%s protects nothing: %s"
                    .formatted(DependencyRule.qualifiedName(key), String.join("; ", problems)));
      }
    }
    return new RulesView.Rules(dependencies, invalid);
  }

  private static Cell state(
      DependencyRule rule, Optional<RuleProblem> problem, Optional<String> cycle) {
    if (problem.isPresent()) {
      return Cell.of(Tone.ATTENTION, problem.get().text());
    }
    if (!rule.problems().isEmpty()) {
      return Cell.of(Tone.ATTENTION, String.join("; ", rule.problems()));
    }
    return cycle
        .map(text -> Cell.of(Tone.ATTENTION, "in a cycle: " + text))
        .orElseGet(() -> Cell.of(Tone.GOOD, "in force"));
  }

  private static String provider(
      WorkspacePath path,
      Map<WorkspacePath, Resolution> resolutions,
      Map<LogicalCluster, String> paths) {
    return resolutions.get(path) instanceof Resolution.Known(var cluster)
        ? named(cluster, paths)
        : path.value();
  }

  private static String named(LogicalCluster cluster, Map<LogicalCluster, String> paths) {
    return paths.getOrDefault(cluster, cluster.name());
  }
}
