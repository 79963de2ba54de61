package dev.mooring.syncagent.sync;

import static dev.mooring.syncagent.sync.SimulatedAgent.SECRETS;
import static dev.mooring.syncagent.sync.SimulatedAgent.THINGS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.syncagent.content.decide.SourceMarks;
import dev.mooring.syncagent.content.decide.SyncedContent;
import dev.mooring.syncagent.published.Adoption;
import dev.mooring.syncagent.published.RelatedResource;
import dev.mooring.syncagent.published.SyncMarks;
import dev.mooring.syncagent.simulation.ServerModel;
import dev.mooring.syncagent.simulation.ServerModel.Actor;
import dev.mooring.syncagent.sync.decide.SyncRules;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * Both servers, and what an agent may never do to them, checked at every write: it is true of what
 * is stored, whatever the agent's caches say.
 */
final class SimulatedWorld {
  private static final int RECENT_MAX = 20;

  private final SyncRules rules;
  private final ArrayDeque<String> recent = new ArrayDeque<>();
  private final Set<ObjectKey> takenByForce = new HashSet<>();

  /** By uid: what somebody took the marks of before its source went, so that it was not seen. */
  private final Set<String> lost = new HashSet<>();

  final ServerModel kcp;
  final ServerModel service;
  final SimulatedRelatedObjects relatedObjects;

  SimulatedWorld(SyncRules rules, List<RelatedResource> related, ServerModel.Faults faults) {
    this.rules = rules;
    this.kcp = new ServerModel(faults);
    this.service = new ServerModel(faults);
    this.relatedObjects = new SimulatedRelatedObjects(rules, related, kcp, service);
    kcp.observe(this::wroteInKcp);
    service.observe(this::wroteOnService);
  }

  /** The last changes, for whoever reads a failure. */
  List<String> recently() {
    return List.copyOf(recent);
  }

  private void note(String where, Actor actor, ObjectKey key, KubeObject before, KubeObject after) {
    String what =
        after == null
            ? "removed"
            : before == null ? "made" : String.valueOf(SyncedContent.patch(before, after));
    recent.addLast("%n%s %s %s %s".formatted(where, actor, key, what));
    if (recent.size() > RECENT_MAX) {
      recent.removeFirst();
    }
  }

  /** Without waiting for anybody: what is left of it is not the agent's mistake. */
  void takeByForce(ObjectKey source) {
    takenByForce.add(source);
    KubeClient workspace = kcp.person(source.cluster());
    workspace.patch(
        THINGS,
        source.namespace(),
        source.name(),
        Map.of("metadata", Map.of("finalizers", List.of())));
    workspace.delete(
        THINGS, source.namespace(), source.name(), new DeleteCondition.Unconditional());
  }

  /** Copies that carry the marks of this source. */
  List<KubeObject> copiesOf(ObjectKey source) {
    String identity = SourceMarks.identity(source);
    return service.all(THINGS).values().stream()
        .filter(copy -> SourceMarks.identityOf(copy).equals(identity))
        .toList();
  }

  private void wroteInKcp(
      Actor actor, ResourceType type, ObjectKey key, KubeObject before, KubeObject after) {
    note("kcp", actor, key, before, after);
    if (type.equals(SECRETS)) {
      relatedObjects.wroteInKcp(actor, key, before, after);
    }
    if (type.equals(THINGS) && after == null) {
      loseUnmarked(key);
    }
    if (actor == Actor.PERSON || !type.equals(THINGS)) {
      return;
    }
    var missing = new TreeSet<>(before.finalizers());
    missing.remove(SyncMarks.FINALIZER);
    if (after != null) {
      assertThat(after.at("spec")).as("spec of %s", key).isEqualTo(before.at("spec"));
      missing.removeAll(after.finalizers());
    }
    assertThat(missing).as("others' finalizers that %s lost", key).isEmpty();
    boolean held = after != null && after.hasFinalizer(SyncMarks.FINALIZER);
    if (!held && before.deleting()) {
      assertThat(copiesOf(key))
          .as("copies of %s, which is released", key)
          .noneMatch(SimulatedWorld::isMarked);
    }
  }

  private void loseUnmarked(ObjectKey source) {
    service.all(THINGS).values().stream()
        .filter(copy -> copy.name().equals(source.name()) && !isMarked(copy))
        .forEach(copy -> lost.add(copy.uid()));
  }

  private void wroteOnService(
      Actor actor, ResourceType type, ObjectKey key, KubeObject before, KubeObject after) {
    note("service", actor, key, before, after);
    if (type.equals(SECRETS)) {
      relatedObjects.wroteOnService(actor, key, before, after);
    }
    if (actor == Actor.PERSON || !type.equals(THINGS) || before == null) {
      return;
    }
    boolean ours = before.labels().containsKey(SyncMarks.SOURCE_CLUSTER);
    boolean removed = after == null || after.deleting();
    if (removed) {
      relatedObjects.deleted.put(before.uid(), Set.copyOf(service.all(SECRETS).keySet()));
      assertThat(ours).as("%s, which the agent deleted, was a copy", key).isTrue();
      assertThat(
              before.annotation(SyncMarks.ADOPTED).isEmpty() || rules.adoption() == Adoption.ALWAYS)
          .as("%s, which the agent deleted, was made by it", key)
          .isTrue();
      return;
    }
    if (rules.adoption() != Adoption.ALWAYS) {
      assertThat(before.labels().getOrDefault(SyncMarks.AGENT_NAME, rules.agentName()))
          .as("agent of %s, which was changed", key)
          .isEqualTo(rules.agentName());
    }
    if (!ours && rules.adoption() != Adoption.ALWAYS) {
      assertThat(content(after))
          .as("content of %s as it is adopted", key)
          .isEqualTo(content(before));
      assertThat(rules.adoption()).as("adoption of %s", key).isNotEqualTo(Adoption.NEVER);
    }
    assertThat(after.at("spec", "local"))
        .as("a field of %s that only the copy has", key)
        .isEqualTo(before.at("spec", "local"));
  }

