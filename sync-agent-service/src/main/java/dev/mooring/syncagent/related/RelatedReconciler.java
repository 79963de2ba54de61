package dev.mooring.syncagent.related;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.export.ConsumerView;
import dev.mooring.runtime.watch.Change;
import dev.mooring.syncagent.clusters.TypeWatches;
import dev.mooring.syncagent.clusters.WorkspacePathCache;
import dev.mooring.syncagent.published.PublishedResource.WorkspacePaths;
import dev.mooring.syncagent.published.RelatedResource;
import dev.mooring.syncagent.published.Side;
import dev.mooring.syncagent.related.record.PendingCopies;
import dev.mooring.syncagent.related.record.decide.NamespacedName;
import dev.mooring.syncagent.related.record.decide.ObjectRef;
import dev.mooring.syncagent.related.record.decide.RecordOwner;
import dev.mooring.syncagent.related.record.decide.RelatedRecord;
import dev.mooring.syncagent.related.resolve.Primary;
import dev.mooring.syncagent.related.resolve.PrimaryCopies;
import dev.mooring.syncagent.related.resolve.ReadSet;
import dev.mooring.syncagent.related.resolve.ReadSetIndex;
import dev.mooring.syncagent.related.resolve.decide.RelatedPair;
import dev.mooring.syncagent.related.resolve.decide.Resolution;
import dev.mooring.syncagent.related.share.PermissionClaims;
import dev.mooring.syncagent.related.share.decide.ClaimVisibility;
import dev.mooring.syncagent.related.share.decide.Sharing.Need;
import dev.mooring.syncagent.related.sync.Progress;
import dev.mooring.syncagent.related.sync.RefusedActions;
import dev.mooring.syncagent.related.sync.RelatedExecutor;
import dev.mooring.syncagent.related.sync.RelatedPass;
import dev.mooring.syncagent.related.sync.RelatedReader;
import dev.mooring.syncagent.related.sync.RelatedRules;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Keeps the related objects of one published type's primaries in step; each pass makes at most one
 * write. Changes of related objects bring their primaries back through {@code requeue}.
 * Thread-safe.
 */
public final class RelatedReconciler implements RelatedSync, AutoCloseable {
  /** Past this many, entries that the primaries do not name yet are no longer listed. */
  private static final int PENDING_MAX = 1000;

  /** A few hundred bytes each. */
  private static final int PATHS_MAX = 100_000;

  private final RelatedRules rules;
  private final List<RelatedResource> entries;
  private final ResourceType primaryType;
  private final ConsumerView primaries;
  private final PrimaryCopies copies;
  private final RelatedRegistry registry;
  private final RelatedReader reader;
  private final RelatedPass.Tools tools;
  private final ReadSetIndex index = new ReadSetIndex();
  private final RefusedActions refused = new RefusedActions();
  private final PendingCopies pendingCopies = new PendingCopies();
  private final Consumer<ObjectKey> requeue;
  private final TypeWatches.Subscription subscription;
  private volatile boolean closed;
  private final ConcurrentHashMap<LogicalCluster, String> paths = new ConcurrentHashMap<>();
  private final ConcurrentSkipListMap<ObjectKey, String> pending = new ConcurrentSkipListMap<>();

  /**
   * @param requeue is given primaries whose related objects changed; must not block
   */
  public RelatedReconciler(
      RelatedRules rules,
      RelatedRegistry registry,
      TypeWatches watches,
      ConsumerView primaries,
      PrimaryCopies copies,
      Consumer<ObjectKey> requeue) {
    this.rules = rules;
    this.entries = rules.entries();
    this.primaryType = rules.primaryType();
    this.primaries = primaries;
    this.copies = copies;
    this.registry = registry;
    this.requeue = requeue;
    this.reader = new RelatedReader(registry, pendingCopies, rules, copies::areIn);
    this.tools =
        new RelatedPass.Tools(
            rules,
            registry,
            reader,
            new RelatedExecutor(registry, pendingCopies, rules.primaryType(), () -> closed),
            index,
            refused,
            primaries);
    this.subscription = watches.listen(this::changed);
    // Opened now, not with the first object: lists take a while.
    registry.claims().open();
    entries.forEach(reader::open);
    registry.join(this);
    // Of records that were there before nobody tells; what lives brings its own pass.
    recordedPrimaries().filter(key -> primaries.find(key).isEmpty()).forEach(requeue);
  }

  @Override
  public Progress sync(
      ObjectKey key,
      KubeObject source,
      Optional<KubeObject> copy,
      Optional<String> path,
      KubeClient workspace) {
    path.filter(_ -> paths.size() < PATHS_MAX).ifPresent(value -> paths.put(key.cluster(), value));
    var seen = new Primary(key, source, copy, path);
    var pass = new RelatedPass(tools, seen, workspace, withoutPath(key.cluster(), path));
    Optional<Progress> wrote = pass.sync();
    if (wrote.isPresent()) {
      return wrote.get();
    }
    note(key, pass.pending());
    return pass.end();
  }

  private Progress withoutPath(LogicalCluster cluster, Optional<String> path) {
    return rules.workspacePaths() == WorkspacePaths.OFF || path.isPresent()
        ? new Progress.Settled()
        : registry
            .claims()
            .missing(cluster, WorkspacePathCache.LOGICAL_CLUSTERS)
            .<Progress>map(rejected -> new Progress.Warned("ClaimRejected", rejected))
            .orElseGet(Progress.Settled::new);
  }

