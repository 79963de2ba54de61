package dev.mooring.cli.why.decide;

import dev.mooring.cli.status.ObjectStatus;
import dev.mooring.cli.why.decide.Cause.Check;
import dev.mooring.cli.why.decide.Cause.Finding;
import dev.mooring.cli.why.decide.Cause.State;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.published.LabelSelector;
import dev.mooring.syncagent.published.PublishedResource;
import dev.mooring.syncagent.published.SyncMarks;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Decides what keeps an object from being synced. The first of {@link #CHECKS} gives the cause. */
public final class SyncCauses {
  /** The order of the checks is the specification. */
  static final List<Check<SyncFacts>> CHECKS =
      List.of(
          new Check<>("the sync agent accepts the PublishedResource", SyncCauses::rejected),
          new Check<>("the APIBindings are bound", SyncCauses::unbound),
          new Check<>("the workspace serves the type", SyncCauses::unserved),
          new Check<>("the object exists", SyncCauses::absent),
          new Check<>("the sync agent answers", SyncCauses::silent),
          new Check<>("the sync agent reaches both clusters", SyncCauses::unready),
          new Check<>("syncing is not paused", SyncCauses::paused),
          new Check<>("the APIBinding accepts what the export claims", SyncCauses::unaccepted),
          new Check<>("nothing holds the copy", SyncCauses::copyHeld),
          new Check<>("the filter selects the object", SyncCauses::filtered),
          new Check<>("the sync agent reports no problem", SyncCauses::reported),
          new Check<>("nothing else holds the object", SyncCauses::held),
          new Check<>("a sync agent has taken the object", SyncCauses::untaken),
          new Check<>("the related objects exist", SyncCauses::relatedMissing));

  /** Reasons of a pass that goes on by itself. */
  private static final Set<String> UNDER_WAY = Set.of("Syncing", "Related", "RelatedCleanup");

  private static final String ASK_PROVIDER =
      "have the provider start the sync agent, or look at its log";

  private SyncCauses() {}

  /** Empty if nothing keeps it. */
  public static Optional<Cause> first(SyncFacts facts) {
    return Cause.first(CHECKS, facts);
  }

  /** Of an object that no check finds anything about. */
  public static State stateOf(SyncFacts facts) {
    if (facts.agentAnswer().flatMap(AgentView.Answers::object).isPresent()) {
      return State.pending;
    }
    return facts.isTaken() ? State.synced : State.unsynced;
  }

  private static Optional<Finding> rejected(SyncFacts facts) {
    return facts
        .publication()
        .filter(published -> published.status().state() != ObjectStatus.State.ready)
        // Other checks say what to do about these.
        .filter(published -> !published.status().reason().equals("NoEndpoints"))
        .map(published -> {
          ObjectStatus status = published.status();
          boolean wanted = status.state() == ObjectStatus.State.off;
          boolean unseen = status.reason().equals("Outdated") || status.condition().isEmpty();
          return new Finding(
              wanted ? State.paused : unseen ? State.pending : State.failed,
              status.reason(),
              "PublishedResource %s %s"
                  .formatted(
                      published.name(),
                      wanted
                          ? "does not sync"
                          : unseen ? "was not read by a sync agent" : "is not in force"),
              List.of(
                  "%s %s: %s"
                      .formatted(status.condition(), status.reason(), status.message())
                      .strip()),
              wanted
                  ? "have the provider resume it: spec.synchronization"
                  : unseen
                      ? ASK_PROVIDER
                      : "have the provider correct PublishedResource "
                          + published.name()
                          + " on the service cluster; mooring lint checks it");
        });
  }

  private static Optional<Finding> unbound(SyncFacts facts) {
    if (facts.type().isPresent()) {
      return Optional.empty();
    }
    List<Binding> unbound =
        facts.bindings().value().orElse(List.of()).stream()
            .filter(binding -> !binding.isBound())
            .toList();
    return unbound.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Finding(
                State.absent,
                "BindingNotBound",
                "APIBinding %s is not bound, so nothing of export %s is served"
                    .formatted(unbound.getFirst().name(), unbound.getFirst().export()),
                unbound.stream().flatMap(binding -> binding.problem().stream()).toList(),
                "correct spec.reference, or have the provider grant verb bind on the APIExport"));
  }

  private static Optional<Finding> unserved(SyncFacts facts) {
    if (facts.type().isPresent()) {
      return Optional.empty();
    }
    List<String> exports =
        facts.bindings().value().orElse(List.of()).stream()
            .map(binding -> binding.provider() + ":" + binding.export())
            .toList();
    return Optional.of(
        new Finding(
            State.absent,
            "TypeNotBound",
            "%s serves no type that is called so: %s".formatted(facts.workspace(), facts.asked()),
            switch (facts.bindings()) {
              case Fact.Known<List<Binding>> _ ->
                  List.of(
                      exports.isEmpty()
                          ? "the workspace has no APIBinding"
                          : "the workspace binds only " + String.join(", ", exports));
              case Fact.Unread<List<Binding>>(var why) -> List.of("APIBindings not read: " + why);
            },
            "create an APIBinding to the provider's APIExport, or correct the type or --workspace"));
  }

  private static Optional<Finding> absent(SyncFacts facts) {
    return facts.object().isPresent()
        ? Optional.empty()
        : Optional.of(
            new Finding(
                State.absent,
                "ObjectNotFound",
                "there is no %s in %s".formatted(facts.asked(), facts.workspace()),
                List.of(),
                "correct the name, --namespace or --workspace"));
  }

  private static Optional<Finding> silent(SyncFacts facts) {
    return facts.agent().value().orElse(null) instanceof AgentView.Silent(var why)
        ? Optional.of(
            new Finding(
                State.pending,
                "AgentStopped",
                "the sync agent does not run, or is not at that URL",
                List.of(why),
                ASK_PROVIDER))
        : Optional.empty();
  }

  private static Optional<Finding> unready(SyncFacts facts) {
    List<String> reasons =
        facts.agentAnswer().map(AgentView.Answers::reasons).orElse(List.of()).stream()
            .filter(reason -> concerns(facts, reason))
            .toList();
    if (reasons.isEmpty()) {
      return Optional.empty();
    }
    boolean service = reasons.getFirst().startsWith("service cluster");
    boolean kcp = reasons.getFirst().startsWith("kcp");
    return Optional.of(
        new Finding(
            State.pending,
            service ? "ServiceClusterUnavailable" : kcp ? "KcpUnavailable" : "AgentNotReady",
            "the sync agent cannot work with "
                + (service ? "the service cluster" : kcp ? "kcp" : "one of its clusters"),
            reasons,
            "have the provider make the server answer the agent: its URL, its certificate, the"
                + " agent's permissions"));
  }

  /** Reasons about one type begin with its PublishedResource. */
  private static boolean concerns(SyncFacts facts, String reason) {
    return facts.published().value().isEmpty()
        || reason.startsWith("service cluster")
        || reason.startsWith("kcp")
        || facts.publication().filter(it -> reason.startsWith(it.name() + ": ")).isPresent();
  }

  private static Optional<Finding> paused(SyncFacts facts) {
    return facts
        .object()
        .flatMap(object -> object.annotation(SyncMarks.PAUSED))
        .filter(value -> !value.equalsIgnoreCase("false"))
        .map(value ->
            new Finding(
                State.paused,
                "Paused",
                "the object's annotation pauses syncing",
                List.of(SyncMarks.PAUSED + "=" + value),
                "remove the annotation " + SyncMarks.PAUSED));
  }

  private static Optional<Finding> unaccepted(SyncFacts facts) {
    // Without a problem, the agent says, nothing of it was needed.
    if (facts.agentAnswer().filter(it -> it.object().isEmpty()).isPresent()
        && facts.related().stream().allMatch(SyncCauses::isThere)) {
      return Optional.empty();
    }
    return facts
        .binding()
        .filter(binding -> !binding.unaccepted().isEmpty())
        .map(binding ->
            new Finding(
                State.refused,
                "ClaimRejected",
                "APIBinding %s does not accept every claim of export %s"
                    .formatted(binding.name(), binding.export()),
                List.of(
                    "not accepted: "
                        + binding.unaccepted().stream()
                            .map(GroupResource::toString)
                            .collect(Collectors.joining(", "))),
                "accept the claims in spec.permissionClaims of APIBinding " + binding.name()));
  }

  private static boolean isThere(RelatedObject related) {
    return related.exists().value().orElse(true);
  }

  private static Optional<Finding> copyHeld(SyncFacts facts) {
    return facts.copies().value().orElse(List.of()).stream()
        .filter(KubeObject::deleting)
        .findFirst()
        .map(copy ->
            new Finding(
                State.terminating,
                "CopyTerminating",
                "the copy is being deleted, and its finalizers hold it",
                List.of(
                    "%s %s has finalizers %s"
                        .formatted(copy.kind(), place(copy), String.join(", ", copy.finalizers()))),
                "have the provider find out what keeps "
                    + String.join(", ", copy.finalizers())
                    + " from being removed, on the service cluster"));
  }

  static String place(KubeObject object) {
    return (object.namespace().isEmpty() ? "" : object.namespace() + "/") + object.name();
  }

  private static Optional<Finding> filtered(SyncFacts facts) {
    Optional<PublishedResource> published = facts.publication().flatMap(Published::valid);
    if (published.isEmpty() || facts.object().isEmpty() || facts.object().get().deleting()) {
      return Optional.empty();
    }
    var evidence = new ArrayList<String>();
    LabelSelector objects = published.get().resourceFilter();
    if (!objects.matches(facts.object().get().labels())) {
      evidence.add("spec.filter.resource asks for labels of the object: " + text(objects));
    }
    LabelSelector namespaces = published.get().namespaceFilter();
    facts
        .namespaceLabels()
        .value()
        .filter(labels -> !namespaces.matches(labels))
        .ifPresent(_ ->
            evidence.add(
                "spec.filter.namespace asks for labels of the Namespace: " + text(namespaces)));
    return evidence.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Finding(
                State.skipped,
                "OutOfFilter",
                "PublishedResource %s does not select the object".formatted(published.get().name()),
                evidence,
                Remedies.of("OutOfFilter")));
  }

  private static String text(LabelSelector selector) {
    return selector.requirements().stream()
        .map(each ->
            switch (each.operator()) {
              case IN -> each.key() + " in (" + String.join(", ", each.values()) + ")";
              case NOT_IN -> each.key() + " not in (" + String.join(", ", each.values()) + ")";
              case EXISTS -> each.key();
              case DOES_NOT_EXIST -> "no " + each.key();
            })
        .collect(Collectors.joining(", "));
  }

  /** The agent knows it best; without it the latest event is the best there is. */
  private static Optional<Finding> reported(SyncFacts facts) {
    Optional<AgentView.Answers> agent = facts.agentAnswer();
    if (agent.isPresent()) {
      return agent
          .get()
          .object()
          .filter(report -> !UNDER_WAY.contains(report.reason()))
          .map(report ->
              new Finding(
                  state(report.outlook()),
                  report.reason(),
                  sentence(report.reason()),
                  List.of("the sync agent: " + report.message()),
                  Remedies.of(report.reason())));
    }
    return facts.agentEvents().stream()
        .findFirst()
        .filter(SeenEvent::isWarning)
        .map(event ->
            new Finding(
                state(event),
                event.reason(),
                sentence(event.reason()),
                List.of("Event " + event),
                Remedies.of(event.reason())));
  }

  private static String sentence(String reason) {
    return "the sync agent reports " + reason;
  }

  private static State state(SeenEvent event) {
    return switch (event.reason()) {
      case "Paused" -> State.paused;
      case "OutOfFilter" -> State.skipped;
      case "ReconcilingError" ->
          event.message().contains("refuses what syncing") ? State.refused : State.failed;
      default -> State.refused;
    };
  }

  private static State state(String outlook) {
    return switch (outlook) {
      case "failed" -> State.failed;
      case "refused" -> State.refused;
      case "skipped" -> State.skipped;
      default -> State.pending;
    };
  }

  private static Optional<Finding> held(SyncFacts facts) {
    KubeObject object = facts.object().orElseThrow();
    if (!object.deleting()) {
      return Optional.empty();
    }
    List<String> others =
        object.finalizers().stream().filter(each -> !each.startsWith(SyncMarks.GROUP)).toList();
    String finalizers = String.join(", ", object.finalizers());
    return Optional.of(
        others.isEmpty()
            ? new Finding(
                State.terminating,
                "AgentHasNotCleanedUp",
                "no sync agent has ended the deletion of the copy",
                List.of("finalizers: " + finalizers),
                ASK_PROVIDER
                    + "; if no agent syncs the type any more: docs, troubleshoot syncing, Deletion"
                    + " hangs")
            : new Finding(
                State.terminating,
                "HeldByFinalizer",
                "finalizers of other controllers hold the object",
                List.of("finalizers: " + finalizers),
                "find out what keeps " + String.join(", ", others) + " from being removed"));
  }

  private static Optional<Finding> untaken(SyncFacts facts) {
    if (facts.isTaken() || facts.publication().isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new Finding(
            State.pending,
            "NotTaken",
            "no sync agent has taken the object: it lacks the finalizer " + SyncMarks.FINALIZER,
            List.of(
                "created %s; PublishedResource %s says %s"
                    .formatted(
                        facts.object().orElseThrow().text("metadata", "creationTimestamp"),
                        facts.publication().get().name(),
                        facts.publication().get().status().state())),
            ASK_PROVIDER + "; --agent-url says more"));
  }

  private static Optional<Finding> relatedMissing(SyncFacts facts) {
    List<RelatedObject> missing =
        facts.related().stream().filter(related -> !isThere(related)).toList();
    Optional<String> pending = facts.agentAnswer().flatMap(AgentView.Answers::relatedPending);
    if (missing.isEmpty() && pending.isEmpty()) {
      return Optional.empty();
    }
    var evidence = new ArrayList<String>();
    missing.forEach(related ->
        evidence.add(
            "%s of entry %s (origin %s) does not exist in the workspace"
                .formatted(related.object(), related.entry(), related.origin())));
    pending.ifPresent(why -> evidence.add("the sync agent: " + why));
    boolean consumers = missing.stream().anyMatch(related -> related.origin().equals("kcp"));
    return Optional.of(
        new Finding(
            State.pending,
            "RelatedMissing",
            "a related object is missing",
            evidence,
            consumers
                ? "create it in this workspace"
                : "have the provider find out why the service cluster has not created it"));
  }
}
