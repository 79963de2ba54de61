package dev.mooring.cli.why;

import dev.mooring.cli.CommandFailure;
import dev.mooring.cli.ExitCode;
import dev.mooring.cli.live.LiveOptions;
import dev.mooring.cli.live.Management;
import dev.mooring.cli.live.ManagementUrls;
import dev.mooring.cli.live.ServedType;
import dev.mooring.cli.live.Service;
import dev.mooring.cli.live.ServiceClusterOptions;
import dev.mooring.cli.live.TokenOptions;
import dev.mooring.cli.output.OutputOptions;
import dev.mooring.cli.status.ObjectStatus;
import dev.mooring.cli.why.decide.Binding;
import dev.mooring.cli.why.decide.Cause;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code mooring why}: exit status 1 if there is something to correct, or the deletion is refused.
 */
@Command(
    name = "why",
    description = {
      "Says why a consumer's object is not synced, or why it cannot be deleted: the first cause,"
          + " what shows it, and what to do.",
      "It reads what the caller may read in the object's workspace, on the service cluster and at"
          + " the providers, and changes nothing: a deletion is asked for with dryRun."
    },
    footer = {
      "%nExamples:",
      "  mooring why certificate shop",
      "  mooring why certificate shop --service-kubeconfig service.kubeconfig",
      "  mooring why vpc main -n default -w root:org:team-blue --deletion",
      "  mooring why vpc main --deletion -o json | jq -r .cause.fix"
    })
public final class WhyCommand implements Callable<Integer> {
  private static final int EVENTS_SHOWN = 5;

  @Parameters(
      index = "0",
      paramLabel = "TYPE",
      description = "Plural, singular, short name or kind, with or without .GROUP.")
  private String type;

  @Parameters(index = "1", paramLabel = "NAME", description = "Of the object.")
  private String name;

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAMESPACE",
      description = "Of the object, if its type has namespaces (default: ${DEFAULT-VALUE}).")
  private String namespace = "default";

  @Option(
      names = "--deletion",
      description = "Say why the object cannot be deleted, or why it can be.")
  private boolean deletion;

  @Mixin private LiveOptions live;
  @Mixin private ServiceClusterOptions serviceCluster;
  @Mixin private ManagementUrls management;
  @Mixin private TokenOptions token;
  @Mixin private OutputOptions output;

  @Override
  public Integer call() {
    Explanation explanation;
    Optional<LiveOptions.Server> service = serviceCluster.server(live);
    try (LiveOptions.Server kcp = live.server()) {
      var reader =
          new SyncReader(
              kcp.client(),
              workspace(kcp),
              service.map(LiveOptions.Server::client),
              asked(Service.agent));
      explanation = explained(kcp, reader.read(type, namespace, name));
    } finally {
      service.ifPresent(LiveOptions.Server::close);
    }
    output.print(explanation.table(), explanation.tree());
    return explanation.state().isTrouble() ? ExitCode.FOUND : ExitCode.OK;
  }

  private Optional<Management> asked(Service which) {
    return management.find(which).map(found -> token.authorized(found, live, serviceCluster));
  }

  /** Its path as the URL has it. */
  private static String workspace(LiveOptions.Server kcp) {
    String url = kcp.client().url().toString();
    int at = url.indexOf("/clusters/");
    return at < 0 ? url : "workspace " + url.substring(at + "/clusters/".length());
  }

  private Explanation explained(LiveOptions.Server kcp, SyncFacts facts) {
    return deletion
            && facts.type().isPresent()
            && facts.object().filter(object -> !object.deleting()).isPresent()
        ? ofDeletion(kcp, facts, facts.type().get(), facts.object().orElseThrow())
        : ofSync(facts);
  }

  private static Explanation ofSync(SyncFacts facts) {
    Optional<Cause> cause = SyncCauses.first(facts);
    if (cause.filter(found -> found.finding().reason().equals("ObjectNotFound")).isPresent()) {
      throw CommandFailure.badInput(
          cause.get().finding().message() + "; " + cause.get().finding().fix());
    }
    var explanation =
        new Explanation(
            facts.title() + " in " + facts.workspace(), cause, SyncCauses.stateOf(facts));
    facts.binding().ifPresent(binding -> explanation.add("bound by", bound(binding)));
    explanation.add("published by", published(facts.published()));
    explanation.add("copy", copies(facts.copies()));
    explanation.add(
        "related",
        facts.related().stream().map(each -> each.object() + " " + each.state()).toList());
    explanation.add(
        "event",
        facts.events().value().orElse(List.of()).stream()
            .limit(EVENTS_SHOWN)
            .map(SeenEvent::toString)
            .toList());
    var unread = new ArrayList<String>();
    unread("the workspace's APIBindings", facts.bindings(), unread);
    unread("the object's Events", facts.events(), unread);
    unread("PublishedResources", facts.published(), unread);
    unread("the sync agent", facts.agent(), unread);
    explanation.add("not read", unread);
    return explanation;
  }

  private Explanation ofDeletion(
      LiveOptions.Server kcp, SyncFacts facts, ServedType served, KubeObject object) {
    List<Binding> bindings = facts.bindings().value().orElse(List.of());
    DeletionFacts found =
        new DeletionReader(
                kcp.client(), path -> kcp.connection().client(path), asked(Service.webhook))
            .read(served, object, bindings);
    var explanation =
        new Explanation(
            "deletion of " + facts.title() + " in " + facts.workspace(),
            DeletionCauses.first(found),
            State.allowed);
    facts.binding().ifPresent(binding -> explanation.add("bound by", bound(binding)));
    explanation.add("rule", found.rules().stream().map(WhyCommand::rule).toList());
    var unread = new ArrayList<>(found.unread());
    unread("the workspace's APIBindings", facts.bindings(), unread);
    unread("the dependency webhook", found.webhook(), unread);
    explanation.add("not read", unread);
    return explanation;
  }

  private static void unread(String what, Fact<?> fact, List<String> all) {
    if (fact instanceof Fact.Unread<?>(var why)) {
      all.add(what + ": " + why);
    }
  }

  private static String bound(Binding binding) {
    return "APIBinding %s to %s:%s".formatted(binding.name(), binding.provider(), binding.export());
  }

  private static List<String> published(Fact<List<Published>> published) {
    return switch (published) {
      case Fact.Unread<List<Published>> _ -> List.of();
      case Fact.Known<List<Published>>(var all) when all.isEmpty() ->
          List.of("no PublishedResource");
      case Fact.Known<List<Published>>(var all) ->
          all.stream().map(each -> text(each.status())).toList();
    };
  }

  private static List<String> copies(Fact<List<KubeObject>> copies) {
    return switch (copies) {
      case Fact.Unread<List<KubeObject>> _ -> List.of();
      case Fact.Known<List<KubeObject>>(var all) when all.isEmpty() -> List.of("none");
      case Fact.Known<List<KubeObject>>(var all) -> all.stream().map(WhyCommand::copy).toList();
    };
  }

  private static String copy(KubeObject copy) {
    return "%s %s%s%s on the service cluster"
        .formatted(
            copy.kind(),
            copy.namespace().isEmpty() ? "" : copy.namespace() + "/",
            copy.name(),
            copy.deleting() ? ", being deleted," : "");
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

  private static String text(ObjectStatus status) {
    return status.object()
        + " "
        + status.state()
        + (status.reason().isEmpty() ? "" : " (" + status.reason() + ")");
  }
}
