package dev.mooring.syncagent.sync;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.ListQuery;
import dev.mooring.runtime.lease.Share;
import dev.mooring.runtime.queue.ReconcileResult;
import dev.mooring.runtime.watch.InformerSpec;
import dev.mooring.syncagent.clusters.NamespaceContents;
import dev.mooring.syncagent.clusters.NamespaceWriter;
import dev.mooring.syncagent.clusters.WorkShare;
import dev.mooring.syncagent.content.AnnotationStateStore;
import dev.mooring.syncagent.content.GoAgentStateStore;
import dev.mooring.syncagent.content.LastKnownStates;
import dev.mooring.syncagent.content.RewriteBackoff;
import dev.mooring.syncagent.content.SecretStateStore;
import dev.mooring.syncagent.content.decide.SourceMarks;
import dev.mooring.syncagent.published.RelatedResource;
import dev.mooring.syncagent.published.Side;
import dev.mooring.syncagent.published.SyncMarks;
import dev.mooring.syncagent.related.RelatedRules;
import dev.mooring.syncagent.related.RelatedSyncFactory;
import dev.mooring.syncagent.simulation.ConsumerViewModel;
import dev.mooring.syncagent.simulation.CopiesModel;
import dev.mooring.syncagent.simulation.LaggingCache;
import dev.mooring.syncagent.simulation.LaggingCache.Seen;
import dev.mooring.syncagent.simulation.ServerModel;
import dev.mooring.syncagent.simulation.ServiceViewModel;
import dev.mooring.syncagent.sync.decide.SyncRules;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/**
 * The agent's own reader, planner, executor and reconciler for one type, on modelled servers, with
 * caches that lag behind and a queue in virtual time. One thread.
 */
final class SimulatedAgent {
  static final ResourceType THINGS = new ResourceType("example.io", "v1", "things");
  private static final ResourceType NAMESPACES = ResourceType.core("namespaces");
  static final ResourceType SECRETS = ResourceType.core("secrets");
  private static final long FAILURE_DELAY_MILLIS = 100;

  private final ConsumerViewModel sources;
  private final ServiceViewModel copies;
  private final ServiceViewModel namespaces;
  private final SimulatedWatches watches;
  private final RelatedSyncFactory relatedSyncs;
  private final PrimaryWrites writes = new PrimaryWrites();
  private final WorkShare work = new WorkShare(Share.EVERYTHING);

  /** What the agent would tell of objects that are not in step. */
  final FailureRegistry failures = new FailureRegistry();

  private final PrimaryObjectReconciler reconciler;

  /** When each key is to be worked on, in milliseconds of virtual time. */
  private final TreeMap<ObjectKey, Long> due = new TreeMap<>();

  private final String agentName;

  /** When the agent was last told of something, or worked. */
  private long clock;

  private final TreeMap<ObjectKey, Integer> failuresInARow = new TreeMap<>();

  /** Where last-known states are. */
  enum States {
    WITH_COPIES,
    /** As where copies are Secrets, or large. */
    APART
  }

  SimulatedAgent(
      SyncRules rules, List<RelatedResource> related, ServerModel kcp, ServerModel service) {
    this(rules, related, States.WITH_COPIES, kcp, service);
  }

  SimulatedAgent(
      SyncRules rules,
      List<RelatedResource> related,
      States where,
      ServerModel kcp,
      ServerModel service) {
    this.agentName = rules.agentName();
    this.sources = new ConsumerViewModel(kcp, THINGS);
    this.copies =
        new ServiceViewModel(
            service,
            InformerSpec.of(THINGS)
                .withLabels(SyncMarks.SOURCE_CLUSTER)
                .keeping(AnnotationStateStore::compact)
                .indexedBy(
                    SnapshotReader.BY_SOURCE,
                    copy -> SnapshotReader.sourceIndex(rules.agentName(), copy)));
    this.watches = new SimulatedWatches(kcp, service);
    this.namespaces = watches.onService(NAMESPACES);
    ServiceViewModel states = watches.states("agents");
    KubeClient client = service.client(LogicalCluster.NONE);
    var stateStore =
        new LastKnownStates(
            where == States.APART
                ? Optional.empty()
                : Optional.of(new AnnotationStateStore(client, THINGS)),
            new SecretStateStore(client, THINGS, states, "agents", rules.agentName()),
            new GoAgentStateStore(client, states, "agents"));
    var namespaceWriter =
        new NamespaceWriter(
            client, namespace -> stores(client, namespace), work, (_, _) -> () -> {});
    this.relatedSyncs =
        new RelatedSyncFactory(
            client,
            watches,
            namespaceWriter,
            rules.agentName(),
            "agents",
            () -> Instant.ofEpochMilli(clock));
    var relatedSync =
        relatedSyncs.start(
            new RelatedRules(
                related,
                Set.of(),
                THINGS,
                rules.adoption(),
                rules.policy().emptyNamespaces(),
                rules.naming().namespaceMetadata(),
                Optional.empty()),
            sources,
            new CopiesModel(
                key -> SnapshotReader.marked(copies, key).stream().findFirst(),
                writes::mayHaveUnshownCopy,
                this::holdsPrimaries),
            key -> add(key, clock));
    this.reconciler =
        new PrimaryObjectReconciler(
            new SnapshotReader(
                rules,
                sources,
                Optional.empty(),
                copies,
                namespaces,
                stateStore,
                writes,
                client,
                Optional.empty(),
                this::occupied,
                _ -> Optional.empty()),
            new ActionExecutor(
                rules, client, stateStore, writes, namespaceWriter, this::occupied, this::occupied),
            relatedSync,
            sources,
            new SyncReporter(
                (_, _) -> {},
                new HashSet<>(),
                failures,
                client,
                new UnsyncedObjects(() -> Instant.EPOCH),
                new SyncMeters(new SimpleMeterRegistry(), "things")),
            writes,
            ALL_FILLED,
            work,
            new ConflictBackoff(),
            new RewriteBackoff<>(() -> Instant.ofEpochMilli(clock)));
    relist(sources.cache(), 0);
    relist(copies.cache(), 0);
    var orphanStates =
        new OrphanStateSweep(rules.source(), sources, stateStore, key -> add(key, clock));
    orphanStates.sweep();
    watches.listen((side, type, change) -> {
      if (side == Side.SERVICE && type.equals(SECRETS)) {
        orphanStates.changed(change);
      }
    });
  }

