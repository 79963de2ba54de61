package dev.mooring.syncagent.sync;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.event.EventRecorder;
import dev.mooring.runtime.export.ConsumerObjects;
import dev.mooring.runtime.export.ConsumerView;
import dev.mooring.runtime.queue.QueueOptions;
import dev.mooring.runtime.queue.WorkQueue;
import dev.mooring.runtime.time.Scheduler;
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
import dev.mooring.syncagent.sync.decide.SyncPlan;
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

/**
 * Keeps all objects of one published type in step, from {@link #start} to {@link #close}. Every
 * change on either side puts the source's key into one queue; a key is worked on by one worker at a
 * time.
 */
public final class ObjectSync {
  private static final ResourceType EVENTS = ResourceType.core("events");
  private static final ResourceType SECRETS = ResourceType.core("secrets");

  /** Nothing tells when the last of several caches is filled, and there is no hurry. */
  private static final Duration FILLED_RECHECK = Duration.ofSeconds(1);

  private final PublishedResource published;
  private final ProjectedSchema schema;
  private final String agentName;
  private final Clusters clusters;
  private final RelatedSyncFactory relatedSyncs;
  private final PendingWrites pendingWrites = new PendingWrites();
  private final LastKnownStates states;
  private final FailureRegistry failures = new FailureRegistry();
  private final UnsyncedObjects unsynced;
  private final SyncMeters meters;
  private final Scheduler scheduler;
  private final CompletableFuture<PrimaryObjectReconciler> reconciler = new CompletableFuture<>();
  private final WorkQueue<ObjectKey> queue;
  private final ConsumerObjects sources;
  private final Optional<ConsumerObjects> sourceNamespaces;
  private final ServiceObjects copies;
  private final RelatedSync related;
  private final TypeWatches.Subscription namespaceChanges;
  private final OrphanStateSweep orphanStates;
  private volatile boolean allStarted;
  private volatile boolean closed;
  private volatile Scheduler.Scheduled sweep;

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
      Scheduler scheduler,
      Listener listener) {
    this.unsynced = new UnsyncedObjects(clock);
    this.meters = new SyncMeters(registry, published.name());
    this.scheduler = scheduler;
    this.published = published;
    this.schema = schema;
    this.agentName = settings.agentName();
    this.clusters = clusters;
    this.relatedSyncs = relatedSyncs;
    // Watches may speak before everything is put together; workers wait until it is.
    this.queue =
        WorkQueue.start(
            "sync-" + published.name(),
            QueueOptions.workers(settings.workers()).withoutBlocking(),
            key -> reconciler.get().work(key),
            new FailureLog(published.name(), failures, () -> passed(listener)));
    this.sources = clusters.follow(schema.inKcp().resource(), change -> look(change.key()));
    this.sourceNamespaces =
        published.namespaceFilter().equals(LabelSelector.EVERYTHING)
            ? Optional.empty()
            : Optional.of(clusters.follow(Clusters.NAMESPACES, this::sourceNamespaceChanged));
    this.copies =
        clusters.copies(
            new CopiedKind(published.group(), published.kind()),
            InformerSpec.of(schema.onService().resource())
                .withLabels(SourceMarks.COPIES)
                .indexedBy(
                    SnapshotReader.BY_SOURCE, copy -> SnapshotReader.sourceIndex(agentName, copy)),
            new CopyListener(this, listener));
    this.states = states(settings);
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
                targetNamespaceChanged(change);
              } else if (side == Side.KCP && type.equals(RelatedSyncFactory.BINDINGS)) {
                claimsChanged(change.key().cluster());
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
            new PrimaryObjectReconciler.Caches() {
              @Override
              public boolean areFilledFor(ObjectKey key) {
                return isSynced(key);
              }

              @Override
              public boolean areFilled() {
                return isSynced();
              }
            }));
    sweepOnceFilled();
  }

  /** Until then every source would look like one that is gone. */
  private void sweepOnceFilled() {
    sweep =
        scheduler.after(
            FILLED_RECHECK,
            () -> {
              if (isSynced()) {
                // Others wait for their time on this thread.
                Thread.ofVirtual().name("stray-states").start(orphanStates::sweep);
              } else if (!closed) {
                sweepOnceFilled();
              }
            });
  }

  /** Is told of what others have to know; must not block. */
  public interface Listener {
    /** After every look at an object, when {@link #counts} may have changed. */
    void passed();

    /** Objects fail for a reason for which none did before, or none fails for one any more. */
    void failingChanged();

    /** The service cluster may serve the type in another form by now. */
    void typeMayHaveChanged();
  }

  private record CopyListener(ObjectSync sync, Listener listener) implements ChangeListener {
    @Override
    public void changed(Change change) {
      sync.copyChanged(change);
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
      Scheduler scheduler,
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
            scheduler,
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

  /** Whether every cache that decisions about this object need holds everything. */
  private boolean isSynced(ObjectKey key) {
    return sources.isSynced(key)
        && copies.isSynced()
        && states.isSynced()
        && clusters.namespaces().isSynced()
        && sourceNamespaces
            .map(namespaces -> sources.endpointOf(key).map(namespaces::isSynced).orElse(false))
            .orElse(true);
  }

  /** Whether every cache that decisions need holds everything, whatever the object. */
  public boolean isSynced() {
    return sources.isSynced()
        && copies.isSynced()
        && states.isSynced()
        && clusters.namespaces().isSynced()
        && sourceNamespaces.map(ConsumerObjects::isSynced).orElse(true);
  }

  /** Why a cache cannot be filled or kept up to date; empty if all can. */
  public Optional<KubeFailure> lastFailure() {
    return sources
        .lastFailure()
        .or(copies::lastFailure)
        .or(states::lastFailure)
        .or(clusters.namespaces()::lastFailure)
        .or(() -> sourceNamespaces.flatMap(ConsumerObjects::lastFailure));
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

  /** For operators; objects in failure are listed with their reasons. */
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
    sweep.cancel();
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

  private void look(ObjectKey source) {
    unsynced.noticed(source);
    queue.add(source);
  }

  /** What is another agent's may have this source's name, or give it free. */
  private void copyChanged(Change change) {
    switch (change) {
      case Change.Added(var _, var copy) -> shown(copy);
      case Change.Updated(var _, var before, var after) -> {
        // Marks that were edited away: the source they named has to look for its copy.
        SourceMarks.sourcesOf(before, sources::keys).forEach(this::look);
        shown(after);
      }
      case Change.Removed(var _, var last) ->
          SourceMarks.sourcesOf(last, sources::keys)
              .forEach(source -> {
                if (SourceMarks.mayBeOf(agentName, last)) {
                  pendingWrites.ended(source, last);
                }
                look(source);
              });
    }
  }

  private void shown(KubeObject copy) {
    SourceMarks.sourcesOf(copy, sources::keys)
        .forEach(source -> {
          if (SourceMarks.mayBeOf(agentName, copy)) {
            pendingWrites.shown(source, copy);
          }
          look(source);
        });
  }

  private void sourceNamespaceChanged(Change change) {
    sources.keys().stream()
        .filter(key -> key.cluster().equals(change.key().cluster()))
        .filter(key -> key.namespace().equals(change.key().name()))
        .forEach(queue::add);
  }

  /** What a namespace filter asks for may be hidden by now, or be so no more. */
  private void claimsChanged(LogicalCluster cluster) {
    if (sourceNamespaces.isPresent()) {
      sources.keys().stream().filter(key -> key.cluster().equals(cluster)).forEach(queue::add);
    }
  }

  private void targetNamespaceChanged(Change change) {
    pendingWrites.forgetNamespace(change.key().name());
    if (change instanceof Change.Removed) {
      failures.with(SyncPlan.Why.NAMESPACE_TERMINATING.text()).forEach(queue::add);
    }
  }
}
