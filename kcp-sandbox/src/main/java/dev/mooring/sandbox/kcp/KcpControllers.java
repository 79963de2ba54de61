package dev.mooring.sandbox.kcp;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.controller.BucketFeed;
import dev.mooring.sandbox.controller.Controller;
import dev.mooring.sandbox.controller.Reconciler.Next;
import dev.mooring.sandbox.kcp.decide.BindingPlanner;
import dev.mooring.sandbox.kcp.decide.ExportReference;
import dev.mooring.sandbox.storage.Bucket;
import dev.mooring.sandbox.storage.ResourceStore;
import dev.mooring.sandbox.storage.StoreEvent;
import dev.mooring.sandbox.storage.StoredObject;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * Knows which change concerns whom: feeds from the store enqueue keys at the controllers of the
 * reconcilers, and keep the indexes that requests are answered from.
 */
final class KcpControllers implements AutoCloseable {
  private static final Next SETTLED = new Next.OnEvent();
  private static final Next AT_ONCE = new Next.After(Duration.ZERO);

  /** Deletion waits for objects that we do not watch. */
  private static final Next DRAINING = new Next.After(Duration.ofMillis(100));

  /** A conflict, or a refusal, is resolved by people. */
  private static final Next WAITING = new Next.After(Duration.ofMillis(500));

  private final ResourceStore store;
  private final SystemObjects objects;
  private final KcpLookups lookups;
  private final BindingIndex bindingIndex;
  private final BoundApis apis;
  private final ExportsByIdentity exportsByIdentity;
  private final Controller<ObjectKey> workspaces;
  private final Controller<LogicalCluster> clusters;
  private final Controller<ObjectKey> types;
  private final Controller<ObjectKey> exports;
  private final Controller<ObjectKey> slices;
  private final Controller<ObjectKey> bindings;
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
      BindingIndex bindingIndex,
      BoundApis apis,
      ExportsByIdentity exportsByIdentity,
      Reconcilers reconcilers) {
    this.store = store;
    this.objects = objects;
    this.lookups = lookups;
    this.bindingIndex = bindingIndex;
    this.apis = apis;
    this.exportsByIdentity = exportsByIdentity;
    workspaces =
        Controller.start(
            "workspaces",
            key -> {
              reconcilers.workspaces().reconcile(key);
              return SETTLED;
            });
    clusters =
        Controller.start(
            "logicalclusters",
            cluster ->
                switch (reconcilers.clusters().reconcile(cluster)) {
                  case SETTLED -> SETTLED;
                  case DRAINING -> DRAINING;
                  case WAITING -> WAITING;
                });
    types =
        Controller.start(
            "workspacetypes",
            key -> {
              reconcilers.types().reconcile(key);
              return SETTLED;
            });
    exports =
        Controller.start(
            "apiexports",
            key ->
                switch (reconcilers.exports().reconcile(key)) {
                  case SETTLED -> SETTLED;
                  case GOING_ON -> AT_ONCE;
                  case WAITING -> WAITING;
                });
    slices =
        Controller.start(
            "apiexportendpointslices",
            key -> {
              reconcilers.slices().reconcile(key);
              return SETTLED;
            });
    bindings =
        Controller.start(
            "apibindings",
            key ->
                switch (reconcilers.bindings().reconcile(key)) {
                  case SETTLED -> SETTLED;
                  case WAITING -> WAITING;
                  case DRAINING -> DRAINING;
                });
  }

  void start() {
    feeds =
        List.of(
            feed(KcpBuckets.WORKSPACES, this::onWorkspace),
            feed(KcpBuckets.LOGICAL_CLUSTERS, this::onCluster),
            feed(KcpBuckets.WORKSPACE_TYPES, event -> types.enqueue(key(event))),
            feed(KcpBuckets.EXPORTS, this::onExport),
            feed(KcpBuckets.SCHEMAS, this::onSchema),
            feed(KcpBuckets.SLICES, this::onSlice),
            feed(KcpBuckets.BINDINGS, this::onBinding));
  }

  private BucketFeed feed(Bucket bucket, Consumer<StoreEvent> handler) {
    return BucketFeed.start("kcp", store, bucket, handler);
  }

  private void onWorkspace(StoreEvent event) {
    workspaces.enqueue(key(event));
  }

  private void onCluster(StoreEvent event) {
    KubeObject cluster = event.object().object();
    if (event instanceof StoreEvent.Deleted) {
      // What was created between the last look into the cluster and its end.
      objects.sweep(event.object().address().cluster());
    }
    clusters.enqueue(event.object().address().cluster());
    String owner = cluster.text("spec", "owner", "cluster");
    if (!owner.isEmpty()) {
      workspaces.enqueue(
          new ObjectKey(new LogicalCluster(owner), "", cluster.text("spec", "owner", "name")));
    }
  }

  private void onExport(StoreEvent event) {
    ObjectKey key = key(event);
    if (event instanceof StoreEvent.Deleted) {
      exportsByIdentity.remove(key);
    } else {
      exportsByIdentity.put(key, event.object().object());
    }
    exports.enqueue(key);
    bindingIndex.referringTo(key.cluster(), key.name()).forEach(bindings::enqueue);
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
        bindingIndex.referringTo(cluster, export.address().name()).forEach(bindings::enqueue);
      }
    }
  }

  private void onBinding(StoreEvent event) {
    ObjectKey key = key(event);
    KubeObject binding = event.object().object();
    if (event instanceof StoreEvent.Deleted) {
      bindingIndex.remove(key);
      // Whoever lost a conflict with it may be served now.
      for (KubeObject other : bindingIndex.in(key.cluster())) {
        bindings.enqueue(new ObjectKey(key.cluster(), "", other.name()));
      }
    } else {
      bindingIndex.put(key, binding);
    }
    apis.refresh(key.cluster(), bindingIndex.in(key.cluster()));
    bindings.enqueue(key);
    clusters.enqueue(key.cluster());
    ExportReference reference = ExportReference.ofBinding(binding);
    lookups
        .exportCluster(reference, key.cluster())
        .ifPresent(provider -> offerSlices(provider, reference.name()));
  }

  private void onSlice(StoreEvent event) {
    ObjectKey key = key(event);
    if (event instanceof StoreEvent.Deleted) {
      // An export that is still there gets another one.
      String export = ExportReference.ofSlice(event.object().object()).name();
      exports.enqueue(new ObjectKey(key.cluster(), "", export));
    } else {
      slices.enqueue(key);
    }
  }

  private void offerSlices(LogicalCluster provider, String export) {
    for (StoredObject slice : objects.list(KcpBuckets.SLICES, provider)) {
      if (ExportReference.ofSlice(slice.object()).name().equals(export)) {
        slices.enqueue(slice.address().key());
      }
    }
  }

  private static ObjectKey key(StoreEvent event) {
    return event.object().address().key();
  }

  @Override
  public void close() {
    feeds.forEach(BucketFeed::close);
    List.of(workspaces, clusters, types, exports, slices, bindings).forEach(Controller::close);
  }
}
