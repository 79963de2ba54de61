package dev.mooring.cli.why.decide;

import dev.mooring.cli.live.Titles;
import dev.mooring.cli.why.decide.Cause.Check;
import dev.mooring.cli.why.decide.Cause.Finding;
import dev.mooring.cli.why.decide.Cause.State;
import dev.mooring.cli.why.decide.Remedy.Who;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.published.LabelSelector;
import dev.mooring.syncagent.published.PublishedResource;
import dev.mooring.syncagent.published.SyncMarks;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Decides what keeps an object from being synced. The first of {@link #CHECKS} gives the cause. */
public final class SyncCauses {
  /** The order of the checks is the specification: what is present comes before what was said. */
  static final List<Check<SyncFacts>> CHECKS =
      List.of(
          new Check<>("the sync agent accepts the PublishedResource", TypeCauses::rejected),
          new Check<>("the APIBindings are bound", TypeCauses::unbound),
          new Check<>("the workspace serves the type", TypeCauses::unserved),
          new Check<>("the object exists", TypeCauses::absent),
          new Check<>("Mooring syncs objects of the type", TypeCauses::notSynced),
          new Check<>("a PublishedResource publishes the type", TypeCauses::unpublished),
          new Check<>("the sync agent answers", TypeCauses::silent),
          new Check<>("the sync agent reaches both clusters", TypeCauses::unready),
          new Check<>("syncing is not paused", SyncCauses::paused),
          new Check<>("the APIBinding accepts what the export claims", SyncCauses::unaccepted),
          new Check<>("the APIBinding of the type is valid", TypeCauses::invalidBinding),
          new Check<>("nothing holds the copy", SyncCauses::copyHeld),
          new Check<>("the filter selects the object", SyncCauses::filtered),
          new Check<>("the sync agent reports no problem", ReportedCauses::reported),
          new Check<>("nothing else holds the object", SyncCauses::held),
          new Check<>("a sync agent has taken the object", SyncCauses::untaken),
          new Check<>("the copy exists", SyncCauses::copyMissing),
          new Check<>("the sync agent has placed the object", SyncCauses::unplaced),
          new Check<>("the sync agent has seen the last change", SyncCauses::unseen),
          new Check<>("objects can have what the paths name", TypeCauses::unknownPath),
          new Check<>("the related objects exist", SyncCauses::relatedMissing),
          new Check<>("the PublishedResource has no problem", TypeCauses::troubled),
          new Check<>("the sync agent has nothing left to do", SyncCauses::underWay));

  /** The agent's events may be late by as much. */
  private static final Duration LATE = Duration.ofSeconds(15);

  /** kcp keeps Events for an hour. */
  private static final Duration EVENTS_KEPT = Duration.ofMinutes(55);

  private static final String CLAIM_REJECTED = "ClaimRejected";
  private static final String COPY_MISSING = "CopyMissing";
  private static final String COPY_TERMINATING = "CopyTerminating";
  private static final String OUT_OF_FILTER = "OutOfFilter";

  private SyncCauses() {}

  /** Empty if nothing keeps it. */
  public static Optional<Cause> first(SyncFacts facts) {
    return Cause.first(CHECKS, facts);
  }

  private static Optional<Finding> paused(SyncFacts facts) {
    return facts
        .object()
        .flatMap(object -> object.annotation(SyncMarks.PAUSED))
        .filter(value -> !value.equalsIgnoreCase("false"))
        .flatMap(value ->
            State.paused
                .of("Paused", "the object's annotation pauses syncing")
                .shownBy(SyncMarks.PAUSED + "=" + value)
                .fixedBy(
                    Who.consumer,
                    facts.title(),
                    "remove the annotation " + SyncMarks.PAUSED,
                    "kubectl annotate " + facts.kubectlName() + " " + SyncMarks.PAUSED + "-"));
  }

  private static Optional<Finding> unaccepted(SyncFacts facts) {
    return facts
        .binding()
        .filter(binding -> !binding.unaccepted().isEmpty() && isNeeded(facts))
        .flatMap(binding ->
            State.refused
                .of(
                    CLAIM_REJECTED,
                    "APIBinding %s does not accept every claim of export %s"
                        .formatted(binding.name(), binding.export()))
                .shownBy(
                    binding.unaccepted().stream()
                        .map(GroupResource::toString)
                        .collect(Collectors.joining(", ", "not accepted: ", "")))
                .fixedBy(
                    Subject.BINDING.remedy(facts, "accept the claims in spec.permissionClaims")));
  }

  /** An export keeps the claims of entries that are gone: whether one is needed, the agent says. */
  private static boolean isNeeded(SyncFacts facts) {
    boolean complete = facts.related().stream().allMatch(SyncCauses::isThere);
    List<String> events = facts.agentEvents().stream().map(SeenEvent::reason).toList();
    return facts
        .agentAnswer()
        .map(it -> it.object().map(at -> at.reason().equals(CLAIM_REJECTED)).orElse(!complete))
        .orElseGet(() ->
            !complete
                || events.isEmpty()
                || events.stream()
                    .takeWhile(reason -> !reason.equals("ObjectInSync"))
                    .anyMatch(CLAIM_REJECTED::equals));
  }

  private static boolean isThere(RelatedObject related) {
    return related.exists().value().orElse(true);
  }

  private static Optional<Finding> copyHeld(SyncFacts facts) {
    return facts.copies().value().orElse(List.of()).stream()
        .filter(KubeObject::deleting)
        .findFirst()
        .flatMap(copy -> {
          String title = copy.kind() + " " + Titles.of(copy);
          String finalizers = String.join(", ", copy.finalizers());
          return State.terminating
              .of(COPY_TERMINATING, "the copy is being deleted, and its finalizers hold it")
              .shownBy(title + " has finalizers " + finalizers)
              .fixedBy(
                  Who.provider,
                  title + " on the service cluster",
                  "find out what keeps " + finalizers + " from being removed",
                  "kubectl get %s %s -o yaml"
                      .formatted(
                          copy.kind().toLowerCase(Locale.ROOT),
                          copy.name()
                              + (copy.namespace().isEmpty() ? "" : " -n " + copy.namespace())));
        });
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
        : State.skipped
            .of(
                OUT_OF_FILTER,
                "PublishedResource %s does not select the object".formatted(published.get().name()))
            .shownBy(evidence)
            .fixedBy(Subject.OBJECT.remedy(facts, Remedies.of(OUT_OF_FILTER).fix()));
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

  private static Optional<Finding> held(SyncFacts facts) {
    KubeObject object = facts.object().orElseThrow();
    if (!object.deleting()) {
      return Optional.empty();
    }
    List<String> others =
        object.finalizers().stream().filter(each -> !each.startsWith(SyncMarks.GROUP)).toList();
    String evidence = "finalizers: " + String.join(", ", object.finalizers());
    if (!others.isEmpty()) {
      return State.terminating
          .of("HeldByFinalizer", "finalizers of other controllers hold the object")
          .shownBy(evidence)
          .fixedBy(
              Subject.OBJECT.remedy(
                  facts,
                  "find out what keeps " + String.join(", ", others) + " from being removed"));
    }
    return facts.agentEvents().stream().anyMatch(each -> each.reason().equals("ObjectCleanup"))
        ? State.terminating
            .of(COPY_TERMINATING, "the sync agent has begun the deletion, and the copy is not gone")
            .shownBy(evidence)
            .fixedBy(
                Subject.SERVICE_CLUSTER.remedy(
                    facts, "find out which finalizers hold the copy, and what they wait for"))
        : State.terminating
            .of("AgentHasNotCleanedUp", "no sync agent has ended the deletion of the copy")
            .shownBy(evidence)
            .fixedBy(
                Subject.AGENT.remedy(
                    facts,
                    TypeCauses.START_AGENT
                        + "; if no agent syncs the type any more: docs, troubleshoot syncing,"
                        + " Deletion hangs"));
  }

  private static Optional<Finding> untaken(SyncFacts facts) {
    if (facts.isTaken()) {
      return Optional.empty();
    }
    KubeObject object = facts.object().orElseThrow();
    String created = object.text("metadata", "creationTimestamp");
    Optional<String> later =
        facts.siblings().value().orElse(List.of()).stream()
            .filter(each -> each.hasFinalizer(SyncMarks.FINALIZER))
            .filter(each -> each.text("metadata", "creationTimestamp").compareTo(created) > 0)
            .map(Titles::of)
            .findFirst();
    if (later.isPresent() && facts.publication().isEmpty()) {
      return State.skipped
          .of(
              OUT_OF_FILTER,
              "the sync agent takes objects of the type, but not this one: the provider's filter"
                  + " does not select it, or its Namespace")
          .shownBy("created " + created + "; " + later.get() + " is younger and is synced")
          .fixedBy(
              Subject.PUBLISHED.remedy(
                  facts, "say which labels spec.filter asks for, or correct the filter"));
    }
    return State.pending
        .of(
            "NotTaken",
            "no sync agent has taken the object: it lacks the finalizer " + SyncMarks.FINALIZER)
        .shownBy(
            "created "
                + created
                + facts
                    .publication()
                    .map(published ->
                        "; PublishedResource %s says %s"
                            .formatted(published.name(), published.status().state()))
                    .orElse(""))
        .fixedBy(
            Subject.AGENT.remedy(
                facts,
                TypeCauses.START_AGENT + "; see also the conditions of the PublishedResource"));
  }

  private static Optional<Finding> copyMissing(SyncFacts facts) {
    return facts.copies().value().filter(List::isEmpty).isEmpty()
            || facts.agentAnswer().flatMap(AgentView.Answers::object).isPresent()
        ? Optional.empty()
        : State.pending
            .of(
                COPY_MISSING,
                "the service cluster has no copy of the object, which a sync agent has taken")
            .fixedBy(Subject.AGENT.remedy(facts, TypeCauses.START_AGENT));
  }

  /** By its Events alone, of which the one about the copy is the younger. */
  private static Optional<Finding> unplaced(SyncFacts facts) {
    List<SeenEvent> events = facts.agentEvents();
    return facts.agentAnswer().isPresent()
            || facts.copies().value().isPresent()
            || events.isEmpty()
            || !events.stream().allMatch(event -> event.reason().equals("ObjectAccepted"))
        ? Optional.empty()
        : State.pending
            .of(COPY_MISSING, "a sync agent has taken the object, and has not placed its copy yet")
            .shownBy("Event " + events.getFirst())
            .fixedBy(
                Subject.AGENT.remedy(facts, "see in the agent's status what the object waits for"));
  }

  /** Without an agent that answers: its Events follow each change that it carries over. */
  private static Optional<Finding> unseen(SyncFacts facts) {
    Optional<Instant> changed = facts.changed();
    if (facts.agentAnswer().isPresent()
        || facts.events().value().isEmpty()
        || changed.isEmpty()
        || changed.get().plus(LATE).isAfter(facts.now())
        || changed.get().plus(EVENTS_KEPT).isBefore(facts.now())) {
      return Optional.empty();
    }
    Optional<Instant> seen =
        facts.agentEvents().stream()
            .flatMap(event -> event.instant().stream())
            .max(Comparator.naturalOrder());
    return seen.filter(time -> !time.isBefore(changed.get())).isPresent()
        ? Optional.empty()
        : State.pending
            .of("ChangeNotSeen", "no sync agent has carried the object's last change over")
            .shownBy(
                "spec changed %s; the agent's last Event is %s"
                    .formatted(changed.get(), seen.map(Instant::toString).orElse("older")))
            .fixedBy(Subject.AGENT.remedy(facts, TypeCauses.START_AGENT));
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
    return State.pending
        .of("RelatedMissing", "a related object is missing")
        .shownBy(evidence)
        .fixedBy(
            missing.stream()
                .filter(related -> related.origin().equals("kcp"))
                .findFirst()
                .map(related ->
                    new Remedy(
                        Who.consumer,
                        related.object(),
                        "create it in this workspace",
                        "kubectl create -f FILE"))
                .orElseGet(() ->
                    Subject.SERVICE_CLUSTER.remedy(
                        facts, "find out why the service cluster has not created it")));
  }

  private static Optional<Finding> underWay(SyncFacts facts) {
    return facts
        .agentAnswer()
        .flatMap(AgentView.Answers::object)
        .flatMap(report ->
            State.pending
                .of(report.reason(), "the sync agent is at work on the object")
                .shownBy("the sync agent: " + report.message())
                .fixedBy(Remedy.none("nothing; ask again in some seconds")));
  }
}
