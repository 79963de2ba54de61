package dev.mooring.syncagent.sync;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.event.EventRecorder;
import dev.mooring.runtime.export.ConsumerObjects;
import dev.mooring.runtime.export.ConsumerView;
import dev.mooring.runtime.queue.QueueOptions;
import dev.mooring.runtime.queue.WorkQueue;
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
import dev.mooring.syncagent.sync.FailureRegistry.Outlook;
import dev.mooring.syncagent.sync.decide.ObjectCounts;
import dev.mooring.syncagent.sync.decide.SyncRules;
import dev.mooring.syncagent.sync.decide.SyncState;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Keeps all objects of one published type in step, from {@link #start} to {@link #close}. Every
 * change on either side puts the source's key into one queue; a key is worked on by one worker at a
 * time.
 */
public final class ObjectSync {
  private static final ResourceType EVENTS = ResourceType.core("events");
  private static final ResourceType SECRETS = ResourceType.core("secrets");

  private final PublishedResource published;
  private final ProjectedSchema schema;
  private final String agentName;
  private final String stateNamespace;
  private final Clusters clusters;
  private final RelatedSyncFactory relatedSyncs;
  private final PendingWrites pendingWrites = new PendingWrites();
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
  private final TypeWatches.Subscription namespaceChanges;
  private final OrphanStateSweep orphanStates;
  private volatile boolean allStarted;
  private volatile boolean closed;
  private final AtomicBoolean swept = new AtomicBoolean();

  /** Why objects failed when that was last looked at; guarded by the failures. */
  private Set<String> failing = Set.of();

  private ObjectSync(
      PublishedResource published,
      ProjectedSchema schema,
      SyncSettings settings,
      Clusters clusters,
      RelatedSyncFactory relatedSyncs,
      EventRecorder recorder,
      MeterRegistry registry,
      InstantSource clock,
      Listener listener) {
    this.unsynced = new UnsyncedObjects(clock);
    this.meters = new SyncMeters(registry, published.name());
    this.published = published;
    this.schema = schema;
    this.agentName = settings.agentName();
    this.stateNamespace = settings.stateNamespace();
    this.clusters = clusters;
    this.relatedSyncs = relatedSyncs;
    // Watches may speak before everything is put together; workers wait until it is.
    this.queue =
        WorkQueue.start(
            "sync-" + published.name(),
            QueueOptions.workers(settings.workers()).withoutBlocking(),
            key -> reconciler.get().work(key),
            new FailureLog(published.name(), failures, () -> passed(listener)));
    this.triggers =
        new SyncTriggers(
            agentName, this::sourceKeys, pendingWrites, failures, unsynced, queue::add);
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
    SyncRules rules = rules(settings);
    this.orphanStates = new OrphanStateSweep(rules.source(), sources, states, queue::add);
    this.related =
        relatedSyncs.start(
            new RelatedRules(
                published.related(),
                schema.inKcp().resource(),
                rules.adoption(),
                rules.policy().emptyNamespaces(),
                published.workspacePaths()),
            sources,
            new ShownCopies(),
            queue::add);
    this.namespaceChanges =
        clusters
            .shared()
            .listen((side, type, change) -> {
              if (side == Side.SERVICE && type.equals(Clusters.NAMESPACES)) {
                triggers.targetNamespaceChanged(change);
              } else if (side == Side.KCP && type.equals(RelatedSyncFactory.BINDINGS)) {
                if (sourceNamespaces.isPresent()) {
                  triggers.claimsChanged(change.key().cluster());
                }
                listener.passed();
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
                pendingWrites,
                clusters.namespaceWriter(),
                this::isOccupied,
                namespace -> closed || isOccupied(namespace)),
            related,
            sources,
            new SyncReporter(
                new RecordedEvents(recorder), failures, clusters.service(), unsynced, meters),
            pendingWrites,
            caches));
    queueOnceFilled();
  }

  private void queueOnceFilled() {
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

  /** Receives what a published type's sync reports; must not block. */
  public interface Listener {
    /** A pass over an object ended: {@link #counts} may have changed. */
    void passed();

    /** Objects fail for a reason for which none did before, or none fails for one any more. */
    void failingChanged();

    /** The service cluster may serve the type in another form by now. */
    void typeMayHaveChanged();
  }

  private record CopyListener(ObjectSync sync, Listener listener) implements ChangeListener {
    @Override
    public void changed(Change change) {
      sync.triggers.copyChanged(change);
    }

    @Override
    public void resumed() {
      listener.typeMayHaveChanged();
    }
  }

  /** Begins at once; objects are written as soon as all caches are filled. */
  public static ObjectSync start(
      PublishedResource published,
      ProjectedSchema schema,
      SyncSettings settings,
      Clusters clusters,
      RelatedSyncFactory relatedSyncs,
      EventRecorder recorder,
      MeterRegistry registry,
      InstantSource clock,
      Listener listener) {
    var sync =
        new ObjectSync(
            published,
            schema,
            settings,
            clusters,
            relatedSyncs,
            recorder,
            registry,
            clock,
            listener);
    sync.meters.watch(sync);
    return sync;
  }

  private void passed(Listener listener) {
    if (failingChanged()) {
      listener.failingChanged();
    } else {
      listener.passed();
    }
  }

  /** Read and compared in one: what another worker read earlier is not to win. */
  private boolean failingChanged() {
    synchronized (failures) {
      Set<String> before = failing;
      failing = failures.failingReasons();
      return !failing.equals(before);
    }
  }

  /** Whether every cache that decisions need holds everything, whatever the object. */
  public boolean isSynced() {
    return caches.areFilled();
  }

  /** Why a cache cannot be filled or kept up to date; empty if all can. */
  public Optional<KubeFailure> lastFailure() {
    return caches.lastFailure();
  }

  /** Reads all consumers' objects anew, and looks at those that turn out to be different. */
  public void relist() {
    sources.relist();
  }

  /** Looks at every object again. */
  public void resync() {
    sources.keys().forEach(queue::add);
  }

  /** Looks at one object again; false if there is none. */
  public boolean resync(ObjectKey key) {
    return sources.find(key).isPresent() && queue.add(key);
  }

  /** For operators; objects that are not synced are listed with their reasons. */
  public Map<String, Object> describe() {
    var described = new LinkedHashMap<String, Object>();
    described.put("type", schema.inKcp().resource().toString());
    described.put("serviceType", schema.onService().resource().toString());
    described.put("synced", isSynced());
    described.put("objects", sources.size());
    ObjectCounts counts = countsSoFar();
    described.put("pending", counts.pending());
    described.put("failed", counts.failed());
    described.put("queued", queue.status().waiting() + queue.status().running());
    described.put("oldestQueuedSeconds", queue.status().oldest().toSeconds());
    lastFailure().ifPresent(failure -> described.put("lastFailure", failure.getMessage()));
    var failing = new LinkedHashMap<String, Object>();
    failures
        .listed()
        .forEach((key, failure) ->
            failing.put(
                key.toString(),
                Map.of(
                    "outlook", failure.outlook().name().toLowerCase(Locale.ROOT),
                    "reason", failure.reason(),
                    "message", failure.message())));
    described.put("failing", failing);
    var relatedPending = new LinkedHashMap<String, Object>();
    related.pending().forEach((key, why) -> relatedPending.put(key.toString(), why));
    described.put("relatedPending", relatedPending);
    return described;
  }

  /** Empty until every object was looked at once: before that, nothing is known of most. */
  public Optional<ObjectCounts> counts() {
    int atWork = queue.status().waiting() + queue.status().running();
    allStarted |= isSynced() && atWork == 0 && unsynced.allStarted();
    if (!allStarted) {
      return Optional.empty();
    }
    return Optional.of(countsSoFar());
  }

  /** Objects that were not looked at yet are pending. */
  public ObjectCounts countsSoFar() {
    long objects = sources.size();
    long failed =
        Math.min(failures.count(Outlook.FAILED) + failures.count(Outlook.REFUSED), objects);
    long waiting =
        unsynced.count(
            key -> failures.of(key).map(outlook -> outlook == Outlook.PENDING).orElse(true));
    long pending = Math.min(waiting, objects - failed);
    return new ObjectCounts(objects - pending - failed, pending, failed);
  }

  /** What is known to keep objects from being in step, the gravest first. */
  public List<SyncState.Problem> problems() {
    var problems = new ArrayList<SyncState.Problem>();
    List<String> rejected = relatedSyncs.rejectedClaims(claimed());
    if (!rejected.isEmpty()) {
      problems.add(
          new SyncState.Problem(
              SyncState.Problem.CLAIM_REJECTED,
              rejected.size() == 1
                  ? rejected.getFirst()
                  : rejected.getFirst() + " So do " + (rejected.size() - 1) + " more."));
    }
    failures
        .failing()
        .map(failing -> new SyncState.Problem(SyncState.Problem.OBJECTS_FAILING, failing))
        .ifPresent(problems::add);
    return problems;
  }

  private Set<ResourceType> claimed() {
    var types = new LinkedHashSet<ResourceType>();
    published.related().forEach(entry -> types.add(entry.types().inKcp()));
    if (!published.related().isEmpty() || sourceNamespaces.isPresent()) {
      types.add(Clusters.NAMESPACES);
    }
    if (published.workspacePaths() == WorkspacePaths.ON) {
      types.add(WorkspacePathCache.LOGICAL_CLUSTERS);
    }
    types.add(EVENTS);
    return types;
  }

  /** Objects on the consumers' side. */
  public int objects() {
    return sources.size();
  }

  /** Objects on the service cluster. */
  public int copies() {
    return copies.size();
  }

  /** Of the objects that count as failed, those that a rule or a server refuses. */
  public long refused() {
    return Math.min(failures.count(Outlook.REFUSED), sources.size());
  }

  /** Whether everything is listed, and nothing keeps changes from being seen. */
  public boolean isFollowed() {
    return isSynced() && lastFailure().isEmpty();
  }

  /** Objects that wait to be looked at, or are being looked at. */
  public int queued() {
    return queue.status().waiting() + queue.status().running();
  }

  /** Age of the oldest unsynced object; zero if all are synced. */
  Duration oldestUnsynced() {
    return unsynced.oldest();
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

  private SyncRules rules(SyncSettings settings) {
    return new SyncRules(
        settings.agentName(),
        schema.inKcp(),
        schema.onService(),
        schema.statusInKcp(),
        published.naming(),
        published.mutations(),
        published.resourceFilter(),
        published.namespaceFilter(),
        published.adoption().orElse(settings.adoption()),
        published.synchronization(),
        published.syncPolicy());
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

  private SnapshotReader reader(SyncRules rules) {
    return new SnapshotReader(
        rules,
        sources,
        sourceNamespaces.map(ConsumerView.class::cast),
        copies,
        clusters.namespaces(),
        states,
        pendingWrites,
        clusters.service(),
        published.workspacePaths() == WorkspacePaths.ON
            ? Optional.of(clusters.workspacePaths())
            : Optional.empty(),
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
