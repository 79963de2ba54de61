package dev.mooring.cli.why;

import dev.mooring.cli.live.Titles;
import dev.mooring.cli.status.ObjectStatus;
import dev.mooring.cli.why.decide.Binding;
import dev.mooring.cli.why.decide.Cause.State;
import dev.mooring.cli.why.decide.DeletionCauses;
import dev.mooring.cli.why.decide.DeletionFacts;
import dev.mooring.cli.why.decide.Fact;
import dev.mooring.cli.why.decide.Published;
import dev.mooring.cli.why.decide.RuleView;
import dev.mooring.cli.why.decide.SeenEvent;
import dev.mooring.cli.why.decide.SyncCauses;
import dev.mooring.cli.why.decide.SyncFacts;
import dev.mooring.model.object.KubeObject;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code mooring why}: exit status 1 if there is something to correct, or the deletion is refused.
 */
@Command(
    name = "why",
    description = {
      "Says why a consumer's object is not synced, or why it cannot be deleted: the cause,"
          + " what shows it, which object has to change, who changes it, and the command.",
      "It reads what the caller may read in the object's workspace, on the service cluster and at"
          + " the providers, and changes nothing: a deletion is asked for with dryRun."
    },
    footer = {
      "%nExamples:",
      "  mooring why certificate shop",
      "  mooring why certificate shop --service-kubeconfig service.kubeconfig",
      "  mooring why vpc main -n default -w root:org:team-blue --deletion",
      "  mooring why vpc/main --deletion -o json | jq -r .cause.fix"
    })
public final class WhyCommand implements Callable<Integer> {
  private static final int EVENTS_SHOWN = 5;

  @Mixin private ObjectOptions options;

  @Option(
      names = "--deletion",
      description = "Say why the object cannot be deleted, or why it can be.")
  private boolean deletion;

  @Override
  public Integer call() {
    return options.answer(read -> {
      SyncFacts facts = ObjectOptions.existing(read.sync());
      boolean canBeDeleted = facts.object().filter(object -> !object.deleting()).isPresent();
      return deletion && canBeDeleted ? ofDeletion(read) : ofSync(facts);
    });
  }

  private static Explanation ofSync(SyncFacts facts) {
    var explanation =
        new Explanation(
            facts.title() + " in " + facts.workspace(), SyncCauses.first(facts), State.synced);
    facts.binding().ifPresent(binding -> explanation.add("bound by", bound(binding)));
    explanation.add(
        "published by", known(facts.published(), "no PublishedResource", WhyCommand::published));
    explanation.add("copy", known(facts.copies(), "none", WhyCommand::copy));
    explanation.add(
        "related",
        facts.related().stream().map(each -> each.object() + " " + each.state()).toList());
    explanation.add(
        "event",
        facts.events().value().orElse(List.of()).stream()
            .limit(EVENTS_SHOWN)
            .map(SeenEvent::toString)
            .toList());
    explanation.addUnread("the workspace's APIBindings", facts.bindings());
    explanation.addUnread("the object's Events", facts.events());
    explanation.addUnread("PublishedResources", facts.published());
    explanation.addUnread("the sync agent", facts.agent());
    return explanation;
  }

  private static Explanation ofDeletion(ObjectOptions.Read read) {
    SyncFacts facts = read.sync();
    DeletionFacts found = read.deletion().apply(facts);
    var explanation =
        new Explanation(
            "deletion of " + facts.title() + " in " + facts.workspace(),
            DeletionCauses.first(found),
            State.allowed);
    facts.binding().ifPresent(binding -> explanation.add("bound by", bound(binding)));
    explanation.add("rule", found.rules().stream().map(WhyCommand::rule).toList());
    explanation.addUnread(found, facts);
    return explanation;
  }

  private static String bound(Binding binding) {
    return "APIBinding %s to %s:%s".formatted(binding.name(), binding.provider(), binding.export());
  }

  /** Empty if it was not read. */
  private static <T> List<String> known(Fact<List<T>> fact, String none, Function<T, String> text) {
    return fact.value().stream()
        .flatMap(all -> all.isEmpty() ? Stream.of(none) : all.stream().map(text))
        .toList();
  }

  private static String copy(KubeObject copy) {
    return "%s %s%s on the service cluster"
        .formatted(copy.kind(), Titles.of(copy), copy.deleting() ? ", being deleted," : "");
  }

  private static String rule(RuleView rule) {
    return "%s: %s %s, mode %s, bypass %s%s"
        .formatted(
            rule.title(),
            rule.dependentType(),
            rule.field(),
            rule.mode(),
            rule.bypass(),
            rule.status().state() == ObjectStatus.State.ready
                ? ""
                : ", " + rule.status().state() + " (" + rule.status().reason() + ")");
  }

  private static String published(Published published) {
    ObjectStatus status = published.status();
    return status.object()
        + " "
        + status.state()
        + (status.reason().isEmpty() ? "" : " (" + status.reason() + ")");
  }
}
