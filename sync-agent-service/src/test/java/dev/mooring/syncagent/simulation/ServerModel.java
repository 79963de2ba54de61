package dev.mooring.syncagent.simulation;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.MergePatch;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeFailure.Kind;
import dev.mooring.runtime.client.KubeReader;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * What matters of an API server to something that keeps objects in step: names, versions,
 * preconditions, finalizers, namespaces, a status of its own, and a log that watches read. One
 * thread; clusters of kcp are told apart by the key.
 */
public final class ServerModel {
  static final ResourceType NAMESPACES = ResourceType.core("namespaces");

  /** Stands for all clusters, in lists. */
  static final LogicalCluster EVERY = new LogicalCluster("every");

  private final TreeMap<ResourceType, TreeMap<ObjectKey, KubeObject>> stored = new TreeMap<>();
  private final List<LogEntry> log = new ArrayList<>();
  private final Set<LogicalCluster> removedClusters = new HashSet<>();
  private final Faults faults;
  private WriteObserver observer = (_, _, _, _, _) -> {};
  private Predicate<ResourceType> served = _ -> true;
  private Actor actor = Actor.PERSON;
  private long version;
  private long uids;
  private int writes;

  /** One change, as watches are told of it. */
  public record LogEntry(ResourceType type, ObjectKey key, KubeObject object, What what) {}

  /** What a change was. */
  public enum What {
    STORED,
    REMOVED
  }

  /** Who sent a request. */
  public enum Actor {
    AGENT,
    PERSON
  }

  /** Is told of every change as it happens; null for what is not there. May fail the test. */
  @FunctionalInterface
  public interface WriteObserver {
    void wrote(Actor actor, ResourceType type, ObjectKey key, KubeObject before, KubeObject after);
  }

  /** What may go wrong with a request. */
  public interface Faults {
    Faults NONE =
        new Faults() {
          @Override
          public void before(String verb) {}

          @Override
          public void after(String verb) {}
        };

    /** May throw: then the request was not carried out. */
    void before(String verb);

    /** May throw: then the request was carried out, and nobody was told. */
    void after(String verb);

    /** As {@link #after}, once an object was created. */
    default void created(ResourceType type) {}

    /** May throw: then the object was refused. */
    default void creating(ResourceType type, ObjectKey key) {}

    /** May throw: then the object was not changed. */
    default void changing(ResourceType type, ObjectKey key) {}
  }

  public ServerModel(Faults faults) {
    this.faults = faults;
  }

  /** Of a workspace; or of a server without workspaces, for {@link LogicalCluster#NONE}. */
  public KubeClient client(LogicalCluster cluster) {
    return new ModelClient(this, cluster, faults, Actor.AGENT);
  }

  /** For lists over all clusters. */
  public KubeReader everyCluster() {
    return client(EVERY);
  }

  /** With all that is in it, whoever holds that; it is never known again. */
  public void removeCluster(LogicalCluster cluster) {
    removedClusters.add(cluster);
    for (ResourceType type : List.copyOf(stored.keySet())) {
      Map.copyOf(all(type)).entrySet().stream()
          .filter(entry -> entry.getKey().cluster().equals(cluster))
          .sorted(Map.Entry.comparingByKey())
          .forEach(entry -> remove(type, entry.getKey(), entry.getValue()));
    }
  }

  /** As kcp answers, which does not say what it does not know. */
  void check(LogicalCluster cluster) {
    if (removedClusters.contains(cluster)) {
      throw failure(Kind.FORBIDDEN, 403, "access denied");
    }
  }

  /** Until the next call, agents are told of all other types that they are not served. */
  public void serve(Predicate<ResourceType> types) {
    served = types;
  }

  Optional<KubeFailure> notServed(ResourceType type) {
    return served.test(type)
        ? Optional.empty()
        : Optional.of(failure(Kind.NOT_SERVED, 404, "404 page not found"));
  }

  /** Puts back what was only out of sight: the very object. */
  public void restore(ResourceType type, ObjectKey key, KubeObject object) {
    store(type, key, object);
  }

  /** As somebody whose requests never fail by accident. */
  public KubeClient person(LogicalCluster cluster) {
    return new ModelClient(this, cluster, Faults.NONE, Actor.PERSON);
  }

