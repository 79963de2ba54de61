package dev.mooring.syncagent.sync;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.event.EventRecorder;
import dev.mooring.runtime.export.ExportView;
import dev.mooring.runtime.export.MultiShardInformer;
import dev.mooring.runtime.export.MultiShardLister;
import dev.mooring.runtime.queue.QueueOptions;
import dev.mooring.runtime.queue.WorkQueue;
import dev.mooring.runtime.trace.Telemetry;
import dev.mooring.runtime.watch.ChangeListener;
import dev.mooring.runtime.watch.InformerSpec;
import dev.mooring.runtime.watch.ObjectCache;
import dev.mooring.syncagent.clusters.Clusters;
import dev.mooring.syncagent.clusters.CopiedKind;
import dev.mooring.syncagent.clusters.ServiceObjects;
import dev.mooring.syncagent.clusters.WorkspacePathCache;
import dev.mooring.syncagent.content.AnnotationStateStore;
import dev.mooring.syncagent.content.GoAgentStateStore;
import dev.mooring.syncagent.content.LastKnownStates;
import dev.mooring.syncagent.content.RewriteBackoff;
import dev.mooring.syncagent.content.SecretStateStore;
import dev.mooring.syncagent.content.decide.SourceMarks;
import dev.mooring.syncagent.published.LabelSelector;
import dev.mooring.syncagent.published.ProjectedSchema;
import dev.mooring.syncagent.published.PublishedResource;
import dev.mooring.syncagent.published.PublishedResource.WorkspacePaths;
import dev.mooring.syncagent.published.Side;
import dev.mooring.syncagent.related.PrimaryCopies;
import dev.mooring.syncagent.related.RelatedRecordStore;
import dev.mooring.syncagent.related.RelatedRules;
import dev.mooring.syncagent.related.RelatedSync;
import dev.mooring.syncagent.related.RelatedSyncFactory;
import dev.mooring.syncagent.sync.decide.SyncRules;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;