  @Override
  public Progress cleanUp(
      ObjectKey key,
      KubeObject source,
      Optional<KubeObject> copy,
      Optional<String> path,
      KubeClient workspace) {
    var seen = new Primary(key, source, copy, path);
    Progress progress = new RelatedPass(tools, seen, workspace, new Progress.Settled()).cleanUp();
    if (progress instanceof Progress.Settled) {
      forget(key);
    }
    return progress;
  }

  @Override
  public boolean isRecorded(ObjectKey key) {
    return !registry.records().ofPrimary(primaryType.qualified(), key).isEmpty();
  }

  @Override
  public Progress cleanUpOrphaned(ObjectKey key) {
    Optional<KubeClient> workspace = reader.workspaceOf(key, primaries);
    return workspace.isEmpty()
        ? new Progress.NotSynced("")
        : new RelatedPass(tools, reader.gone(key), workspace.get(), new Progress.Settled())
            .cleanUpOrphaned();
  }

  @Override
  public void forget(ObjectKey key) {
    index.replace(key, ReadSet.EMPTY);
    refused.forget(key);
    pending.remove(key);
  }

  /** Primaries that do not name some of their related objects yet, and which. */
  public Map<ObjectKey, String> pending() {
    return new TreeMap<>(pending);
  }

  @Override
  public void close() {
    closed = true;
    registry.leave(this);
    subscription.close();
  }

  private Stream<ObjectKey> recordedPrimaries() {
    return registry.records().primaries(primaryType.qualified()).stream().distinct();
  }

  /** Whether it is of this type's primaries. */
  public boolean isFor(RecordOwner owner) {
    return owner.primaryType().equals(primaryType.qualified());
  }

  /** Whether the primary lives, calls for the record's copy, and has the original. */
  public Need need(RelatedRecord record) {
    ObjectKey key = record.owner().primary();
    Optional<KubeObject> primary = primaries.find(key);
    if (primary.isEmpty()) {
      return primaries.isSynced() ? Need.NOT_NEEDED : Need.UNKNOWN;
    }
    if (primary.get().deleting()) {
      return Need.NOT_NEEDED;
    }
    return entries.stream()
        .filter(entry -> entry.identifier().equals(record.owner().identifier()))
        .filter(record::isOf)
        .findFirst()
        .map(entry -> need(entry, record.readAs(entry.types()), primary.get()))
        .orElse(Need.NOT_NEEDED);
  }

  private Need need(RelatedResource entry, RelatedRecord record, KubeObject primary) {
    ObjectKey key = record.owner().primary();
    Optional<KubeClient> workspace = primaries.clientFor(key);
    Optional<String> path = Optional.ofNullable(paths.get(key.cluster()));
    if (workspace.isEmpty()
        || path.isEmpty() && rules.workspacePaths() == WorkspacePaths.ON
        || !copies.areListed()
        || !reader.isSynced(entry, primaries.endpointOf(key))) {
      return Need.UNKNOWN;
    }
    Need unlessSeen = showsAll(key.cluster(), entry) ? Need.NOT_NEEDED : Need.UNKNOWN;
    Optional<KubeObject> original = registry.objects().find(record.original());
    if (original.filter(o -> !o.deleting()).isEmpty()) {
      return original.isPresent() ? Need.NOT_NEEDED : unlessSeen;
    }
    Resolution resolution =
        reader.resolve(entry, new Primary(key, primary, copies.of(key), path), workspace.get());
    if (resolution
        .pairs()
        .contains(
            new RelatedPair(record.original().namespacedName(), record.copy().namespacedName()))) {
      return Need.NEEDED;
    }
    return resolution.outcome() instanceof Resolution.Outcome.Unclear ? Need.UNKNOWN : unlessSeen;
  }

  private boolean showsAll(LogicalCluster cluster, RelatedResource entry) {
    List<ResourceType> types =
        RelatedReader.selectsNamespaces(entry)
            ? List.of(entry.types().inKcp(), ResourceType.core("namespaces"))
            : List.of(entry.types().inKcp());
    return registry.claims().visibility(cluster, types) instanceof ClaimVisibility.Full;
  }

  /** Its own primary, and all others that look at the same copy, have to look again. */
  public void recordChanged(RelatedRecord record) {
    if (isFor(record.owner())) {
      requeue.accept(record.owner().primary());
    }
    index.primariesOf(record.copy()).forEach(requeue);
  }

  private void note(ObjectKey key, Map<String, String> missing) {
    if (missing.isEmpty()) {
      pending.remove(key);
    } else if (pending.size() < PENDING_MAX || pending.containsKey(key)) {
      pending.put(key, missing.toString());
    }
  }

  private void changed(Side side, ResourceType type, Change change) {
    ObjectRef ref = ref(side, type, change.latest(), change.key());
    if (type.equals(PermissionClaims.BINDINGS)) {
      Stream.concat(
              !entries.isEmpty() || rules.workspacePaths() == WorkspacePaths.ON
                  ? primaries.keys().stream()
                  : Stream.empty(),
              recordedPrimaries())
          .filter(primary -> primary.cluster().equals(change.key().cluster()))
          .forEach(requeue);
    }
    pendingCopies.changed(ref, change);
    if (change instanceof Change.Updated(var _, var before, var after)
        && !before.labels().equals(after.labels())) {
      index.primariesOf(ref, before).forEach(requeue);
    }
    index.primariesOf(ref, change.latest()).forEach(requeue);
  }

  private static ObjectRef ref(Side side, ResourceType type, KubeObject object, ObjectKey key) {
    return switch (side) {
      case SERVICE ->
          new ObjectRef(Side.SERVICE, type, LogicalCluster.NONE, NamespacedName.of(object));
      case KCP -> new ObjectRef(Side.KCP, type, key.cluster(), NamespacedName.of(object));
    };
  }
}
