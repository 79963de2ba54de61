package dev.mooring.syncagent.sync;

import static dev.mooring.syncagent.sync.SimulatedAgent.SECRETS;
import static dev.mooring.syncagent.sync.SimulatedAgent.THINGS;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.syncagent.published.SyncMarks;
import dev.mooring.syncagent.simulation.ServerModel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/** Everybody but the agent: consumers, the service's operators, and passers-by. */
final class SimulatedPeople {
  private static final List<String> CLUSTERS = List.of("c1", "c2");
  private static final List<String> NAMES = List.of("a", "b");
  private static final ResourceType NAMESPACES = ResourceType.core("namespaces");

  /** What they do; each seed has some of it only, so that rare things are not always disturbed. */
  enum Deed {
    ORDER,
    EDIT,
    REMOVE_FIELD,
    CANCEL,
    TAKE_BY_FORCE,
    LABEL,
    UNLABEL,
    HOLD_SOURCE,
    LET_GO_OF_SOURCE,
    SET_LOCAL_FIELD,
    REPORT_STATUS,
    DELETE_COPY,
    HOLD_COPY,
    LET_GO_OF_COPY,
    STRIP_MARKS,
    STRIP_IDENTITY,
    PLACE_STRANGER,
    REMOVE_STRANGER,
    MAKE_ORIGINAL,
    EDIT_ORIGINAL,
    DELETE_ORIGINAL,
    SET_LOCAL_VALUE,
    DELETE_RELATED_COPY,
    HOLD_RELATED_COPY,
    PLACE_RELATED_STRANGER
  }

  static final DeleteCondition ANYWAY = new DeleteCondition.Unconditional();

  private final SimulatedWorld world;
  private final RandomGenerator chance;
  private final List<Deed> deeds;
  private final String strangersNamespace;
  private long edits;

  SimulatedPeople(
      SimulatedWorld world, RandomGenerator chance, List<Deed> deeds, String strangersNamespace) {
    this.world = world;
    this.chance = chance;
    this.deeds = deeds;
    this.strangersNamespace = strangersNamespace;
  }

  /** Without Namespaces nothing can be ordered. */
  void moveIn() {
    for (String cluster : CLUSTERS) {
      KubeClient workspace = world.kcp.person(new LogicalCluster(cluster));
      workspace.create(NAMESPACES, named("", "default", Map.of()));
    }
    KubeClient service = world.service.person(LogicalCluster.NONE);
    service.create(NAMESPACES, named("", "agents", Map.of()));
    service.create(NAMESPACES, named("", strangersNamespace, Map.of()));
  }

  /** One deed, or nothing if it is not possible at the moment. */
  void act() {
    try {
      perform(deeds.get(chance.nextInt(deeds.size())));
    } catch (KubeFailure tooLate) {
      // People find out that something is there, gone or going, and leave it at that.
    }
  }

  /** On a Secret beside the thing: its login or its settings. */
  private void performOnCompany(Deed deed, ObjectKey thing, KubeClient workspace) {
    String sort =
        chance.nextBoolean() ? SimulatedRelatedObjects.LOGIN : SimulatedRelatedObjects.SETTINGS;
    String name = world.relatedObjects.name(sort, thing.name());
    KubeClient service = world.service.person(LogicalCluster.NONE);
    boolean fromKcp = sort.equals(SimulatedRelatedObjects.SETTINGS);
    List<KubeObject> copies = world.copiesOf(thing);
    String local = copies.isEmpty() ? thing.cluster().name() : copies.getFirst().namespace();
    KubeClient original = fromKcp ? workspace : service;
    KubeClient copy = fromKcp ? service : workspace;
    String from = fromKcp ? "default" : local;
    String to = fromKcp ? local : "default";
    switch (deed) {
      case MAKE_ORIGINAL -> original.create(SECRETS, secret(from, name, "v" + ++edits));
      case EDIT_ORIGINAL ->
          original.patch(
              SECRETS, from, name, Map.of("data", Map.of("value", "v" + chance.nextInt(2))));
      case DELETE_ORIGINAL -> original.delete(SECRETS, from, name, ANYWAY);
      case SET_LOCAL_VALUE ->
          copy.patch(SECRETS, to, name, Map.of("data", Map.of("local", "l" + ++edits)));
      case DELETE_RELATED_COPY -> copy.delete(SECRETS, to, name, ANYWAY);
      case HOLD_RELATED_COPY ->
          copy.find(SECRETS, to, name)
              .ifPresent(found -> setFinalizers(copy, SECRETS, found, true));
      case PLACE_RELATED_STRANGER -> copy.create(SECRETS, secret(to, name, "s" + ++edits));
      default -> throw new IllegalArgumentException(deed + " is not about related objects");
    }
  }

  private static KubeObject secret(String namespace, String name, String value) {
    return KubeObject.of(
        Map.of(
            "apiVersion",
            "v1",
            "kind",
            "Secret",
            "metadata",
            Map.of("namespace", namespace, "name", name),
            "data",
            Map.of("value", value)));
  }

  /** Nobody holds anything any more. */
  void letGo() {
    for (ServerModel server : List.of(world.kcp, world.service)) {
      for (ObjectKey key : List.copyOf(server.all(SECRETS).keySet())) {
        setFinalizers(server.person(key.cluster()), SECRETS, server.all(SECRETS).get(key), false);
      }
    }
    for (ObjectKey key : List.copyOf(world.kcp.all(THINGS).keySet())) {
      setFinalizers(world.kcp.person(key.cluster()), world.kcp.all(THINGS).get(key), false);
    }
    for (ObjectKey key : List.copyOf(world.service.all(THINGS).keySet())) {
      setFinalizers(world.service.person(key.cluster()), world.service.all(THINGS).get(key), false);
    }
  }