  public void observe(WriteObserver watching) {
    observer = watching;
  }

  void as(Actor whose) {
    actor = whose;
  }

  /** Sorted by key; the same in every version of the type. */
  public Map<ObjectKey, KubeObject> all(ResourceType type) {
    return stored.computeIfAbsent(anyVersion(type), _ -> new TreeMap<>());
  }

  private static ResourceType anyVersion(ResourceType type) {
    return new ResourceType(type.group(), "any", type.resource());
  }

  /** Everything that happened, in order; grows only. */
  List<LogEntry> log() {
    return log;
  }

  /** Requests that changed something. */
  public int writes() {
    return writes;
  }

  Optional<KubeObject> find(ResourceType type, ObjectKey key) {
    return Optional.ofNullable(all(type).get(key));
  }

  KubeObject create(ResourceType type, ObjectKey key, KubeObject object) {
    if (all(type).containsKey(key)) {
      throw failure(Kind.ALREADY_EXISTS, 409, key + " already exists");
    }
    if (!key.namespace().isEmpty()) {
      KubeObject namespace = all(NAMESPACES).get(new ObjectKey(key.cluster(), "", key.namespace()));
      if (namespace == null) {
        throw failure(Kind.NOT_FOUND, 404, "namespace " + key.namespace() + " not found");
      }
      if (namespace.deleting()) {
        throw failure(Kind.FORBIDDEN, 403, "namespace is being terminated");
      }
    }
    KubeObject made =
        object.with("uid-" + ++uids, "metadata", "uid").without("metadata", "resourceVersion");
    if (!key.cluster().equals(LogicalCluster.NONE)) {
      made = made.with(key.cluster().name(), "metadata", "annotations", LogicalCluster.ANNOTATION);
    }
    return store(type, key, made);
  }

  KubeObject patch(ResourceType type, ObjectKey key, Map<String, Object> patch) {
    KubeObject before = existing(type, key);
    check(before, patch);
    KubeObject after =
        MergePatch.apply(before, patch)
            .with(before.resourceVersion(), "metadata", "resourceVersion");
    Object status = before.at("status");
    after = status == null ? after.without("status") : after.with(status, "status");
    if (before.deleting() && !before.finalizers().containsAll(after.finalizers())) {
      throw failure(Kind.INVALID, 422, "no new finalizers can be added while being deleted");
    }
    return settle(type, key, before, after);
  }

  KubeObject update(ResourceType type, ObjectKey key, KubeObject object) {
    KubeObject before = existing(type, key);
    check(before, object.tree());
    return settle(type, key, before, object.with(before.uid(), "metadata", "uid"));
  }

  /** Discovery of the types that are modelled. */
  KubeObject document(String path) {
    List<Object> resources =
        switch (path.replaceFirst("^/", "")) {
          case "api/v1" ->
              List.of(
                  Map.of("name", "secrets", "kind", "Secret", "namespaced", true),
                  Map.of("name", "namespaces", "kind", "Namespace", "namespaced", false));
          case "apis/example.io/v1", "apis/example.io/v2" ->
              List.of(Map.of("name", "widgets", "kind", "Widget", "namespaced", true));
          default -> throw failure(Kind.NOT_SERVED, 404, path + " is not modelled");
        };
    return KubeObject.of(Map.of("resources", resources));
  }

  KubeObject updateStatus(ResourceType type, ObjectKey key, KubeObject object) {
    KubeObject before = existing(type, key);
    if (!before.resourceVersion().equals(object.resourceVersion())) {
      throw failure(Kind.CONFLICT, 409, "the object has been modified");
    }
    Object status = object.at("status");
    return settle(
        type,
        key,
        before,
        status == null ? before.without("status") : before.with(status, "status"));
  }

  KubeObject patchStatus(ResourceType type, ObjectKey key, Object status) {
    KubeObject before = existing(type, key);
    return settle(type, key, before, before.with(status, "status"));
  }

