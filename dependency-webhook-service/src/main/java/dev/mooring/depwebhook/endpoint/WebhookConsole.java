package dev.mooring.depwebhook.endpoint;

import dev.mooring.console.Cell;
import dev.mooring.console.Console;
import dev.mooring.console.RulesView;
import dev.mooring.console.Statement;
import dev.mooring.console.Tone;
import dev.mooring.console.View;
import dev.mooring.depwebhook.index.ReferenceIndexes;
import dev.mooring.depwebhook.rules.ProviderPaths;
import dev.mooring.depwebhook.rules.RuleStore;
import dev.mooring.depwebhook.rules.decide.RuleIndex;
import dev.mooring.depwebhook.rules.decide.Rules;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.runtime.access.RightsMonitor;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.stereotype.Component;

/** The webhook's console: its rules, and what blocks a deletion. */
@Component
@ConditionalOnProperty(name = "mooring.dependency-webhook.console", matchIfMissing = true)
record WebhookConsole(
    RuleStore rules,
    ReferenceIndexes indexes,
    RightsMonitor rights,
    ProviderPaths paths,
    BlockersEndpoint blockers)
    implements Console {
  @Override
  public String service() {
    return "Dependency webhook";
  }

  @Override
  public List<Statement> summary() {
    var statements = new ArrayList<Statement>();
    statements.add(
        switch (rules.current()) {
          case Rules.Loaded(var index) ->
              Statement.of(
                  Tone.GOOD,
                  "%d DependencyRules protect %d types.".formatted(index.size(), index.targets()));
          case Rules.Stale(var index, var problem) ->
              Statement.of(
                  Tone.BAD,
                  "%d DependencyRules are stale, so protected deletions are denied: %s"
                      .formatted(index.size(), problem));
          case Rules.Loading(var reason) ->
              Statement.of(Tone.BAD, "Rules are not loaded: " + reason);
        });
    ReferenceIndexes.Status held = indexes.status();
    statements.add(
        Statement.of(
            held.problem().isEmpty() ? Tone.NEUTRAL : Tone.ATTENTION,
            "%d indexes hold %d dependents.%s"
                .formatted(
                    held.indexes(),
                    held.objects(),
                    held.problem().isEmpty() ? "" : " Waiting for: " + held.problem())));
    statements.addAll(Statement.missing(rights.findings().all()));
    return statements;
  }

  @Override
  public List<View> views() {
    return List.of(RulesView.of(this::dependencies), new DeletionsView(blockers).view());
  }

  private RulesView.Rules dependencies() {
    RuleIndex index = rules.current().lastLoaded().orElse(RuleIndex.EMPTY);
    var dependencies = new ArrayList<RulesView.Dependency>();
    for (DependencyRule rule : index.rules()) {
      Cell state =
          rule.problems().isEmpty()
              ? Cell.of(Tone.GOOD, "in force")
              : Cell.of(Tone.ATTENTION, String.join("; ", rule.problems()));
      for (DependencyRule.Dependency dependency : rule.dependencies()) {
        dependencies.add(
            RulesView.Dependency.of(
                rule,
                dependency,
                paths
                    .known(rule.key().cluster())
                    .map(WorkspacePath::value)
                    .orElse(rule.key().cluster().name()),
                dependency.export().path().value(),
                state));
      }
    }
    return new RulesView.Rules(dependencies, List.of());
  }
}
