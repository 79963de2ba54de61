package dev.mooring.sandbox.kcp.cached;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.ResourceCatalog;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.controller.Controller;
import dev.mooring.sandbox.controller.Reconciler;
import dev.mooring.sandbox.controller.StoreFollower;
import dev.mooring.sandbox.controller.SystemObjects;
import dev.mooring.sandbox.kcp.cached.decide.CachedResourcePlanner;
import dev.mooring.sandbox.kcp.cached.decide.CachedResourcePlanner.Copy;
import dev.mooring.sandbox.kcp.cached.decide.CachedResourcePlanner.Counts;
import dev.mooring.sandbox.kcp.cached.decide.CachedResourcePlanner.Selection;
import dev.mooring.sandbox.kcp.cached.decide.CachedResourcePlanner.ServedType;
import dev.mooring.sandbox.kcp.cached.decide.CachedResourcePlanner.Step;
import dev.mooring.sandbox.kcp.export.IdentitySecrets;
import dev.mooring.sandbox.kcp.object.KcpResources;
import dev.mooring.sandbox.kcp.object.decide.CachedResources;
import dev.mooring.sandbox.kcp.shard.Replicas;
import dev.mooring.sandbox.storage.ListScope;
import dev.mooring.sandbox.storage.StorageKey;
import dev.mooring.sandbox.storage.StoreEvent;
import dev.mooring.sandbox.storage.StoredObject;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * kcp's feature CacheAPIs: the objects that CachedResources name are copied to the cache server.
 */
public final class CachedResourceController implements Reconciler<ObjectKey>, AutoCloseable {
  private static final Next SETTLED = new Next.OnEvent();

  /** The write makes no event for the CachedResource. */
  private static final Next AT_ONCE = new Next.After(Duration.ZERO);

  /** Types come and go without an event for the CachedResource. */
  private static final Next UNSERVED = new Next.After(Duration.ofMillis(500));

  private final SystemObjects objects;
  private final ResourceCatalog catalog;
  private final IdentitySecrets secrets;
  private final Replicas replicas;
  private final Controller<ObjectKey> controller;
  private final StoreFollower follower;

  /** CachedResources. Touched by the follower's thread alone. */
  private final Map<Followed, Set<ObjectKey>> interested = new HashMap<>();

  /** The last pass over the objects of each CachedResource. */
  private final Map<ObjectKey, Pass> passes = new ConcurrentHashMap<>();

  /**
   * What was right when all objects had been looked at.
   *
   * @param version of the shard's store
   */
  private record Pass(String uid, long generation, long version) {}

  /** Objects on which CachedResources depend. */
  private record Followed(LogicalCluster cluster, String group, String resource) {}

  private CachedResourceController(
      SystemObjects objects, ResourceCatalog catalog, IdentitySecrets secrets, Replicas replicas) {
    this.objects = objects;
    this.catalog = catalog;
    this.secrets = secrets;
    this.replicas = replicas;
    this.controller = Controller.start("cachedresources", this);
    this.follower = StoreFollower.start("cachedresources", objects.store(), this::saw);
  }

  /**
   * @param objects of the shard
   * @param catalog of everything that is served
   */
  public static CachedResourceController start(
      SystemObjects objects, ResourceCatalog catalog, IdentitySecrets secrets, Replicas replicas) {
    return new CachedResourceController(objects, catalog, secrets, replicas);
  }

  private void saw(StoreEvent event) {
    StorageKey key = event.object().key();
    if (key.resourceKey().equals(KcpResources.CACHED_RESOURCES)) {
      sawCachedResource(key.objectKey(), event);
    }
    var followed =
        new Followed(key.cluster(), key.resourceKey().group(), key.resourceKey().resource());
    interested.getOrDefault(followed, Set.of()).forEach(controller::enqueue);
  }

  private void sawCachedResource(ObjectKey key, StoreEvent event) {
    if (event instanceof StoreEvent.Modified(_, StoredObject previous)) {
      followed(previous).forEach(it -> leave(it, key));
    }
    if (event instanceof StoreEvent.Deleted) {
      followed(event.object()).forEach(it -> leave(it, key));
    } else {
      followed(event.object())
          .forEach(it -> interested.computeIfAbsent(it, _ -> new HashSet<>()).add(key));
      controller.enqueue(key);
    }
  }

  private void leave(Followed followed, ObjectKey key) {
    interested.computeIfPresent(
        followed,
        (_, keys) -> {
          keys.remove(key);
          return keys.isEmpty() ? null : keys;
        });
  }

  private static List<Followed> followed(StoredObject cached) {
    LogicalCluster cluster = cached.key().cluster();
    KubeObject object = cached.object();
    return List.of(
        new Followed(cluster, object.text("spec", "group"), object.text("spec", "resource")),
        new Followed(cluster, KcpResources.SECRETS.group(), KcpResources.SECRETS.resource()));
  }