/** Starts the sync of one published type after another, with what all types share. Thread-safe. */
record ObjectSyncFactory(
    Clusters clusters,
    SyncSettings settings,
    RelatedSyncFactory relatedSyncs,
    EventRecorder recorder,
    Telemetry telemetry,
    InstantSource clock,
    ObjectSync.Listener listener) {
  /** {@code warned} has the objects whose consumer has last read a warning; concurrent. */
  ObjectSync start(PublishedResource published, ProjectedSchema schema, Set<ObjectKey> warned) {
    String agentName = settings.agentName();
    SyncRules rules = SyncRules.of(agentName, published, schema, settings.adoption());
    Function<LogicalCluster, Optional<String>> knownPaths = clusters.workspacePaths()::known;
    var writes = new PrimaryWrites();
    var failures = new FailureRegistry();
    var unsynced = new UnsyncedObjects(clock);
    var meters = new SyncMeters(telemetry.meters(), published.name());
    var closed = new AtomicBoolean();

    // Watches may report before everything is there; workers wait until then.
    var started = new CompletableFuture<PrimaryObjectReconciler>();
    WorkQueue<ObjectKey> queue =
        WorkQueue.start(
            "sync-" + published.name(),
            QueueOptions.workers(settings.workers())
                .withoutBlocking()
                .tracedBy(telemetry.tracing()),
            key -> started.get().reconcile(key),
            new FailureLog(
                published.name(), rules.source().resource(), knownPaths, failures, listener));
    Consumer<ObjectKey> changed =
        key -> {
          unsynced.noticed(key);
          queue.add(key);
        };
    // What failed while a server was away would else wait for its own delay, up to a minute.
    Runnable answersAgain = () -> failures.with(SyncReporter.FAILED).forEach(queue::add);
    var copiesOpened = new CompletableFuture<ServiceObjects>();
    MultiShardInformer sources =
        clusters.followOwn(
            InformerSpec.of(rules.source().resource())
                .keeping(source ->
                    copiesOpened.isDone() ? withCopys(copiesOpened.join(), source) : source),
            ChangeListener.of(change -> changed.accept(change.key()), answersAgain));
    var triggers = new SyncTriggers(agentName, sources, writes, failures, changed, queue::add);
    Optional<MultiShardInformer> sourceNamespaces =
        published.namespaceFilter().equals(LabelSelector.EVERYTHING)
            ? Optional.empty()
            : Optional.of(
                clusters.follow(
                    InformerSpec.of(Clusters.NAMESPACES), triggers::sourceNamespaceChanged));
    ServiceObjects copies = copies(published, rules, sources, triggers, answersAgain);
    copiesOpened.complete(copies);
    LastKnownStates states = states(rules.copy().resource());
    var caches =
        new SyncCaches(
            sources,
            sourceNamespaces,
            copies,
            clusters.namespaces(),
            states,
            new PostponedKeys(queue::add),
            clusters.work());
    Optional<WorkspacePathCache> paths =
        published.workspacePaths() == WorkspacePaths.ON
            ? Optional.of(clusters.workspacePaths())
            : Optional.empty();
    RelatedSync related =
        relatedSyncs.start(
            new RelatedRules(
                published.related(),
                schema.misnamed(published.related()),
                rules.source().resource(),
                rules.adoption(),
                rules.policy().emptyNamespaces(),
                rules.naming().namespaceMetadata(),
                paths),
            sources,
            new ShownCopies(copies, writes, clusters),
            queue::add);
    var status =
        new SyncStatus(
            published,
            schema,
            caches,
            queue,
            failures,
            unsynced,
            related,
            relatedSyncs.claims(),
            knownPaths);
    meters.watch(status);
    var orphanStates = new OrphanStateSweep(rules.source(), sources, states, queue::add);
    var reconciler =
        new PrimaryObjectReconciler(
            reader(rules, caches, states, writes, paths),
            new ActionExecutor(
                rules,
                clusters.service(),
                states,
                writes,
                clusters.namespaceWriter(),
                this::isOccupied,
                namespace -> closed.get() || isOccupied(namespace)),
            related,
            sources,
            new SyncReporter(
                recorder::record, warned, failures, clusters.service(), unsynced, meters),
            writes,
            caches,
            clusters.work(),
            new ConflictBackoff(),
            new RewriteBackoff<>(clock));
    var sync =
        new ObjectSync(
            published.name(),
            queue,
            caches,
            related,
            status,
            orphanStates,
            meters,
            clusters
                .shared()
                .listen((side, type, change) -> {
                  if (side == Side.SERVICE && type.equals(Clusters.NAMESPACES)) {
                    triggers.targetNamespaceChanged(change);
                  } else if (side == Side.KCP && type.equals(ExportView.BINDINGS)) {
                    if (sourceNamespaces.isPresent()) {
                      triggers.claimsChanged(change.key().cluster());
                    }
                    listener.passed(published.name());
                  } else if (side == Side.SERVICE && type.equals(RelatedRecordStore.SECRETS)) {
                    orphanStates.changed(change);
                  }
                }),
            closed);
    started.complete(reconciler);
    copies.synced().thenRun(sync::cacheFilled);
    clusters.namespaces().synced().thenRun(sync::cacheFilled);
    clusters.shared().states(settings.stateNamespace()).synced().thenRun(sync::cacheFilled);
    return sync;
  }

  /** With the content of its copy where it is equal: most is, and caches hold it once. */
  private static KubeObject withCopys(ServiceObjects copies, KubeObject source) {
    return SnapshotReader.marked(copies, ObjectCache.keyOf(source)).stream()
        .findFirst()
        .map(source::sharing)
        .orElse(source);
  }

  /** As {@link #withCopys}, of a copy. */
  private static KubeObject withSources(MultiShardLister sources, KubeObject copy) {
    return SourceMarks.sourceOf(copy).flatMap(sources::find).map(copy::sharing).orElse(copy);
  }

  private ServiceObjects copies(
      PublishedResource published,
      SyncRules rules,
      MultiShardLister sources,
      SyncTriggers triggers,
      Runnable answersAgain) {
    return clusters.copies(
        new CopiedKind(published.group(), published.kind()),
        InformerSpec.of(rules.copy().resource())
            .withLabels(SourceMarks.COPIES)
            .keeping(copy -> withSources(sources, AnnotationStateStore.compact(copy)))
            .indexedBy(
                SnapshotReader.BY_SOURCE,
                copy -> SnapshotReader.sourceIndex(rules.agentName(), copy)),
        ChangeListener.of(
            triggers::copyChanged,
            () -> {
              answersAgain.run();
              listener.typeMayHaveChanged(published.name());
            }));
  }

  /** Values of Secrets never go into an annotation. */
  private LastKnownStates states(ResourceType copyType) {
    String namespace = settings.stateNamespace();
    return new LastKnownStates(
        copyType.qualified().equals("secrets")
            ? Optional.empty()
            : Optional.of(new AnnotationStateStore(clusters.service(), copyType)),
        new SecretStateStore(
            clusters.service(),
            copyType,
            clusters.shared().states(namespace),
            namespace,
            settings.agentName()),
        new GoAgentStateStore(clusters.service(), clusters.shared().states(namespace), namespace));
  }

  private SnapshotReader reader(
      SyncRules rules,
      SyncCaches caches,
      LastKnownStates states,
      PrimaryWrites writes,
      Optional<WorkspacePathCache> paths) {
    return new SnapshotReader(
        rules,
        caches.sources(),
        caches.sourceNamespaces().map(MultiShardLister.class::cast),
        caches.copies(),
        clusters.namespaces(),
        states,
        writes,
        clusters.service(),
        paths,
        this::isOccupied,
        cluster -> relatedSyncs.claims().missing(cluster, Clusters.NAMESPACES));
  }

  /** Whether a Namespace of the service cluster is known to hold anything of the agent. */
  private boolean isOccupied(String namespace) {
    return clusters.holdsCopies(namespace) || relatedSyncs.holdsCopies(namespace);
  }

  private record ShownCopies(ServiceObjects copies, PrimaryWrites writes, Clusters clusters)
      implements PrimaryCopies {
    @Override
    public Optional<KubeObject> of(ObjectKey primary) {
      return SnapshotReader.marked(copies, primary).stream().findFirst();
    }

    @Override
    public boolean areListed() {
      return copies.isSynced();
    }

    @Override
    public boolean mayBeUnseen(ObjectKey primary) {
      return writes.mayHaveUnshownCopy(primary);
    }

    @Override
    public boolean areIn(String namespace) {
      return clusters.holdsCopies(namespace);
    }
  }
}
