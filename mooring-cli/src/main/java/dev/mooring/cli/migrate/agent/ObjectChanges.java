package dev.mooring.cli.migrate.agent;

import static dev.mooring.cli.migrate.Change.Verdict.ACT;
import static dev.mooring.cli.migrate.Change.Verdict.CHANGES;
import static dev.mooring.cli.migrate.Change.Verdict.REFUSED;
import static dev.mooring.cli.migrate.Change.Verdict.SAME;

import dev.mooring.cli.live.Titles;
import dev.mooring.cli.migrate.Change;
import dev.mooring.cli.migrate.Change.Verdict;
import dev.mooring.cli.migrate.agent.AgentFacts.Type;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.content.LastKnownState;
import dev.mooring.syncagent.content.decide.CopyNamespace;
import dev.mooring.syncagent.content.decide.GoAgentState;
import dev.mooring.syncagent.content.decide.LastSynced;
import dev.mooring.syncagent.content.decide.SourceMarks;
import dev.mooring.syncagent.content.decide.StateKey;
import dev.mooring.syncagent.content.decide.ValueDigests;
import dev.mooring.syncagent.publish.decide.Publication;
import dev.mooring.syncagent.published.LabelSelector;
import dev.mooring.syncagent.published.SyncMarks;
import dev.mooring.syncagent.sync.decide.CopyLookup;
import dev.mooring.syncagent.sync.decide.CopyName;
import dev.mooring.syncagent.sync.decide.SyncAction;
import dev.mooring.syncagent.sync.decide.SyncPlan;
import dev.mooring.syncagent.sync.decide.SyncPlanner;
import dev.mooring.syncagent.sync.decide.SyncRules;
import dev.mooring.syncagent.sync.decide.SyncSnapshot;
import dev.mooring.syncagent.sync.decide.SyncSnapshot.SourceNamespace;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What becomes of the objects of one PublishedResource: the agent's plan for each of them. */
final class ObjectChanges {
  private static final int FIELDS_MAX = 5;

  private final AgentFacts facts;
  private final Type type;
  private final Map<String, List<KubeObject>> copies = new HashMap<>();
  private final Map<String, KubeObject> byPlace = new HashMap<>();
  private final Map<String, KubeObject> secrets = new HashMap<>();
  private final Map<Outcome, List<String>> found = new LinkedHashMap<>();
  private final Set<ObjectKey> sources = new HashSet<>();

  /**
   * What happens to an object.
   *
   * @param text about those objects, which follow in brackets
   */
  private record Outcome(Verdict verdict, String reason, String text) {}

  ObjectChanges(AgentFacts facts, Type type) {
    this.facts = facts;
    this.type = type;
    for (KubeObject object : type.objects()) {
      byPlace.put(object.namespace() + "/" + object.name(), object);
      if (SourceMarks.isMarked(object)) {
        copies.computeIfAbsent(SourceMarks.identityOf(object), _ -> new ArrayList<>()).add(object);
      }
    }
    facts.secrets().forEach(secret -> secrets.put(secret.name(), secret));
  }

  List<Change> all() {
    if (!(type.publication() instanceof Publication.Ready ready)) {
      return List.of();
    }
    SyncRules rules =
        SyncRules.of(
            facts.flags().agentName(), ready.published(), ready.schema(), facts.flags().adoption());
    for (KubeObject source : type.sources()) {
      source
          .logicalCluster()
          .ifPresent(cluster ->
              source(rules, source, new ObjectKey(cluster, source.namespace(), source.name())));
    }
    orphans();
    leftStates(rules);
    return found.entrySet().stream()
        .map(entry -> change(entry.getKey(), entry.getValue()))
        .toList();
  }

  private Change change(Outcome outcome, List<String> objects) {
    return new Change(
        outcome.verdict(),
        type.title(),
        outcome.reason(),
        "%d %s (%s)".formatted(objects.size(), outcome.text(), AgentChanges.listed(objects)));
  }

  private void add(Verdict verdict, String reason, String text, String object) {
    found.computeIfAbsent(new Outcome(verdict, reason, text), _ -> new ArrayList<>()).add(object);
  }

