package dev.mooring.sandbox.kcp;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.controller.Controller;
import dev.mooring.sandbox.controller.Informer;
import dev.mooring.sandbox.controller.LoopbackClient;
import dev.mooring.sandbox.controller.Reconciler;
import dev.mooring.sandbox.kcp.binding.BindingReconciler;
import dev.mooring.sandbox.kcp.binding.BindingsByExport;
import dev.mooring.sandbox.kcp.binding.BoundResourceCatalog;
import dev.mooring.sandbox.kcp.binding.CrdLocks;
import dev.mooring.sandbox.kcp.binding.DefaultBindings;
import dev.mooring.sandbox.kcp.binding.ServedTypes;
import dev.mooring.sandbox.kcp.claim.ClaimLabels;
import dev.mooring.sandbox.kcp.export.EndpointSliceReconciler;
import dev.mooring.sandbox.kcp.export.ExportReconciler;
import dev.mooring.sandbox.kcp.export.ExportResolver;
import dev.mooring.sandbox.kcp.export.IdentitySecrets;
import dev.mooring.sandbox.kcp.export.decide.ExportPlanner;
import dev.mooring.sandbox.kcp.object.KcpResources;
import dev.mooring.sandbox.kcp.object.decide.ExportReference;
import dev.mooring.sandbox.kcp.object.decide.KcpNames;
import dev.mooring.sandbox.kcp.shard.LocalOrReplica;
import dev.mooring.sandbox.kcp.shard.OtherShards;
import dev.mooring.sandbox.kcp.shard.ServerUrls;
import dev.mooring.sandbox.kcp.topology.PartitionSetReconciler;
import dev.mooring.sandbox.kcp.workspace.ClusterDrain;
import dev.mooring.sandbox.kcp.workspace.DefaultContent;
import dev.mooring.sandbox.kcp.workspace.LogicalClusterReconciler;
import dev.mooring.sandbox.kcp.workspace.LogicalClusters;
import dev.mooring.sandbox.kcp.workspace.WorkspaceReconciler;
import dev.mooring.sandbox.kcp.workspace.WorkspaceTypeReconciler;
import dev.mooring.sandbox.kcp.workspace.decide.WorkspaceTypes;
import dev.mooring.sandbox.storage.ResourceKey;
import dev.mooring.sandbox.storage.ResourceStore;
import dev.mooring.sandbox.storage.ShardStores;
import dev.mooring.sandbox.storage.StoreEvent;
import dev.mooring.sandbox.storage.StoredObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Enqueues keys at the reconcilers when an object changes, and fills the indexes that controllers
 * use.
 */
final class KcpControllers implements AutoCloseable {
  private final Kcp.Dependencies server;
  private final LocalOrReplica shared;
  private final ExportResolver exportResolver;
  private final BindingsByExport bindingsByExport;
  private final BoundResourceCatalog boundResources;
  private final Controller<ObjectKey> workspaces;
  private final Controller<LogicalCluster> clusters;
  private final Controller<LogicalCluster> maintained;
  private final Controller<ObjectKey> types;
  private final Controller<ObjectKey> exports;
  private final Controller<ObjectKey> slices;
  private final Controller<ObjectKey> bindings;
  private final Controller<LogicalCluster> locks;
  private final Controller<ObjectKey> partitionSets;
  private final List<Controller<?>> controllers = new ArrayList<>();
  private final List<Informer> feeds = new ArrayList<>();

  KcpControllers(
      Kcp.Dependencies server,
      LocalOrReplica shared,
      LogicalClusters logicalClusters,
      WorkspaceTypes workspaceTypes,
      ExportResolver exportResolver,
      BindingsByExport bindingsByExport,
      BoundResourceCatalog boundResources,
      ClaimLabels labels) {
    this.server = server;
    this.shared = shared;
    this.exportResolver = exportResolver;
    this.bindingsByExport = bindingsByExport;
    this.boundResources = boundResources;
    LoopbackClient objects = server.objects();
    OtherShards others = server.others();
    ServerUrls urls = server.urls();
    var defaults = new DefaultBindings(objects, logicalClusters, exportResolver, workspaceTypes);
    workspaces =
        start(
            "workspaces",
            new WorkspaceReconciler(
                shared, others, logicalClusters, workspaceTypes, urls, server.ids().clusters()));
    clusters =
        start(
            "logicalclusters",
            new LogicalClusterReconciler(
                objects,
                logicalClusters,
                Map.of(
                    KcpNames.CONTENT_INITIALIZER,
                    new DefaultContent(objects),
                    KcpNames.BINDINGS_INITIALIZER,
                    defaults),
                urls::cluster,
                new ClusterDrain(objects, server.catalog(), server.deletion())));
    maintained = start("maintained-apibindings", defaults::maintain);
    types = start("workspacetypes", new WorkspaceTypeReconciler(shared));
    exports =
        start(
            "apiexports",
            new ExportReconciler(
                objects,
                logicalClusters,
                new IdentitySecrets(objects, server.ids().identityKeys())));
    slices =
        start(
            "endpointslices",
            new EndpointSliceReconciler(shared, others, exportResolver, bindingsByExport, urls));
    bindings =
        start(
            "apibindings",
            new BindingReconciler(
                objects,
                server.bindings(),
                logicalClusters,
                exportResolver,
                labels,
                boundResources,
                new ServedTypes(objects, server.catalog(), exportResolver),
                server.deletion()));
    locks = start("resource-locks", new CrdLocks(objects, logicalClusters));
    partitionSets =
        start("partitionsets", new PartitionSetReconciler(shared, server.ids().suffixes()));
  }

