package dev.mooring.sandbox.kcp;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.controller.BucketFeed;
import dev.mooring.sandbox.controller.KeyedQueue;
import dev.mooring.sandbox.kcp.decide.BindingPlanner;
import dev.mooring.sandbox.kcp.decide.ExportReference;
import dev.mooring.sandbox.storage.Bucket;
import dev.mooring.sandbox.storage.ListScope;
import dev.mooring.sandbox.storage.ResourceStore;
import dev.mooring.sandbox.storage.StoreEvent;
import dev.mooring.sandbox.storage.StoredObject;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;

/**
 * Knows which change concerns whom: feeds from the store offer keys to the queues of the
 * reconcilers, and keep the indexes that requests are answered from.
 */
final class KcpControllers implements AutoCloseable {
  private static final int WORKERS = 4;

  /** Deletion waits for objects that we do not watch. */
  private static final Duration DRAIN_RECHECK = Duration.ofMillis(100);

  /** A conflict is resolved by people. */
  private static final Duration CONFLICT_RECHECK = Duration.ofMillis(500);

  private final ResourceStore store;
  private final SystemObjects objects;
  private final KcpLookups lookups;
  private final BindingIndex bindings;
  private final BoundApis apis;
  private final ExportsByIdentity exports;
  private final ScheduledExecutorService timer = KeyedQueue.timer("kcp-timer");
  private final KeyedQueue<ObjectKey> workspaceQueue;
  private final KeyedQueue<LogicalCluster> clusterQueue;
  private final KeyedQueue<ObjectKey> typeQueue;
  private final KeyedQueue<ObjectKey> exportQueue;
  private final KeyedQueue<ObjectKey> sliceQueue;
  private final KeyedQueue<ObjectKey> bindingQueue;
  private List<BucketFeed> feeds = List.of();

  /** Who does the work. */
  record Reconcilers(
      WorkspaceReconciler workspaces,
      LogicalClusterReconciler clusters,
      WorkspaceTypeReconciler types,
      ExportReconciler exports,
      EndpointSliceReconciler slices,
      BindingReconciler bindings) {}

  KcpControllers(
      ResourceStore store,
      SystemObjects objects,
      KcpLookups lookups,
      BindingIndex bindings,
      BoundApis apis,
      ExportsByIdentity exports,
      Reconcilers reconcilers) {
    this.store = store;
    this.objects = objects;
    this.lookups = lookups;
    this.bindings = bindings;
    this.apis = apis;
    this.exports = exports;
    workspaceQueue =
        queue(
            "workspaces",
            key -> {
              reconcilers.workspaces().reconcile(key);
              return Optional.empty();
            });
    clusterQueue =
        queue(
            "logicalclusters",
            cluster ->
                switch (reconcilers.clusters().reconcile(cluster)) {
                  case SETTLED -> Optional.empty();
                  case DRAINING -> Optional.of(DRAIN_RECHECK);
                });
    typeQueue =
        queue(
            "workspacetypes",
            key -> {
              reconcilers.types().reconcile(key);
              return Optional.empty();
            });
    exportQueue =
        queue(
            "apiexports",
            key ->
                switch (reconcilers.exports().reconcile(key)) {
                  case SETTLED -> Optional.empty();
                  case WAITING -> Optional.of(CONFLICT_RECHECK);
                });
    sliceQueue =
        queue(
            "apiexportendpointslices",
            key -> {
              reconcilers.slices().reconcile(key);
              return Optional.empty();
            });
    bindingQueue =
        queue(
            "apibindings",
            key ->
                switch (reconcilers.bindings().reconcile(key)) {
                  case SETTLED -> Optional.empty();
                  case WAITING -> Optional.of(CONFLICT_RECHECK);
                  case DRAINING -> Optional.of(DRAIN_RECHECK);
                });
  }