  void delete(ResourceType type, ObjectKey key, DeleteCondition condition) {
    KubeObject before = existing(type, key);
    boolean holds =
        switch (condition) {
          case DeleteCondition.Unconditional() -> true;
          case DeleteCondition.SameObject(var uid) -> before.uid().equals(uid);
          case DeleteCondition.Unchanged(var uid, var seen, var _) ->
              before.uid().equals(uid) && before.resourceVersion().equals(seen);
          case DeleteCondition.DryRun() -> throw failure(Kind.INVALID, 400, "the agent deletes");
        };
    if (!holds) {
      throw failure(Kind.CONFLICT, 409, "the precondition does not hold");
    }
    if (type.equals(NAMESPACES)) {
      terminate(key, before);
    } else if (before.finalizers().isEmpty()) {
      remove(type, key, before);
    } else if (!before.deleting()) {
      store(type, key, before.with("2026-01-01T00:00:00Z", "metadata", "deletionTimestamp"));
    }
  }

  static KubeFailure failure(Kind kind, int code, String message) {
    return new KubeFailure(kind, code, "", message, null, null);
  }

  private KubeObject existing(ResourceType type, ObjectKey key) {
    return find(type, key).orElseThrow(() -> failure(Kind.NOT_FOUND, 404, key + " not found"));
  }

  private static void check(KubeObject before, Map<String, Object> patch) {
    Object seen = Trees.at(patch, "metadata", "resourceVersion");
    Object uid = Trees.at(patch, "metadata", "uid");
    if (seen != null && !seen.equals(before.resourceVersion())
        || uid != null && !uid.equals(before.uid())) {
      throw failure(Kind.CONFLICT, 409, "the object has been modified");
    }
  }

  private KubeObject settle(ResourceType type, ObjectKey key, KubeObject before, KubeObject after) {
    if (after.equals(before)) {
      return before;
    }
    if (after.deleting() && after.finalizers().isEmpty()) {
      remove(type, key, after);
      return after;
    }
    return store(type, key, after);
  }

  private KubeObject store(ResourceType type, ObjectKey key, KubeObject object) {
    KubeObject versioned = object.with(Long.toString(++version), "metadata", "resourceVersion");
    KubeObject before = all(type).put(key, versioned);
    observer.wrote(actor, type, key, before, versioned);
    log.add(new LogEntry(type, key, versioned, What.STORED));
    writes++;
    return versioned;
  }

  private void remove(ResourceType type, ObjectKey key, KubeObject last) {
    KubeObject before = all(type).remove(key);
    KubeObject versioned = last.with(Long.toString(++version), "metadata", "resourceVersion");
    observer.wrote(actor, type, key, before, null);
    log.add(new LogEntry(type, key, versioned, What.REMOVED));
    writes++;
    endNamespace(new ObjectKey(key.cluster(), "", nonEmpty(key.namespace())));
  }

  /** Deletes what is in the Namespace; it goes with the last of that. */
  private void terminate(ObjectKey key, KubeObject namespace) {
    if (!namespace.deleting()) {
      store(
          NAMESPACES, key, namespace.with("2026-01-01T00:00:00Z", "metadata", "deletionTimestamp"));
    }
    for (ResourceType type : List.copyOf(stored.keySet())) {
      for (ObjectKey inside : List.copyOf(all(type).keySet())) {
        if (isIn(inside, key)) {
          Actor whose = actor;
          actor = Actor.PERSON; // the namespace controller
          delete(type, inside, new DeleteCondition.Unconditional());
          actor = whose;
        }
      }
    }
    endNamespace(key);
  }

  private void endNamespace(ObjectKey key) {
    KubeObject namespace = all(NAMESPACES).get(key);
    boolean empty =
        stored.values().stream()
            .flatMap(objects -> objects.keySet().stream())
            .noneMatch(inside -> isIn(inside, key));
    if (namespace != null && namespace.deleting() && empty) {
      all(NAMESPACES).remove(key);
      log.add(new LogEntry(NAMESPACES, key, namespace, What.REMOVED));
    }
  }

  private static boolean isIn(ObjectKey inside, ObjectKey namespace) {
    return inside.cluster().equals(namespace.cluster())
        && inside.namespace().equals(namespace.name());
  }

  /** No object is in a Namespace of this name. */
  private static String nonEmpty(String namespace) {
    return namespace.isEmpty() ? "-" : namespace;
  }
}