  private <K> Controller<K> start(String name, Reconciler<K> reconciler) {
    Controller<K> controller = Controller.start(name, reconciler);
    controllers.add(controller);
    return controller;
  }

  void start() {
    feed(KcpResources.WORKSPACES, event -> workspaces.enqueue(key(event)));
    feed(KcpResources.LOGICAL_CLUSTERS, this::onCluster);
    feed(KcpResources.WORKSPACE_TYPES, this::onType);
    feed(KcpResources.EXPORTS, this::onExport);
    feed(KcpResources.SCHEMAS, this::onSchema);
    feed(KcpResources.SECRETS, this::onSecret);
    feed(KcpResources.SLICES, this::onSlice);
    feed(KcpResources.PARTITIONS, this::onPartition);
    feed(KcpResources.PARTITION_SETS, event -> partitionSets.enqueue(key(event)));
    feed(KcpResources.SHARDS, this::onShard);
    feed(KcpResources.BINDINGS, this::onBinding);
    feed(KcpResources.CRDS, event -> locks.enqueue(key(event).cluster()));
    server.stores().replicas().map(ShardStores.Replicas::store).ifPresent(this::followReplicas);
  }

  private void feed(ResourceKey resourceKey, Consumer<StoreEvent> handler) {
    feeds.add(Informer.start("kcp", server.stores().own(), resourceKey, handler));
  }

  /** What other shards share. Replicas of this shard's own objects come as well. */
  private void followReplicas(ResourceStore replicaStore) {
    Map<ResourceKey, Consumer<StoreEvent>> handlers = new HashMap<>();
    handlers.put(KcpResources.EXPORTS, this::onSharedExport);
    handlers.put(KcpResources.SCHEMAS, this::onSchema);
    handlers.put(KcpResources.SHARDS, this::onShard);
    handlers.put(KcpResources.SLICES, event -> slices.enqueue(key(event)));
    handlers.forEach((resourceKey, handler) ->
        feeds.add(
            Informer.start(
                "kcp-replicas",
                replicaStore,
                resourceKey,
                event -> {
                  if (!shared.isOwn().test(event.object().key().cluster())) {
                    handler.accept(event);
                  }
                })));
  }

  private void onSharedExport(StoreEvent event) {
    ObjectKey key = key(event);
    if (key.cluster().equals(KcpResources.ROOT)) {
      server.identities().keep(event.object().object());
    }
    maintainIfAnyType();
    bindingsByExport.referringTo(key.cluster(), key.name()).forEach(bindings::enqueue);
    enqueueSlices(key.cluster(), key.name());
  }

  private void onPartition(StoreEvent event) {
    for (StoredObject slice : shared.own().list(KcpResources.SLICES, key(event).cluster())) {
      slices.enqueue(slice.key().objectKey());
    }
    for (Object owner : event.object().object().list("metadata", "ownerReferences")) {
      if ("PartitionSet".equals(Trees.at(owner, "kind"))) {
        partitionSets.enqueue(new ObjectKey(key(event).cluster(), "", Trees.text(owner, "name")));
      }
    }
  }

  /**
   * Workspaces may wait for a shard, or be on one that is deleted; types have URLs at each, and its
   * labels decide which slices have its URL.
   */
  private void onShard(StoreEvent event) {
    Optional<String> shard = Optional.of(event.object().key().name());
    for (StoredObject type : shared.own().everywhere(KcpResources.WORKSPACE_TYPES)) {
      types.enqueue(type.key().objectKey());
    }
    for (StoredObject workspace : shared.own().everywhere(KcpResources.WORKSPACES)) {
      if (workspace.object().text("spec", "cluster").isEmpty()
          || workspace.object().annotation(KcpNames.SHARD).equals(shard)) {
        workspaces.enqueue(workspace.key().objectKey());
      }
    }
    for (StoredObject slice : shared.everywhere(KcpResources.SLICES)) {
      slices.enqueue(slice.key().objectKey());
    }
    for (StoredObject set : shared.own().everywhere(KcpResources.PARTITION_SETS)) {
      partitionSets.enqueue(set.key().objectKey());
    }
  }