  private void source(SyncRules rules, KubeObject source, ObjectKey key) {
    sources.add(key);
    String name = name(key);
    List<KubeObject> marked = copies.getOrDefault(SourceMarks.identity(key), List.of());
    List<KubeObject> own =
        marked.stream().filter(copy -> SourceMarks.mayBeOf(rules.agentName(), copy)).toList();
    if (own.isEmpty() && !marked.isEmpty()) {
      String other = SourceMarks.agentOf(marked.getFirst()).orElse("");
      add(
          ACT,
          "AnotherAgentsCopy",
          "sources have a copy with the name of agent %s: start with --agent-name=%s, or they get a second copy"
              .formatted(other, other),
          name);
      return;
    }
    if (!source.deleting() && !source.hasFinalizer(SyncMarks.FINALIZER) && !own.isEmpty()) {
      add(CHANGES, "FinalizerAdded", "sources get the finalizer " + SyncMarks.FINALIZER, name);
    }
    Optional<String> path = Optional.ofNullable(facts.paths().get(key.cluster()));
    KubeObject held = source.deleting() ? source : source.withFinalizer(SyncMarks.FINALIZER);
    CopyName place = CopyName.of(rules, held, key.cluster(), path);
    CopyLookup copy = lookup(StateKey.of(rules.source(), key), own, place);
    SyncPlan plan =
        SyncPlanner.plan(
            new SyncSnapshot(
                rules,
                key,
                Optional.of(held),
                namespace(rules, key),
                copy,
                copy instanceof CopyLookup.Found ? Optional.empty() : Optional.of(place),
                CopyNamespace.PRESENT,
                Optional.empty(),
                path));
    planned(plan, copy, name);
    if (copy instanceof CopyLookup.Found(var object, var past)) {
      placed(object, place, name);
      states(StateKey.of(rules.source(), key), object, past, name);
    }
  }

  private SourceNamespace namespace(SyncRules rules, ObjectKey key) {
    if (key.namespace().isEmpty() || rules.namespaceFilter().equals(LabelSelector.EVERYTHING)) {
      return new SourceNamespace.NotAsked();
    }
    return type.namespaces().stream()
        .filter(each ->
            each.name().equals(key.namespace())
                && each.logicalCluster().equals(Optional.of(key.cluster())))
        .findFirst()
        .<SourceNamespace>map(each -> new SourceNamespace.Labelled(each.labels()))
        .orElseGet(SourceNamespace.Unseen::new);
  }

  private CopyLookup lookup(StateKey key, List<KubeObject> own, CopyName place) {
    if (own.size() > 1) {
      return new CopyLookup.Ambiguous(own.stream().map(Titles::of).toList());
    }
    if (!own.isEmpty()) {
      return new CopyLookup.Found(own.getFirst(), past(key, own.getFirst()));
    }
    return place instanceof CopyName.At(var namespace, var name)
            && byPlace.get(namespace + "/" + name) instanceof KubeObject stranger
        ? new CopyLookup.NameTaken(stranger, ours(key, stranger).or(() -> theirs(key)))
        : new CopyLookup.Missing();
  }

  private LastSynced past(StateKey key, KubeObject copy) {
    return ours(key, copy)
        .or(() -> theirs(key))
        .<LastSynced>map(LastSynced.Known::new)
        .orElseGet(() ->
            copy.annotation(SyncMarks.LAST_KNOWN_STATE).isPresent()
                    || secrets.containsKey(key.secretName())
                ? new LastSynced.Damaged()
                : new LastSynced.NotKept());
  }

  /** As the agent looks for it: an annotation first. */
  private Optional<Map<String, Object>> ours(StateKey key, KubeObject copy) {
    return copy.annotation(SyncMarks.LAST_KNOWN_STATE)
        .flatMap(LastKnownState::read)
        .or(() ->
            Optional.ofNullable(secrets.get(key.secretName()))
                .flatMap(LastKnownState::readFromSecret));
  }

  private Optional<Map<String, Object>> theirs(StateKey key) {
    return Optional.ofNullable(secrets.get(GoAgentState.secretName(key)))
        .flatMap(secret -> new GoAgentState(secret).find(key));
  }

  private void planned(SyncPlan plan, CopyLookup copy, String name) {
    switch (plan) {
      case SyncPlan.InSync(), SyncPlan.Drifted _ -> kept(name);
      case SyncPlan.Skip(var why) ->
          add(SAME, why.text(), "sources are not synced and stay as they are", name);
      case SyncPlan.Await(var why) ->
          add(SAME, why.text(), "sources wait for something else", name);
      case SyncPlan.Refuse(var why, var message) ->
          add(REFUSED, why.text(), "objects are not synced: " + message, name);
      case SyncPlan.Act(var action) -> acted(action, copy, name);
    }
  }

  private void kept(String name) {
    add(SAME, "CopyKept", "copies are found by their labels and stay as they are", name);
  }

