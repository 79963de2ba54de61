package dev.mooring.sandbox.kcp.shard;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.controller.Informer;
import dev.mooring.sandbox.kcp.object.KcpHashes;
import dev.mooring.sandbox.kcp.object.KcpResources;
import dev.mooring.sandbox.storage.ResourceKey;
import dev.mooring.sandbox.storage.ResourceStore;
import dev.mooring.sandbox.storage.StoreEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A front proxy's index of workspaces: from paths to logical clusters and their shards. Fed by the
 * Shard objects of the workspace root, and by the LogicalClusters and Workspaces of each of these
 * shards; what a shard had stays while it is down. As current as its informers. Thread-safe.
 */
public final class WorkspaceIndex implements AutoCloseable {
  /** It is in memory: longer than any pause of the JVM. */
  private static final Duration ROOT_KNOWN_WITHIN = Duration.ofSeconds(30);

  private final CountDownLatch rootKnown = new CountDownLatch(1);
  private final Function<String, Optional<ResourceStore>> stores;
  private final List<Informer> informers = new ArrayList<>();

  /** Shards that are followed once they run: whether they are is looked up with each request. */
  private final Set<String> awaited = ConcurrentHashMap.newKeySet();

  private final Set<String> followed = new HashSet<>();
  private final Map<LogicalCluster, String> shards = new ConcurrentHashMap<>();

  /** By the logical cluster that contains the workspace, then by name. */
  private final Map<LogicalCluster, Map<String, Target>> workspaces = new ConcurrentHashMap<>();

  /** What a Workspace says about where it leads. */
  private sealed interface Target {
    record Cluster(LogicalCluster cluster) implements Target {}

    record Unavailable() implements Target {}
  }

  /** Where the logical cluster that a path leads to is. */
  public sealed interface Place {
    record OnShard(String shard, LogicalCluster cluster) implements Place {}

    /** A workspace that has no logical cluster at the moment. */
    record Unavailable() implements Place {}
  }

  /**
   * @param stores of shards that run, by name
   */
  public WorkspaceIndex(Function<String, Optional<ResourceStore>> stores) {
    this.stores = stores;
  }

  /**
   * Knows the workspace root when this returns, and all others a moment later.
   *
   * @throws IllegalStateException if the shard with the workspace root does not run
   */
  public void start() {
    follow(
        stores
            .apply(ServerUrls.ROOT_SHARD)
            .orElseThrow(() ->
                new IllegalStateException(
                    "a front proxy needs the shard %s, which does not run; start it first"
                        .formatted(ServerUrls.ROOT_SHARD))),
        Map.of(KcpResources.SHARDS, this::onShard));
    try {
      if (!rootKnown.await(ROOT_KNOWN_WITHIN.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new IllegalStateException("there is no workspace root on the shard root");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void follow(
      ResourceStore store, Map<ResourceKey, Consumer<StoreEvent>> handlers) {
    handlers.forEach((resourceKey, handler) ->
        informers.add(Informer.start("workspace-index", store, resourceKey, handler)));
  }

  private void onShard(StoreEvent event) {
    awaited.add(event.object().key().name());
    awaited.removeIf(this::isFollowed);
  }

  private synchronized boolean isFollowed(String shard) {
    Optional<ResourceStore> store = stores.apply(shard);
    if (store.isPresent() && followed.add(shard)) {
      follow(
          store.get(),
          Map.of(
              KcpResources.LOGICAL_CLUSTERS,
              changed -> onCluster(changed, shard),
              KcpResources.WORKSPACES,
              this::onWorkspace));
    }
    return store.isPresent();
  }

  private void onCluster(StoreEvent event, String shard) {
    LogicalCluster cluster = event.object().key().cluster();
    if (event instanceof StoreEvent.Deleted) {
      shards.remove(cluster, shard);
      workspaces.remove(cluster);
    } else {
      shards.put(cluster, shard);
      if (cluster.equals(KcpResources.ROOT)) {
        rootKnown.countDown();
      }
    }
  }

  private void onWorkspace(StoreEvent event) {
    LogicalCluster parent = event.object().key().cluster();
    String name = event.object().key().name();
    KubeObject workspace = event.object().object();
    String cluster = workspace.text("spec", "cluster");
    String phase = workspace.text("status", "phase");
    workspaces.compute(
        parent,
        (_, before) -> {
          Map<String, Target> children = before == null ? new HashMap<>() : new HashMap<>(before);
          if (event instanceof StoreEvent.Deleted) {
            children.remove(name);
          } else if (phase.equals("Unavailable")) {
            children.put(name, new Target.Unavailable());
          } else if (!cluster.isEmpty()) {
            children.put(name, new Target.Cluster(new LogicalCluster(cluster)));
          } else if (!phase.isEmpty() && !phase.equals("Scheduling")) {
            children.remove(name);
          }
          return children.isEmpty() ? null : Map.copyOf(children);
        });
  }

  /**
   * @param path that begins with the name of a logical cluster, or with {@code user} and a user's
   *     name; empty for one that leads nowhere
   */
  public Optional<Place> find(String path) {
    awaited.removeIf(this::isFollowed);
    String[] segments = path.split(":", -1);
    boolean home = segments.length > 1 && segments[0].equals("user");
    Optional<LogicalCluster> here =
        LogicalCluster.parse(home ? KcpHashes.home(segments[1]) : segments[0]);
    for (int i = home ? 2 : 1; i < segments.length && here.isPresent(); i++) {
      switch (workspaces.getOrDefault(here.get(), Map.of()).get(segments[i])) {
        case null -> here = Optional.empty();
        case Target.Unavailable() -> {
          return Optional.of(new Place.Unavailable());
        }
        case Target.Cluster(LogicalCluster child) -> here = Optional.of(child);
      }
    }
    return here.flatMap(cluster ->
        Optional.ofNullable(shards.get(cluster)).map(shard -> new Place.OnShard(shard, cluster)));
  }

  @Override
  public synchronized void close() {
    informers.forEach(Informer::close);
  }
}