  private void perform(Deed deed) {
    ObjectKey key =
        SimulatedWorld.key(
            CLUSTERS.get(chance.nextInt(CLUSTERS.size())), NAMES.get(chance.nextInt(NAMES.size())));
    KubeClient workspace = world.kcp.person(key.cluster());
    KubeObject source = world.kcp.all(THINGS).get(key);
    KubeClient service = world.service.person(LogicalCluster.NONE);
    List<KubeObject> copies = world.copiesOf(key);
    KubeObject copy = copies.isEmpty() ? null : copies.getFirst();
    switch (deed) {
      case ORDER ->
          workspace.create(
              THINGS,
              named("default", key.name(), Map.of("size", ++edits, "optional", "here"))
                  .with("yes", "metadata", "labels", "wanted"));
      case EDIT -> patch(workspace, source, Map.of("spec", Map.of("size", chance.nextLong(2))));
      case REMOVE_FIELD -> patch(workspace, source, removal("spec", "optional"));
      case CANCEL -> delete(workspace, source);
      case TAKE_BY_FORCE -> {
        // What its related objects leave behind is the matter of RelatedStepsSimulation.
        if (source != null && !world.relatedObjects.isPresent()) {
          world.takeByForce(key);
        }
      }
      case LABEL ->
          patch(workspace, source, Map.of("metadata", Map.of("labels", Map.of("wanted", "yes"))));
      case UNLABEL -> patch(workspace, source, Map.of("metadata", removal("labels", "wanted")));
      case HOLD_SOURCE -> setFinalizers(workspace, source, true);
      case LET_GO_OF_SOURCE -> setFinalizers(workspace, source, false);
      case SET_LOCAL_FIELD -> patch(service, copy, Map.of("spec", Map.of("local", ++edits)));
      case REPORT_STATUS -> {
        if (copy != null) {
          service.patchStatus(
              THINGS,
              copy.namespace(),
              copy.name(),
              Map.of("status", Map.of("phase", "phase-" + ++edits)));
        }
      }
      case DELETE_COPY -> delete(service, copy);
      case HOLD_COPY -> setFinalizers(service, copy, true);
      case LET_GO_OF_COPY -> setFinalizers(service, copy, false);
      case STRIP_MARKS ->
          patch(
              service,
              copy,
              Map.of(
                  "metadata",
                  Map.of(
                      "labels", removal(SyncMarks.AGENT_NAME),
                      "annotations", removal(SyncMarks.SOURCE_NAME))));
      case STRIP_IDENTITY ->
          patch(service, copy, Map.of("metadata", removal("labels", SyncMarks.SOURCE_NAME_HASH)));
      case PLACE_STRANGER -> {
        KubeObject stranger =
            named(strangersNamespace, key.name(), Map.of("size", -1L, "local", ++edits));
        service.create(
            THINGS,
            chance.nextBoolean()
                ? stranger
                : stranger
                    .with("elsewhere", "metadata", "labels", SyncMarks.SOURCE_CLUSTER)
                    .with("another", "metadata", "labels", SyncMarks.AGENT_NAME));
      }
      case REMOVE_STRANGER ->
          delete(
              service,
              world
                  .service
                  .all(THINGS)
                  .get(new ObjectKey(LogicalCluster.NONE, strangersNamespace, key.name())));
      case MAKE_ORIGINAL,
          EDIT_ORIGINAL,
          DELETE_ORIGINAL,
          SET_LOCAL_VALUE,
          DELETE_RELATED_COPY,
          HOLD_RELATED_COPY,
          PLACE_RELATED_STRANGER -> {
        if (world.relatedObjects.isPresent()) {
          performOnCompany(deed, key, workspace);
        }
      }
    }
  }

  private static void patch(KubeClient client, KubeObject object, Map<String, Object> patch) {
    if (object != null) {
      client.patch(THINGS, object.namespace(), object.name(), patch);
    }
  }

  private static void delete(KubeClient client, KubeObject object) {
    if (object != null) {
      client.delete(THINGS, object.namespace(), object.name(), new DeleteCondition.Unconditional());
    }
  }

  private static void setFinalizers(KubeClient client, KubeObject object, boolean held) {
    setFinalizers(client, THINGS, object, held);
  }

  private static void setFinalizers(
      KubeClient client, ResourceType type, KubeObject object, boolean held) {
    if (object == null) {
      return;
    }
    var finalizers = new ArrayList<>(object.finalizers());
    finalizers.remove("example.io/hold");
    if (held) {
      finalizers.addFirst("example.io/hold");
    }
    if (!finalizers.equals(object.finalizers())) {
      client.patch(
          type,
          object.namespace(),
          object.name(),
          Map.of("metadata", Map.of("finalizers", List.copyOf(finalizers))));
    }
  }

  private static Map<String, Object> removal(String field, String... inner) {
    var map = new HashMap<String, Object>();
    map.put(field, inner.length == 0 ? null : removal(inner[0]));
    return map;
  }

  private static KubeObject named(String namespace, String name, Map<String, Object> spec) {
    KubeObject object =
        KubeObject.of(
            Map.of(
                "apiVersion",
                "example.io/v1",
                "kind",
                "Thing",
                "metadata",
                Map.of("name", name),
                "spec",
                spec));
    return namespace.isEmpty() ? object : object.with(namespace, "metadata", "namespace");
  }
}
