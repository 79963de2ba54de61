package dev.mooring.cli.why.decide;

import dev.mooring.cli.status.ObjectStatus;
import dev.mooring.cli.why.decide.Cause.Finding;
import dev.mooring.cli.why.decide.Cause.State;
import dev.mooring.cli.why.decide.Remedy.Who;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What keeps a whole type from being synced: its binding, its PublishedResource, its sync agent.
 */
final class TypeCauses {
  /** Conditions without which nothing of a type is synced. */
  private static final Set<String> ESSENTIAL =
      Set.of("Accepted", "SchemaPublished", "Exported", "Syncing", "");

  static final String START_AGENT = "start the sync agent, or look at its log";

  private TypeCauses() {}

  static Optional<Finding> rejected(SyncFacts facts) {
    return ofPublished(
        facts,
        status ->
            ESSENTIAL.contains(status.condition())
                // Other checks say what to do about these.
                && !status.reason().equals("NoEndpoints"));
  }

  static Optional<Finding> troubled(SyncFacts facts) {
    return ofPublished(facts, status -> !ESSENTIAL.contains(status.condition()));
  }

  /** Why related objects are missing, and why what a mutation writes is dropped. */
  static Optional<Finding> unknownPath(SyncFacts facts) {
    return ofPublished(facts, status -> status.reason().equals("UnknownPath"));
  }

  private static Optional<Finding> ofPublished(SyncFacts facts, Predicate<ObjectStatus> which) {
    return facts
        .publication()
        .filter(published -> which.test(published.status()))
        .flatMap(published -> ofPublished(facts, published));
  }

  private static Optional<Finding> ofPublished(SyncFacts facts, Published published) {
    ObjectStatus status = published.status();
    if (status.state() == ObjectStatus.State.ready
        // Whether this object is one of them, other checks say.
        || status.reason().equals(ObjectStatus.OBJECTS_FAILING)) {
      return Optional.empty();
    }
    boolean wanted = status.state() == ObjectStatus.State.off;
    boolean unread = status.reason().equals("Outdated") || status.condition().isEmpty();
    String does =
        wanted
            ? "does not sync"
            : unread
                ? "was not read by a sync agent"
                : ESSENTIAL.contains(status.condition()) ? "is not in force" : "has a problem";
    return (wanted ? State.paused : unread ? State.pending : State.failed)
        .of(status.reason(), "PublishedResource %s %s".formatted(published.name(), does))
        .shownBy(
            "%s %s: %s".formatted(status.condition(), status.reason(), status.message()).strip())
        .fixedBy(
            wanted
                ? Subject.PUBLISHED.remedy(facts, "resume it: spec.synchronization")
                : unread
                    ? Subject.AGENT.remedy(facts, START_AGENT)
                    : remedy(facts, published, status));
  }

  private static Remedy remedy(SyncFacts facts, Published published, ObjectStatus status) {
    return switch (status.reason()) {
      case "ResourceNotFound", "VersionNotServed", "TypeNotReadable" ->
          new Remedy(
              Who.provider,
              "CustomResourceDefinition of kind %s on the service cluster"
                  .formatted(published.object().text("spec", "resource", "kind")),
              "install it, or correct spec.resource of PublishedResource " + published.name(),
              "kubectl get crds; kubectl edit publishedresource " + published.name());
      default ->
          status.condition().equals("Exported")
              ? Subject.AGENT.remedy(
                  facts, "correct the agent's settings, or in kcp what the condition names")
              : Subject.PUBLISHED.remedy(
                  facts, "correct what the condition names; mooring lint checks it");
    };
  }

  static Optional<Finding> unbound(SyncFacts facts) {
    // Of a type that the user may have misspelt, other bindings say nothing.
    return facts.type().isPresent() || facts.meant().isPresent()
        ? Optional.empty()
        : facts.bindings().value().orElse(List.of()).stream()
            .filter(binding -> !binding.isBound())
            .findFirst()
            .flatMap(binding ->
                ofBinding(
                    binding,
                    State.absent.of(
                        "BindingNotBound",
                        "APIBinding %s is not bound, so nothing of export %s is served"
                            .formatted(binding.name(), binding.export()))));
  }

  static Optional<Finding> invalidBinding(SyncFacts facts) {
    return facts
        .binding()
        .filter(binding -> binding.problem().isPresent())
        .flatMap(binding ->
            ofBinding(
                binding,
                State.failed.of(
                    "BindingInvalid", "kcp reports a problem of APIBinding " + binding.name())));
  }

  private static Optional<Finding> ofBinding(Binding binding, Finding finding) {
    String problem = binding.problem().orElse("");
    Finding shown = finding.shownBy(binding.problem().stream().toList());
    return problem.contains("APIExport") && !problem.contains("NamingConflicts")
        ? shown.fixedBy(
            Who.provider,
            "APIExport " + binding.exportTitle(),
            "create the APIExport, correct it, or grant verb bind on it; or the consumer"
                + " corrects spec.reference of APIBinding "
                + binding.name(),
            "kubectl get apiexport %s -o yaml".formatted(binding.export()))
        : shown.fixedBy(
            Who.consumer,
            "APIBinding " + binding.name(),
            "correct what the condition names",
            "kubectl edit apibinding " + binding.name());
  }