  private <K> KeyedQueue<K> queue(String name, KeyedQueue.Worker<K> worker) {
    return new KeyedQueue<>(name, WORKERS, timer, worker);
  }

  void start() {
    feeds =
        List.of(
            feed(KcpBuckets.WORKSPACES, this::onWorkspace),
            feed(KcpBuckets.LOGICAL_CLUSTERS, this::onCluster),
            feed(KcpBuckets.WORKSPACE_TYPES, event -> typeQueue.offer(key(event))),
            feed(KcpBuckets.EXPORTS, this::onExport),
            feed(KcpBuckets.SCHEMAS, this::onSchema),
            feed(KcpBuckets.SLICES, event -> sliceQueue.offer(key(event))),
            feed(KcpBuckets.BINDINGS, this::onBinding));
  }

  private BucketFeed feed(Bucket bucket, Consumer<StoreEvent> handler) {
    return BucketFeed.start(store, bucket, handler);
  }

  private void onWorkspace(StoreEvent event) {
    workspaceQueue.offer(key(event));
  }

  private void onCluster(StoreEvent event) {
    KubeObject cluster = event.object().object();
    clusterQueue.offer(event.object().address().cluster());
    String owner = cluster.text("spec", "owner", "cluster");
    if (!owner.isEmpty()) {
      workspaceQueue.offer(
          new ObjectKey(new LogicalCluster(owner), "", cluster.text("spec", "owner", "name")));
    }
  }

  private void onExport(StoreEvent event) {
    ObjectKey key = key(event);
    if (event instanceof StoreEvent.Deleted) {
      exports.remove(key);
    } else {
      exports.put(key, event.object().object());
    }
    exportQueue.offer(key);
    bindings.referringTo(key.cluster(), key.name()).forEach(bindingQueue::offer);
    offerSlices(key.cluster(), key.name());
  }

  /** An export may have waited for its schema. */
  private void onSchema(StoreEvent event) {
    if (!(event instanceof StoreEvent.Added)) {
      return;
    }
    LogicalCluster cluster = event.object().address().cluster();
    String schema = event.object().address().name();
    for (StoredObject export : objects.list(KcpBuckets.EXPORTS, cluster)) {
      if (BindingPlanner.schemaNames(export.object()).contains(schema)) {
        bindings.referringTo(cluster, export.address().name()).forEach(bindingQueue::offer);
      }
    }
  }

  private void onBinding(StoreEvent event) {
    ObjectKey key = key(event);
    KubeObject binding = event.object().object();
    if (event instanceof StoreEvent.Deleted) {
      bindings.remove(key);
      // Whoever lost a conflict with it may be served now.
      for (KubeObject other : bindings.in(key.cluster())) {
        bindingQueue.offer(new ObjectKey(key.cluster(), "", other.name()));
      }
    } else {
      bindings.put(key, binding);
    }
    apis.refresh(key.cluster(), bindings.in(key.cluster()))
        .forEach(bucket -> store.closeWatches(ListScope.of(bucket, key.cluster())));
    bindingQueue.offer(key);
    clusterQueue.offer(key.cluster());
    ExportReference reference = ExportReference.ofBinding(binding);
    lookups
        .exportCluster(reference, key.cluster())
        .ifPresent(provider -> offerSlices(provider, reference.name()));
  }

  private void offerSlices(LogicalCluster provider, String export) {
    for (StoredObject slice : objects.list(KcpBuckets.SLICES, provider)) {
      if (ExportReference.ofSlice(slice.object()).name().equals(export)) {
        sliceQueue.offer(slice.address().key());
      }
    }
  }

  private static ObjectKey key(StoreEvent event) {
    return event.object().address().key();
  }

  @Override
  public void close() {
    feeds.forEach(BucketFeed::close);
    List.of(workspaceQueue, typeQueue, exportQueue, sliceQueue, bindingQueue)
        .forEach(KeyedQueue::close);
    clusterQueue.close();
    timer.shutdownNow();
  }
}
