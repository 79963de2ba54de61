package dev.mooring.syncagent.sync;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeFailure.Kind;
import dev.mooring.runtime.client.KubeReader;
import dev.mooring.runtime.client.ListQuery;
import dev.mooring.runtime.client.WildcardReads;
import dev.mooring.runtime.export.MultiShardLister;
import dev.mooring.syncagent.clusters.ServiceView;
import dev.mooring.syncagent.clusters.WorkspacePathCache;
import dev.mooring.syncagent.content.LastKnownStates;
import dev.mooring.syncagent.content.decide.CopyNamespace;
import dev.mooring.syncagent.content.decide.SourceMarks;
import dev.mooring.syncagent.content.decide.StateKey;
import dev.mooring.syncagent.published.LabelSelector;
import dev.mooring.syncagent.published.PublishedResource.Synchronization;
import dev.mooring.syncagent.published.SyncMarks;
import dev.mooring.syncagent.published.SyncPolicy.EmptyNamespaces;
import dev.mooring.syncagent.sync.decide.CopyLookup;
import dev.mooring.syncagent.sync.decide.CopyName;
import dev.mooring.syncagent.sync.decide.OrphanStatePlanner;
import dev.mooring.syncagent.sync.decide.OrphanStatePlanner.Caches;
import dev.mooring.syncagent.sync.decide.OrphanStatePlanner.CopyPresence;
import dev.mooring.syncagent.sync.decide.OrphanStatePlanner.Kept;
import dev.mooring.syncagent.sync.decide.OrphanStatePlanner.SourcePresence;
import dev.mooring.syncagent.sync.decide.SyncRules;
import dev.mooring.syncagent.sync.decide.SyncSnapshot;
import dev.mooring.syncagent.sync.decide.SyncSnapshot.SourceNamespace;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Gathers what one decision needs, from caches; only an object that has a new copy's name is asked
 * for. A read that fails throws; it never becomes absence. Used while the caches are synced.
 *
 * @param occupied whether a Namespace of the service cluster holds anything of the agent
 * @param namespacesHidden why the agent may not see a workspace's Namespaces; empty if it may
 */