  private void onCluster(StoreEvent event) {
    KubeObject cluster = event.object().object();
    if (event instanceof StoreEvent.Deleted) {
      // Deletes objects that were created after the cluster was last drained.
      shared.own().sweep(event.object().key().cluster());
    }
    clusters.enqueue(event.object().key().cluster());
    String owner = cluster.text("spec", "owner", "cluster");
    if (!owner.isEmpty()) {
      workspaces.enqueue(
          new ObjectKey(new LogicalCluster(owner), "", cluster.text("spec", "owner", "name")));
    }
  }

  private void onType(StoreEvent event) {
    types.enqueue(key(event));
    if (DefaultBindings.areMaintained(event.object().object())) {
      maintain();
    }
  }

  /** In all workspaces, any of which may extend a type that maintains its bindings. */
  private void maintain() {
    for (StoredObject cluster : shared.own().everywhere(KcpResources.LOGICAL_CLUSTERS)) {
      maintained.enqueue(cluster.key().cluster());
    }
  }

  /** Few types maintain their bindings. */
  private void maintainIfAnyType() {
    if (shared.everywhere(KcpResources.WORKSPACE_TYPES).stream()
        .anyMatch(type -> DefaultBindings.areMaintained(type.object()))) {
      maintain();
    }
  }

  private void onExport(StoreEvent event) {
    ObjectKey key = key(event);
    exports.enqueue(key);
    maintainIfAnyType();
    bindingsByExport.referringTo(key.cluster(), key.name()).forEach(bindings::enqueue);
    enqueueSlices(key.cluster(), key.name());
  }

  /** Enqueues the exports whose identity the secret holds. */
  private void onSecret(StoreEvent event) {
    var secret =
        new ExportPlanner.SecretReference(
            event.object().key().namespace(), event.object().key().name());
    for (StoredObject export : shared.own().list(KcpResources.EXPORTS, key(event).cluster())) {
      if (ExportPlanner.secret(export.object()).equals(secret)) {
        exports.enqueue(export.key().objectKey());
      }
    }
  }

  /** Enqueues the bindings of exports that name the schema. */
  private void onSchema(StoreEvent event) {
    LogicalCluster cluster = event.object().key().cluster();
    String schema = event.object().key().name();
    for (StoredObject export : shared.list(KcpResources.EXPORTS, cluster)) {
      if (ExportPlanner.schemaNames(export.object()).contains(schema)) {
        bindingsByExport.referringTo(cluster, export.key().name()).forEach(bindings::enqueue);
      }
    }
  }

  private void onBinding(StoreEvent event) {
    ObjectKey key = key(event);
    KubeObject binding = event.object().object();
    if (event instanceof StoreEvent.Deleted) {
      bindingsByExport.remove(key);
      // Bindings that conflicted with it may be bound now.
      for (KubeObject other : server.bindings().of(key.cluster()).bindings()) {
        bindings.enqueue(new ObjectKey(key.cluster(), "", other.name()));
      }
    } else {
      bindingsByExport.put(key, binding);
    }
    // Compiles the schemas now: they stay served when their objects are deleted.
    boundResources.in(key.cluster());
    bindings.enqueue(key);
    clusters.enqueue(key.cluster());
    ExportReference reference = ExportReference.ofBinding(binding);
    exportResolver
        .exportCluster(reference, key.cluster())
        .ifPresent(provider -> enqueueSlices(provider, reference.name()));
  }

  private void onSlice(StoreEvent event) {
    ObjectKey key = key(event);
    if (event instanceof StoreEvent.Deleted) {
      // The export creates its slice again if the export still exists.
      String export = ExportReference.ofSlice(event.object().object()).name();
      exports.enqueue(new ObjectKey(key.cluster(), "", export));
    } else {
      slices.enqueue(key);
    }
  }

  private void enqueueSlices(LogicalCluster provider, String export) {
    for (StoredObject slice : shared.everywhere(KcpResources.SLICES)) {
      ExportReference reference = ExportReference.ofSlice(slice.object());
      if (reference.name().equals(export)
          && exportResolver
              .exportCluster(reference, slice.key().cluster())
              .filter(provider::equals)
              .isPresent()) {
        slices.enqueue(slice.key().objectKey());
      }
    }
  }

  private static ObjectKey key(StoreEvent event) {
    return event.object().key().objectKey();
  }

  @Override
  public void close() {
    feeds.forEach(Informer::close);
    controllers.forEach(Controller::close);
  }
}