  List<LaggingCache> caches() {
    var all = new ArrayList<>(List.of(sources.cache(), copies.cache()));
    all.addAll(watches.caches());
    return all;
  }

  void advance(LaggingCache cache, long now) {
    cache.advance().forEach(seen -> told(cache, seen, now));
  }

  void relist(LaggingCache cache, long now) {
    cache.relist().forEach(seen -> told(cache, seen, now));
  }

  boolean isBehind() {
    return caches().stream().anyMatch(LaggingCache::isBehind);
  }

  /** Works on one of the keys that are due; false if none is. */
  boolean work(RandomGenerator chance, long now) {
    List<ObjectKey> ready =
        due.entrySet().stream().filter(e -> e.getValue() <= now).map(Map.Entry::getKey).toList();
    if (ready.isEmpty()) {
      return false;
    }
    clock = now;
    ObjectKey key = ready.get(chance.nextInt(ready.size()));
    due.remove(key);
    try {
      if (reconciler.reconcile(key) instanceof ReconcileResult.RequeueAfter(var delay)) {
        add(key, now + delay.toMillis());
      }
      failuresInARow.remove(key);
    } catch (KubeFailure e) {
      int inARow = failuresInARow.merge(key, 1, Integer::sum);
      add(key, now + (FAILURE_DELAY_MILLIS << Math.min(inARow, 9)));
    }
    return true;
  }

  /** The next moment at which a key is due; empty if nothing waits. */
  Optional<Long> nextDue() {
    return due.values().stream().min(Long::compare);
  }

  private static NamespaceContents stores(KubeClient service, String namespace) {
    ListQuery query = ListQuery.ALL.inNamespace(namespace).withLabels(SourceMarks.COPIES);
    return service.list(THINGS, query).items().isEmpty()
        ? NamespaceContents.NOTHING
        : NamespaceContents.SOMETHING;
  }

  private boolean occupied(String namespace) {
    return holdsPrimaries(namespace) || relatedSyncs.holdsCopies(namespace);
  }

  private boolean holdsPrimaries(String namespace) {
    return copies.cache().all().keySet().stream().anyMatch(k -> k.namespace().equals(namespace));
  }

  /** As {@link ObjectSync} does with what its watches say. */
  private void told(LaggingCache cache, Seen seen, long now) {
    clock = now;
    watches.told(cache, seen);
    if (cache == sources.cache()) {
      add(seen.key(), now);
    } else if (cache == copies.cache()) {
      if (seen.before() != null) {
        SourceMarks.sourcesOf(seen.before(), sources.cache().all()::keySet)
            .forEach(key -> add(key, now));
      }
      SourceMarks.sourcesOf(seen.after(), sources.cache().all()::keySet)
          .forEach(key -> {
            if (SourceMarks.mayBeOf(agentName, seen.after())) {
              writes.copyChanged(key, SimulatedWatches.change(seen));
            }
            add(key, now);
          });
    } else if (cache == namespaces.cache()) {
      writes.forgetNamespace(seen.key().name());
      sources.cache().all().keySet().forEach(key -> add(key, now));
    }
  }

  private void add(ObjectKey key, long at) {
    due.merge(key, at, Math::min);
  }

  private static final PrimaryObjectReconciler.Caches ALL_FILLED =
      new PrimaryObjectReconciler.Caches() {
        @Override
        public boolean areFilledFor(ObjectKey key) {
          return true;
        }

        @Override
        public boolean areFilled() {
          return true;
        }

        @Override
        public void requeueOnceFilled(ObjectKey key) {
          throw new AssertionError("all are filled");
        }
      };
}