record SnapshotReader(
    SyncRules rules,
    MultiShardLister sources,
    Optional<MultiShardLister> sourceNamespaces,
    ServiceView copies,
    ServiceView targetNamespaces,
    LastKnownStates states,
    PrimaryWrites writes,
    KubeReader service,
    Optional<WorkspacePathCache> paths,
    Predicate<String> occupied,
    Function<LogicalCluster, Optional<String>> namespacesHidden) {
  /** Index of this agent's copies, see {@link #sourceIndex}. */
  static final String BY_SOURCE = "source";

  /** What {@link #BY_SOURCE} finds a copy under: {@link SourceMarks#identityOf} its source. */
  static List<String> sourceIndex(String agentName, KubeObject copy) {
    return SourceMarks.mayBeOf(agentName, copy) ? List.of(SourceMarks.identityOf(copy)) : List.of();
  }

  /** The source as it is known to be by now; empty if it does not exist. */
  Optional<KubeObject> source(ObjectKey key) {
    return sources.find(key).map(shown -> writes.newestSource(key, shown));
  }

  /** Throws {@link dev.mooring.runtime.client.KubeFailure} if something had to be asked for. */
  SyncSnapshot read(ObjectKey key) {
    return read(key, copyOf(key));
  }

  /** After a create failed because the name is taken: with the object that has it. */
  SyncSnapshot readNameTaken(ObjectKey key, CopyName.At place) {
    Optional<KubeObject> holder =
        service.find(rules.copy().resource(), place.namespace(), place.name());
    return read(
        key,
        holder
            .<CopyLookup>map(object ->
                sourceIndex(rules.agentName(), object).contains(SourceMarks.identity(key))
                    ? found(key, object)
                    : new CopyLookup.NameTaken(object, states.find(stateKey(rules, key), object)))
            .orElseGet(CopyLookup.Missing::new));
  }

  private SyncSnapshot read(ObjectKey key, CopyLookup copy) {
    Optional<KubeObject> source = source(key);
    Optional<String> path =
        source.flatMap(_ -> paths).flatMap(directory -> directory.pathFor(sources, key));
    // A copy that is there keeps its place, even if naming has changed.
    Optional<CopyName> place =
        copy instanceof CopyLookup.Found
            ? Optional.empty()
            : source.map(object -> place(object, key, path));
    return new SyncSnapshot(
        rules,
        key,
        source,
        sourceNamespace(key),
        copy,
        place,
        targetNamespace(place),
        emptied(place),
        path);
  }

  /** Names are for ever: none is made of a path that is only not known yet. */
  private CopyName place(KubeObject source, ObjectKey key, Optional<String> path) {
    return paths.isPresent() && path.isEmpty()
        ? new CopyName.Nowhere(
            ("the path of workspace %s cannot be seen: its APIBinding has to accept the"
                    + " permission claim for %s")
                .formatted(key.cluster(), WorkspacePathCache.LOGICAL_CLUSTERS.qualified()))
        : CopyName.of(rules, source, key.cluster(), path);
  }

  /** States and records of a source that is not seen; asks servers only where it matters. */
  OrphanStatePlanner.Snapshot readOrphanState(ObjectKey key, boolean recorded, Caches caches) {
    Kept kept =
        recorded || states.isKeptApart(stateKey(rules, key)) ? Kept.SOMETHING : Kept.NOTHING;
    CopyPresence copy = CopyPresence.NOT_ASKED;
    SourcePresence source = SourcePresence.NOT_ASKED;
    if (rules.synchronization() != Synchronization.PAUSED
        && kept == Kept.SOMETHING
        && caches == Caches.FILLED) {
      copy = trace(key);
      source = copy == CopyPresence.NONE ? sourcePresence(key) : source;
    }
    return new OrphanStatePlanner.Snapshot(rules.synchronization(), kept, caches, copy, source);
  }

  /** A copy that was just made may be on its way into the cache. */
  private CopyPresence trace(ObjectKey key) {
    return copyOf(key) instanceof CopyLookup.Missing && !isStored(service, rules, key)
        ? CopyPresence.NONE
        : CopyPresence.THERE;
  }

  /** Whether the server has this agent's copy of this source. */
  static boolean isStored(KubeReader service, SyncRules rules, ObjectKey source) {
    // Not the first one alone: there may be one of each agent.
    ListQuery query = ListQuery.ALL.withLabels(SourceMarks.selector(source));
    return service.list(rules.copy().resource(), query).items().stream()
        .anyMatch(copy -> SourceMarks.mayBeOf(rules.agentName(), copy));
  }

  /** By a source's absence from a cache alone nothing is destroyed. */
  private SourcePresence sourcePresence(ObjectKey key) {
    SourcePresence answer = SourcePresence.UNKNOWN;
    for (KubeClient workspace : sources.clientsFor(key.cluster())) {
      try {
        if (workspace.find(rules.source().resource(), key.namespace(), key.name()).isPresent()) {
          return SourcePresence.THERE;
        }
        answer = SourcePresence.GONE;
      } catch (KubeFailure e) {
        if (e.kind() != Kind.FORBIDDEN && e.kind() != Kind.NOT_SERVED) {
          throw e;
        }
        // This endpoint does not have the workspace.
      }
    }
    return answer == SourcePresence.GONE ? answer : elsewhere(key);
  }

  /** An endpoint refuses a workspace that is gone as one that is another's: all are listed. */
  private SourcePresence elsewhere(ObjectKey key) {
    SourcePresence answer = SourcePresence.UNKNOWN;
    for (KubeReader endpoint : sources.everywhere()) {
      if (WildcardReads.show(endpoint, rules.source().resource(), key)) {
        return SourcePresence.THERE;
      }
      answer = SourcePresence.NOT_BOUND;
    }
    return answer;
  }

  private CopyLookup copyOf(ObjectKey key) {
    List<KubeObject> marked = marked(copies, key);
    if (marked.size() > 1) {
      return new CopyLookup.Ambiguous(
          marked.stream()
              .limit(3)
              .map(copy -> new CopyName.At(copy.namespace(), copy.name()).toString())
              .toList());
    }
    return writes
        .newestCopy(key, () -> marked(copies, key).stream().findFirst())
        .<CopyLookup>map(copy -> found(key, copy))
        .orElseGet(CopyLookup.Missing::new);
  }

  static List<KubeObject> marked(ServiceView copies, ObjectKey source) {
    return copies.indexed(BY_SOURCE, SourceMarks.identity(source));
  }

  private CopyLookup.Found found(ObjectKey key, KubeObject copy) {
    return new CopyLookup.Found(copy, states.past(stateKey(rules, key), copy));
  }

  static StateKey stateKey(SyncRules rules, ObjectKey source) {
    return StateKey.of(rules.source(), source);
  }

  private SourceNamespace sourceNamespace(ObjectKey key) {
    if (key.namespace().isEmpty() || rules.namespaceFilter().equals(LabelSelector.EVERYTHING)) {
      return new SourceNamespace.NotAsked();
    }
    return sourceNamespaces
        .flatMap(namespaces -> namespaces.find(new ObjectKey(key.cluster(), "", key.namespace())))
        .<SourceNamespace>map(namespace -> new SourceNamespace.Labelled(namespace.labels()))
        .or(() -> namespacesHidden.apply(key.cluster()).map(SourceNamespace.Hidden::new))
        .orElseGet(SourceNamespace.Unseen::new);
  }

  private Optional<KubeObject> emptied(Optional<CopyName> place) {
    if (rules.policy().emptyNamespaces() == EmptyNamespaces.KEEP
        || !(place.orElse(null) instanceof CopyName.At at)
        || at.namespace().isEmpty()) {
      return Optional.empty();
    }
    return targetNamespaces
        .find("", at.namespace())
        .filter(namespace -> !namespace.deleting())
        .filter(
            namespace -> rules.agentName().equals(namespace.labels().get(SyncMarks.NAMESPACE_OF)))
        .filter(namespace -> !occupied.test(namespace.name()));
  }

  private CopyNamespace targetNamespace(Optional<CopyName> place) {
    if (!(place.orElse(null) instanceof CopyName.At at) || at.namespace().isEmpty()) {
      return CopyNamespace.NOT_NEEDED;
    }
    return targetNamespaces
        .find("", at.namespace())
        .map(CopyNamespace::of)
        .orElse(writes.hasNamespace(at.namespace()) ? CopyNamespace.PRESENT : CopyNamespace.ABSENT);
  }
}