  @Override
  public Next reconcile(ObjectKey key) throws InterruptedException {
    Optional<StoredObject> read =
        objects.get(KcpResources.CACHED_RESOURCES, key.cluster(), key.name());
    if (read.isEmpty()) {
      passes.remove(key);
      return SETTLED;
    }
    KubeObject cached = read.get().object();
    Optional<ResourceDefinition> definition =
        CachedResources.type(cached).flatMap(type -> catalog.find(key.cluster(), type));
    Step step =
        CachedResourcePlanner.next(
            cached,
            definition.map(CachedResourceController::served),
            secrets.identity(cached, key.cluster()),
            objects.now());
    switch (step) {
      case Step.Update(KubeObject after) -> objects.update(read.get(), after);
      case Step.MakeSecret() -> {
        secrets.make(key);
        return AT_ONCE;
      }
      case Step.Replicate() -> {
        long version = objects.store().version();
        if (hasChanged(cached, definition.orElseThrow(), key)) {
          Counts counts = replicate(cached, definition.orElseThrow(), key);
          KubeObject after = CachedResourcePlanner.replicated(cached, counts, objects.now());
          if (!after.equals(cached)) {
            objects.update(read.get(), after);
          }
          passes.put(key, new Pass(cached.uid(), cached.generation(), version));
        }
      }
      case Step.Purge() -> {
        for (StoredObject copy : copies(cached, key.cluster()).values()) {
          replicas.delete(copy);
        }
        objects.update(read.get(), CachedResourcePlanner.purged(cached, objects.now()));
      }
      case Step.AwaitType() -> {
        return UNSERVED;
      }
      case Step.Await() -> {}
    }
    return SETTLED;
  }

  private static ServedType served(ResourceDefinition definition) {
    return new ServedType(
        definition.type(), definition.kind(), definition.namespaced() ? "Namespaced" : "Cluster");
  }

  /** The copies by their name. */
  private Map<String, StoredObject> copies(KubeObject cached, LogicalCluster cluster) {
    var copies = new HashMap<String, StoredObject>();
    if (!CachedResources.identity(cached).isEmpty()) {
      replicas
          .list(CachedObjects.bucket(cached), cluster)
          .forEach(copy -> copies.put(copy.key().name(), copy));
    }
    return copies;
  }

  private Counts replicate(KubeObject cached, ResourceDefinition definition, ObjectKey key)
      throws InterruptedException {
    Map<String, StoredObject> orphans = copies(cached, key.cluster());
    var scope = ListScope.of(definition.resourceKey(), key.cluster());
    Map<String, Object> wanted = CachedResourcePlanner.matchLabels(cached);
    long settled = settled(cached, key);
    int copies = 0;
    int local = 0;
    for (StoredObject stored : objects.store().list(scope).items()) {
      Optional<StoredObject> copy = Optional.ofNullable(orphans.remove(stored.key().name()));
      Selection selection =
          wanted.isEmpty() ? Selection.SELECTED : Selection.of(wanted, stored.labels());
      local += selection == Selection.SELECTED ? 1 : 0;
      copies += copy.isPresent() ? 1 : 0;
      if (copy.isEmpty() || stored.version() > settled) {
        copies += replicate(cached, definition, stored, selection, copy);
      }
    }
    for (StoredObject orphan : orphans.values()) {
      replicas.delete(orphan);
    }
    return new Counts(local, copies);
  }

  /** Whether an object, or the CachedResource itself, has changed since the last pass. */
  private boolean hasChanged(KubeObject cached, ResourceDefinition definition, ObjectKey key) {
    long last = objects.store().lastEvent(definition.resourceKey(), Optional.of(key.cluster()));
    long settled = settled(cached, key);
    return settled == 0 || last > settled;
  }

  /** Up to which version of the store no object has changed that has a copy. */
  private long settled(KubeObject cached, ObjectKey key) {
    return Optional.ofNullable(passes.get(key))
        .filter(pass -> pass.uid().equals(cached.uid()) && pass.generation() == cached.generation())
        .map(Pass::version)
        .orElse(0L);
  }

  /** How many copies there are more. */
  private int replicate(
      KubeObject cached,
      ResourceDefinition definition,
      StoredObject stored,
      Selection selection,
      Optional<StoredObject> copy)
      throws InterruptedException {
    Copy known =
        copy.<Copy>map(it -> new Copy.Of(Replicas.originalVersion(it.object())))
            .orElseGet(Copy.Missing::new);
    return switch (CachedResourcePlanner.copy(stored.object(), selection, known)) {
      case KEEP -> 0;
      case DELETE -> {
        replicas.delete(copy.orElseThrow());
        yield -1;
      }
      case WRITE -> {
        KubeObject served = definition.converter().toServed(stored.object());
        replicas.write(CachedObjects.bucket(cached), stored, served, copy);
        yield copy.isPresent() ? 0 : 1;
      }
    };
  }

  @Override
  public void close() {
    follower.close();
    controller.close();
  }
}