  static Optional<Finding> unserved(SyncFacts facts) {
    if (facts.type().isPresent()) {
      return Optional.empty();
    }
    List<String> exports =
        facts.bindings().value().orElse(List.of()).stream().map(Binding::exportTitle).toList();
    String name = facts.asked().substring(facts.asked().indexOf(' ') + 1);
    return State.absent
        .of(
            "TypeNotBound",
            "%s serves no type that is called so: %s%s"
                .formatted(facts.workspace(), facts.asked(), didYouMean(facts)))
        .shownBy(
            facts.bindings() instanceof Fact.Unread<List<Binding>>(var why)
                ? "APIBindings not read: " + why
                : exports.isEmpty()
                    ? "the workspace has no APIBinding"
                    : "the workspace binds only " + String.join(", ", exports))
        .fixedBy(
            Who.consumer,
            "APIBindings of " + facts.workspace(),
            "create an APIBinding to the provider's APIExport, or correct the type or --workspace",
            facts
                .meant()
                .map(meant -> "mooring why " + meant + " " + name)
                .orElse("kubectl kcp bind apiexport PATH:NAME"));
  }

  private static String didYouMean(SyncFacts facts) {
    return facts.meant().map(meant -> "; did you mean " + meant + "?").orElse("");
  }

  static Optional<Finding> absent(SyncFacts facts) {
    return facts.object().isPresent()
        ? Optional.empty()
        : State.absent
            .of(
                "ObjectNotFound",
                "there is no %s in %s%s"
                    .formatted(facts.asked(), facts.workspace(), didYouMean(facts)))
            .fixedBy(
                Who.consumer,
                facts.asked(),
                "correct the name, --namespace or --workspace",
                facts
                    .type()
                    .map(type -> "kubectl get " + type.resource().qualified() + " -A")
                    .orElse(""));
  }

  static Optional<Finding> notSynced(SyncFacts facts) {
    return facts.isSyncedType()
            || facts.bindings().value().isEmpty()
            || facts.object().orElseThrow().deleting()
        ? Optional.empty()
        : State.unsynced
            .of(
                "TypeNotSynced",
                "Mooring does not sync objects of type %s: %s"
                    .formatted(
                        facts.type().orElseThrow().resource().qualified(),
                        facts
                            .binding()
                            .map(each -> "APIExport " + each.exportTitle() + " serves them itself")
                            .orElse("no APIBinding serves it")))
            .fixedBy(
                Remedy.none("nothing; with --deletion this command says what protects the object"));
  }

  static Optional<Finding> unpublished(SyncFacts facts) {
    return facts.published().value().filter(List::isEmpty).isEmpty()
            || facts.object().orElseThrow().deleting()
        ? Optional.empty()
        : State.unsynced
            .of("NotPublished", "no PublishedResource of the service cluster publishes the type")
            .shownBy("the type's schema was made by a sync agent")
            .fixedBy(
                Subject.SERVICE_CLUSTER.remedy(
                    facts, "create the PublishedResource again, or name another service cluster"));
  }

  static Optional<Finding> silent(SyncFacts facts) {
    return facts.agent().value().orElse(null) instanceof AgentView.Silent(var why)
        ? State.pending
            .of("AgentStopped", "the sync agent does not run, or is not at that URL")
            .shownBy(why)
            .fixedBy(Subject.AGENT.remedy(facts, START_AGENT))
        : Optional.empty();
  }

  static Optional<Finding> unready(SyncFacts facts) {
    List<String> reasons =
        facts.agentAnswer().map(AgentView.Answers::reasons).orElse(List.of()).stream()
            .filter(reason -> concerns(facts, reason))
            .toList();
    if (reasons.isEmpty()) {
      return Optional.empty();
    }
    boolean service = reasons.getFirst().startsWith("service cluster");
    boolean kcp = reasons.getFirst().startsWith("kcp");
    return State.pending
        .of(
            service ? "ServiceClusterUnavailable" : kcp ? "KcpUnavailable" : "AgentNotReady",
            "the sync agent cannot work with "
                + (service ? "the service cluster" : kcp ? "kcp" : "one of its clusters"))
        .shownBy(reasons)
        .fixedBy(
            Subject.AGENT.remedy(
                facts,
                "make the server answer the agent: its URL, its certificate, the agent's"
                    + " permissions"));
  }

  /** Reasons about one type begin with its PublishedResource. */
  private static boolean concerns(SyncFacts facts, String reason) {
    return facts.published().value().isEmpty()
        || reason.startsWith("service cluster")
        || reason.startsWith("kcp")
        || facts.publication().filter(it -> reason.startsWith(it.name() + ": ")).isPresent();
  }
}