  private static Object content(KubeObject object) {
    return object.at("spec");
  }

  /** What has to be true once nothing happens any more and nothing fails. */
  void checkSettled() {
    for (Map.Entry<ObjectKey, KubeObject> entry : kcp.all(THINGS).entrySet()) {
      checkSource(entry.getKey(), entry.getValue());
    }
    for (KubeObject copy : service.all(THINGS).values()) {
      checkCopy(copy);
    }
    relatedObjects.checkSettled();
  }

  /** Once every agent has started again: of what nobody needs nothing is kept. */
  void checkStates() {
    for (KubeObject secret : service.all(SECRETS).values()) {
      if (secret.labels().containsKey(SyncMarks.OBJECT_STATE)) {
        assertThat(SourceMarks.sourceOf(secret))
            .as("source of the state %s", secret.name())
            .hasValueSatisfying(source ->
                assertThat(kcp.all(THINGS).containsKey(source) || !copiesOf(source).isEmpty())
                    .as("%s or a copy of it is there", source)
                    .isTrue());
      }
    }
  }

  private void checkSource(ObjectKey key, KubeObject source) {
    List<KubeObject> copies = copiesOf(key);
    boolean selected = rules.resourceFilter().matches(source.labels());
    if (source.deleting()) {
      boolean othersHold =
          source.finalizers().stream().anyMatch(f -> !f.equals(SyncMarks.FINALIZER));
      boolean copyIsHeld = copies.stream().anyMatch(copy -> !copy.finalizers().isEmpty());
      assertThat(othersHold || copyIsHeld).as("%s is held by others", key).isTrue();
      assertThat(copyIsHeld || !source.hasFinalizer(SyncMarks.FINALIZER))
          .as("%s is released", key)
          .isTrue();
      return;
    }
    if (!selected) {
      return;
    }
    assertThat(source.hasFinalizer(SyncMarks.FINALIZER)).as("%s is held", key).isTrue();
    if (copies.isEmpty()) {
      assertThat(isTaken(key)).as("%s has no copy because its name is taken", key).isTrue();
      return;
    }
    assertThat(copies).as("copies of %s", key).hasSize(1);
    KubeObject copy = copies.getFirst();
    if (copy.deleting()) {
      return;
    }
    assertThat(copy.labels()).containsEntry(SyncMarks.AGENT_NAME, rules.agentName());
    assertThat(copy.annotations()).containsEntry(SyncMarks.SOURCE_NAME, key.name());
    if (copy.annotation(SyncMarks.ADOPTED).isEmpty()
        && !lost.contains(copy.uid())
        && rules.adoption() != Adoption.ALWAYS) {
      // Nobody edits these in a copy, so they are as the consumer has them.
      for (String field : List.of("size", "optional")) {
        assertThat(copy.at("spec", field))
            .as("%s of the copy of %s", field, key)
            .isEqualTo(source.at("spec", field));
      }
    }
    if (copy.at("status") != null) {
      assertThat(source.at("status")).as("status of %s", key).isEqualTo(copy.at("status"));
    }
  }

  private boolean isTaken(ObjectKey key) {
    return service.all(THINGS).values().stream()
        .filter(object -> !SourceMarks.identityOf(object).equals(SourceMarks.identity(key)))
        .anyMatch(object -> object.name().equals(key.name()) || rules.adoption() == Adoption.NEVER);
  }

  /** What somebody took the marks of while nobody had seen it yet is lost to the agent. */
  static boolean isMarked(KubeObject copy) {
    return copy.labels().containsKey(SyncMarks.SOURCE_CLUSTER)
        && copy.labels().containsKey(SyncMarks.SOURCE_NAME_HASH);
  }

  private void checkCopy(KubeObject copy) {
    if (!isMarked(copy)
        || !Objects.equals(copy.labels().get(SyncMarks.AGENT_NAME), rules.agentName())) {
      return;
    }
    List<ObjectKey> sources = new ArrayList<>();
    SourceMarks.sourceOf(copy).ifPresent(sources::add);
    assertThat(sources).as("sources of %s", copy).hasSize(1);
    if (!takenByForce.contains(sources.getFirst())) {
      assertThat(kcp.all(THINGS)).as("the source of %s", copy).containsKey(sources.getFirst());
    }
  }

  static ObjectKey key(String cluster, String name) {
    return new ObjectKey(new LogicalCluster(cluster), "default", name);
  }
}