  private void acted(SyncAction action, CopyLookup copy, String name) {
    switch (action) {
      case SyncAction.PatchCopy(var _, var patch, var _) when patch.isEmpty() -> kept(name);
      case SyncAction.PatchCopy(var _, var patch, var _) ->
          add(
              CHANGES,
              "CopyPatched",
              "copies are changed: " + String.join(", ", fields(patch)),
              name);
      case SyncAction.AdoptCopy _ when copy instanceof CopyLookup.Found ->
          add(
              CHANGES,
              "StateMissing",
              "copies have no usable last-known state: fields that differ stay until their source"
                  + " changes them",
              name);
      case SyncAction.AdoptCopy _ ->
          add(
              CHANGES,
              "Adopted",
              "objects that have the name of a new copy become the copy and stay as they are",
              name);
      case SyncAction.CreateCopy _, SyncAction.CreateNamespace _ ->
          add(CHANGES, "CopyCreated", "sources have no copy yet and get one", name);
      case SyncAction.PatchSourceStatus _ ->
          add(CHANGES, "StatusWritten", "sources get the status of their copy", name);
      case SyncAction.DeleteCopy _, SyncAction.ReleaseCopy _, SyncAction.RemoveFinalizer _ ->
          add(
              CHANGES,
              "CopyRemoved",
              "sources are being deleted or left the filter: their copies go",
              name);
      case SyncAction.AddFinalizer _ ->
          add(CHANGES, "FinalizerAdded", "sources get the finalizer", name);
    }
  }

  private void placed(KubeObject copy, CopyName place, String name) {
    boolean same =
        place instanceof CopyName.At(var namespace, var wanted)
            && copy.namespace().equals(namespace)
            && copy.name().equals(wanted);
    if (!same) {
      add(
          CHANGES,
          "NameDiffers",
          "copies keep a name that spec.naming does not give; created again they have another one",
          "%s: %s, not %s"
              .formatted(
                  name,
                  Titles.of(copy),
                  place instanceof CopyName.At at ? at.toString() : "a usable name"));
    }
  }

  private void states(StateKey key, KubeObject copy, LastSynced past, String name) {
    Optional<Map<String, Object>> theirs = theirs(key);
    Optional<Map<String, Object>> ours = ours(key, copy);
    if (ours.isPresent() && theirs.isPresent() && !ValueDigests.match(ours.get(), theirs.get())) {
      add(
          ACT,
          "OldState",
          "copies have a state of an earlier time with Mooring, and a different one of"
              + " api-syncagent; Mooring's counts. If api-syncagent ran last, remove Mooring's"
              + " before the start: "
              + "kubectl annotate -A --all %s %s- ; "
                  .formatted(copyType(), SyncMarks.LAST_KNOWN_STATE)
              + AgentChanges.deleteSecrets("mooring-state-", facts.flags().namespace()),
          name);
    } else if (theirs.isPresent() && past.equals(new LastSynced.Known(theirs.get()))) {
      add(
          SAME,
          "StateTakenOver",
          "last-known states of api-syncagent are read on",
          GoAgentState.secretName(key));
    }
  }

  private String copyType() {
    return type.publication() instanceof Publication.Ready(var _, var schema)
        ? schema.onService().resource().qualified()
        : "";
  }

  private void orphans() {
    for (List<KubeObject> marked : copies.values()) {
      for (KubeObject copy : marked) {
        if (SourceMarks.agentOf(copy).equals(Optional.of(facts.flags().agentName()))
            && SourceMarks.sourceOf(copy).filter(key -> !sources.contains(key)).isPresent()) {
          add(
              SAME,
              "SourceMissing",
              "copies stay although their source is not seen: absence alone deletes nothing",
              Titles.of(copy));
        }
      }
    }
  }

  private void leftStates(SyncRules rules) {
    for (KubeObject secret : facts.secrets()) {
      Optional<ObjectKey> source = new GoAgentState(secret).sourceOf(rules.source());
      if (source.isPresent() && !sources.contains(source.get())) {
        add(
            CHANGES,
            "StateOfDeleted",
            "states of api-syncagent whose object is gone are removed, if its workspace exists",
            secret.name());
      }
    }
  }

  private static Set<String> fields(Map<String, Object> patch) {
    var fields = new TreeSet<String>();
    patch.forEach((field, value) -> {
      if (value instanceof Map<?, ?> inner) {
        inner.keySet().forEach(key -> fields.add(field + "." + key));
      } else {
        fields.add(field);
      }
    });
    return fields.stream().limit(FIELDS_MAX).collect(Collectors.toCollection(TreeSet::new));
  }

  private static String name(ObjectKey key) {
    return Titles.of(key.namespace(), key.name())
        + (key.cluster().equals(LogicalCluster.NONE) ? "" : " in " + key.cluster());
  }
}
