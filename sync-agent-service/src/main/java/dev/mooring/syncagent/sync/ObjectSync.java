package dev.mooring.syncagent.sync;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.event.EventRecorder;
import dev.mooring.runtime.export.ConsumerObjects;
import dev.mooring.runtime.export.ConsumerView;
import dev.mooring.runtime.export.ExportView;
import dev.mooring.runtime.queue.QueueOptions;
import dev.mooring.runtime.queue.WorkQueue;
import dev.mooring.runtime.trace.Telemetry;
import dev.mooring.runtime.watch.Change;
import dev.mooring.runtime.watch.ChangeListener;
import dev.mooring.runtime.watch.InformerSpec;
import dev.mooring.syncagent.clusters.Clusters;
import dev.mooring.syncagent.clusters.CopiedKind;
import dev.mooring.syncagent.clusters.ServiceObjects;
import dev.mooring.syncagent.clusters.TypeWatches;
import dev.mooring.syncagent.clusters.WorkspacePathCache;
import dev.mooring.syncagent.content.AnnotationStateStore;
import dev.mooring.syncagent.content.FallbackStateStore;
import dev.mooring.syncagent.content.GoAgentStateStore;
import dev.mooring.syncagent.content.LastKnownStates;
import dev.mooring.syncagent.content.SecretStateStore;
import dev.mooring.syncagent.content.decide.SourceMarks;
import dev.mooring.syncagent.published.LabelSelector;
import dev.mooring.syncagent.published.ProjectedSchema;
import dev.mooring.syncagent.published.PublishedResource;
import dev.mooring.syncagent.published.PublishedResource.WorkspacePaths;
import dev.mooring.syncagent.published.Side;
import dev.mooring.syncagent.related.resolve.PrimaryCopies;
import dev.mooring.syncagent.related.sync.RelatedRules;
import dev.mooring.syncagent.related.sync.RelatedSync;
import dev.mooring.syncagent.related.sync.RelatedSyncFactory;
import dev.mooring.syncagent.sync.decide.SyncRules;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Keeps all objects of one published type in step, from its construction to {@link #close}. Every
 * change on either side puts the source's key into one queue; a key is worked on by one worker at a
 * time.
 */
public final class ObjectSync {
  private static final ResourceType SECRETS = ResourceType.core("secrets");

  private final PublishedResource published;
  private final ProjectedSchema schema;
  private final String agentName;
  private final String stateNamespace;
  private final Clusters clusters;
  private final RelatedSyncFactory relatedSyncs;
  private final PrimaryWrites writes = new PrimaryWrites();
  private final LastKnownStates states;
  private final FailureRegistry failures = new FailureRegistry();
  private final UnsyncedObjects unsynced;
  private final SyncMeters meters;
  private final CompletableFuture<PrimaryObjectReconciler> reconciler = new CompletableFuture<>();
  private final WorkQueue<ObjectKey> queue;
  private final SyncTriggers triggers;
  private final ConsumerObjects sources;
  private final Optional<ConsumerObjects> sourceNamespaces;
  private final ServiceObjects copies;
  private final SyncCaches caches;
  private final RelatedSync related;
  private final SyncStatus status;
  private final ObjectStories stories;
  private final TypeWatches.Subscription namespaceChanges;
  private final OrphanStateSweep orphanStates;
  private volatile boolean closed;
  private final AtomicBoolean swept = new AtomicBoolean();

  /**
   * Begins at once; objects are written as soon as all caches are filled.
   *
   * @param warned objects whose consumer has last read a warning; concurrent
   */
  public ObjectSync(
      PublishedResource published,
      ProjectedSchema schema,
      SyncSettings settings,
      Clusters clusters,
      RelatedSyncFactory relatedSyncs,
      EventRecorder recorder,
      Set<ObjectKey> warned,
      Telemetry telemetry,
      InstantSource clock,
      Listener listener) {
    this.unsynced = new UnsyncedObjects(clock);
    this.meters = new SyncMeters(telemetry.meters(), published.name());
    this.published = published;
    this.schema = schema;
    this.agentName = settings.agentName();
    this.stateNamespace = settings.stateNamespace();
    this.clusters = clusters;
    this.relatedSyncs = relatedSyncs;
    // Watches may report before the constructor ends; workers wait until then.
    this.queue =
        WorkQueue.start(
            "sync-" + published.name(),
            QueueOptions.workers(settings.workers())
                .withoutBlocking()
                .tracedBy(telemetry.tracing()),
            key -> reconciler.get().work(key),
            new FailureLog(
                published.name(),
                schema.inKcp().resource(),
                cluster -> clusters.workspacePaths().known(cluster),
                failures,
                () -> passed(listener)));
    this.triggers =
        new SyncTriggers(
            agentName, this::sourceKeys, writes, failures, unsynced, queue::add);
    this.sources =
        clusters.follow(schema.inKcp().resource(), change -> triggers.sourceChanged(change.key()));
    this.sourceNamespaces =
        published.namespaceFilter().equals(LabelSelector.EVERYTHING)
            ? Optional.empty()
            : Optional.of(clusters.follow(Clusters.NAMESPACES, triggers::sourceNamespaceChanged));
    this.copies =
        clusters.copies(
            new CopiedKind(published.group(), published.kind()),
            InformerSpec.of(schema.onService().resource())
                .withLabels(SourceMarks.COPIES)
                .indexedBy(
                    SnapshotReader.BY_SOURCE, copy -> SnapshotReader.sourceIndex(agentName, copy)),
            new CopyListener(this, listener));
    this.states = states(settings);
    this.caches =
        new SyncCaches(
            sources, sourceNamespaces, copies, clusters.namespaces(), states, queue::add);
    SyncRules rules = SyncRules.of(settings.agentName(), published, schema, settings.adoption());
    this.orphanStates = new OrphanStateSweep(rules.source(), sources, states, queue::add);
    this.related =
        relatedSyncs.start(
            new RelatedRules(
                published.related(),
                schema.misnamed(published.related()),
                schema.inKcp().resource(),
                rules.adoption(),
                rules.policy().emptyNamespaces(),
                rules.naming().namespaceMetadata(),
                paths()),
            sources,
            new ShownCopies(),
            queue::add);
    this.status =
        new SyncStatus(published, schema, caches, queue, failures, unsynced, related, relatedSyncs);
    this.stories =
        new ObjectStories(
            caches,
            failures,
            unsynced,
            related,
            cluster -> clusters.workspacePaths().known(cluster));
    meters.watch(status);
    this.namespaceChanges =
        clusters
            .shared()
            .listen((side, type, change) -> {
              if (side == Side.SERVICE && type.equals(Clusters.NAMESPACES)) {
                triggers.targetNamespaceChanged(change);
              } else if (side == Side.KCP && type.equals(ExportView.BINDINGS)) {
                if (sourceNamespaces.isPresent()) {
                  triggers.claimsChanged(change.key().cluster());
                }
                listener.passed(publishedName());
              } else if (side == Side.SERVICE && type.equals(SECRETS)) {
                orphanStates.changed(change);
              }
            });
    reconciler.complete(
        new PrimaryObjectReconciler(
            reader(rules),
            new ActionExecutor(
                rules,
                clusters.service(),
                states,
                writes,
                clusters.namespaceWriter(),
                this::isOccupied,
                namespace -> closed || isOccupied(namespace)),
            related,
            sources,
            new SyncReporter(
                recorder::record, warned, failures, clusters.service(), unsynced, meters),
            writes,
            caches,
            clock));
    copies.synced().thenRun(this::cacheFilled);
    clusters.namespaces().synced().thenRun(this::cacheFilled);
    clusters.shared().states(stateNamespace).synced().thenRun(this::cacheFilled);
  }

  /** A cache was filled, or all endpoints are known by now. */
  public void cacheFilled() {
    caches.filled();
    // Before all caches are filled every source would look like one that is gone.
    if (!closed && isSynced() && swept.compareAndSet(false, true)) {
      Thread.ofVirtual().name("orphan-states").start(orphanStates::sweep);
    }
  }

  /** Receives what the syncs report, by the PublishedResource's name; must not block. */
  public interface Listener {
    /** A pass over an object ended: {@link SyncStatus#counts} may have changed. */
    void passed(String publishedName);

    /** Objects fail for a reason for which none did before, or none fails for one any more. */
    void failingChanged(String publishedName);

    /** The service cluster may serve the type in another form by now. */
    void typeMayHaveChanged(String publishedName);
  }

  private record CopyListener(ObjectSync sync, Listener listener) implements ChangeListener {
    @Override
    public void changed(Change change) {
      sync.triggers.copyChanged(change);
    }

    @Override
    public void resumed() {
      listener.typeMayHaveChanged(sync.publishedName());
    }
  }

  private void passed(Listener listener) {
    if (status.failingChanged()) {
      listener.failingChanged(publishedName());
    } else {
      listener.passed(publishedName());
    }
  }

  /** Whether every cache that decisions need is filled, for all objects. */
  public boolean isSynced() {
    return caches.areFilled();
  }

  /** Why a cache cannot be filled or kept up to date; empty if all can. */
  public Optional<KubeFailure> lastFailure() {
    return caches.lastFailure();
  }

  /** Lists all consumers' objects again, and queues those that differ. */
  public void relist() {
    sources.relist();
  }

  /** Queues every object, as {@link #resync(ObjectKey)}. */
  public void resync() {
    sources.keys().forEach(this::resync);
  }

  /** Queues one object and compares its related objects' contents; false if there is none. */
  public boolean resync(ObjectKey key) {
    if (sources.find(key).isEmpty()) {
      return false;
    }
    related.resync(key);
    return queue.add(key);
  }

  public SyncStatus status() {
    return status;
  }

  public ObjectStories stories() {
    return stories;
  }

  public String publishedName() {
    return published.name();
  }

  /**
   * Lets writes under way end, for so long at most, then stops; nothing on either side is removed.
   * Idempotent.
   */
  public void close(Duration drain) {
    closed = true;
    namespaceChanges.close();
    queue.close(drain);
    sources.close();
    sourceNamespaces.ifPresent(ConsumerObjects::close);
    copies.close();
    related.close();
    meters.close();
  }

  /** Values of Secrets never go into an annotation. */
  private LastKnownStates states(SyncSettings settings) {
    ResourceType copyType = schema.onService().resource();
    return new FallbackStateStore(
        copyType.qualified().equals("secrets")
            ? Optional.empty()
            : Optional.of(new AnnotationStateStore(clusters.service(), copyType)),
        new SecretStateStore(
            clusters.service(),
            copyType,
            clusters.shared().states(settings.stateNamespace()),
            settings.stateNamespace(),
            settings.agentName()),
        List.of(
            new GoAgentStateStore(
                clusters.service(),
                clusters.shared().states(settings.stateNamespace()),
                settings.stateNamespace())));
  }

  /** Whether a Namespace of the service cluster is known to hold anything of the agent. */
  private boolean isOccupied(String namespace) {
    return clusters.holdsCopies(namespace) || relatedSyncs.holdsCopies(namespace);
  }

  /** Empty unless workspace paths are enabled. */
  private Optional<WorkspacePathCache> paths() {
    return published.workspacePaths() == WorkspacePaths.ON
        ? Optional.of(clusters.workspacePaths())
        : Optional.empty();
  }

  private SnapshotReader reader(SyncRules rules) {
    return new SnapshotReader(
        rules,
        sources,
        sourceNamespaces.map(ConsumerView.class::cast),
        copies,
        clusters.namespaces(),
        states,
        writes,
        clusters.service(),
        paths(),
        this::isOccupied,
        cluster -> relatedSyncs.rejectedClaim(cluster, Clusters.NAMESPACES));
  }

  private final class ShownCopies implements PrimaryCopies {
    @Override
    public Optional<KubeObject> of(ObjectKey primary) {
      return copies.indexed(SnapshotReader.BY_SOURCE, SourceMarks.identity(primary)).stream()
          .findFirst();
    }

    @Override
    public boolean areListed() {
      return copies.isSynced();
    }

    @Override
    public boolean areIn(String namespace) {
      return clusters.holdsCopies(namespace);
    }
  }

  private List<ObjectKey> sourceKeys() {
    return sources.keys();
  }
}
