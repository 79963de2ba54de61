package dev.mooring.syncagent.related;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.export.ExportView;
import dev.mooring.runtime.export.MultiShardLister;
import dev.mooring.runtime.watch.Change;
import dev.mooring.syncagent.clusters.ReducedObjects;
import dev.mooring.syncagent.clusters.TypeWatches;
import dev.mooring.syncagent.clusters.WorkspacePathCache;
import dev.mooring.syncagent.content.RewriteBackoff;
import dev.mooring.syncagent.published.RelatedResource;
import dev.mooring.syncagent.published.Side;
import dev.mooring.syncagent.related.decide.ClaimVisibility;
import dev.mooring.syncagent.related.decide.ObjectRef;
import dev.mooring.syncagent.related.decide.Progress;
import dev.mooring.syncagent.related.decide.ReadSet;
import dev.mooring.syncagent.related.decide.RecordOwner;
import dev.mooring.syncagent.related.decide.RelatedPair;
import dev.mooring.syncagent.related.decide.RelatedRecord;
import dev.mooring.syncagent.related.decide.Resolution;
import dev.mooring.syncagent.related.decide.Sharing.Need;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Syncs the related objects of one published type's primaries; each pass makes at most one write. A
 * change of a related object requeues its primaries. Thread-safe for different primaries.
 */
public final class RelatedSync implements AutoCloseable {
  /** Primaries beyond this whose entries are pending are not listed. */
  private static final int PENDING_MAX = 1000;

  final RelatedRules rules;
  final String primaryType;
  final MultiShardLister primaries;
  final RelatedSyncFactory shared;
  final PrimaryCopies copies;
  final RewriteBackoff<ObjectRef> rewrites;
  final RefusedActions refused = new RefusedActions();
  final ReadSetIndex index = new ReadSetIndex();
  final PendingCopies pendingCopies = new PendingCopies();

  /** Primaries whose copies are compared with their originals until none differs. */
  private final Set<ObjectKey> resynced = ConcurrentHashMap.newKeySet();

  private final Consumer<ObjectKey> requeue;
  private volatile TypeWatches.Subscription subscription = () -> {};
  private volatile boolean closed;
  private final ConcurrentSkipListMap<ObjectKey, String> pending = new ConcurrentSkipListMap<>();

  RelatedSync(
      RelatedRules rules,
      RelatedSyncFactory shared,
      MultiShardLister primaries,
      PrimaryCopies copies,
      Consumer<ObjectKey> requeue) {
    this.rules = rules;
    this.primaryType = rules.primaryType().qualified();
    this.shared = shared;
    this.primaries = primaries;
    this.requeue = requeue;
    this.copies = copies;
    this.rewrites = new RewriteBackoff<>(shared.steady);
  }

  /** Opens the watches, and queues deleted primaries whose records remain. */
  void start() {
    subscription = shared.watches.listen(this::changed);
    // Lists take a while: opened here, they are there with the first object.
    shared.claims.open();
    rules.entries().forEach(shared.caches::open);
    shared.members.add(this);
    // No watch event requeues a deleted primary whose records remain.
    shared.records.primaries(primaryType).stream()
        .filter(key -> primaries.find(key).isEmpty())
        .forEach(requeue);
  }

  /** While the primary exists and is itself in sync. */
  public Progress sync(Primary primary, KubeClient workspace) {
    ObjectKey key = primary.key();
    Progress progress =
        new RelatedPass(this, primary, workspace).sync(withoutPath(key.cluster(), primary.path()));
    switch (progress) {
      case Progress.Wrote(), Progress.Stale(), Progress.NotSynced _ -> {}
      case Progress.Settled(), Progress.Waiting(), Progress.Warned _, Progress.Refused _ ->
          resynced.remove(key);
    }
    return progress;
  }

  private Progress withoutPath(LogicalCluster cluster, Optional<String> path) {
    return rules.paths().isEmpty() || path.isPresent()
        ? new Progress.Settled()
        : shared
            .claims
            .missing(cluster, WorkspacePathCache.LOGICAL_CLUSTERS)
            .<Progress>map(rejected -> new Progress.Warned("ClaimRejected", rejected))
            .orElseGet(Progress.Settled::new);
  }

  boolean isResynced(ObjectKey key) {
    return resynced.contains(key);
  }

  /** The primary's next passes compare contents: what differs from its original is written. */
  public void resync(ObjectKey key) {
    resynced.add(key);
  }

  /** While the primary is being deleted, before its copy is; settled once that can go. */
  public Progress keep(Primary primary, KubeClient workspace) {
    return new RelatedPass(this, primary, workspace).keep();
  }

  /** Once the primary's copy is gone; settled once the primary need not wait any more. */
  public Progress cleanUp(Primary primary, KubeClient workspace) {
    Progress progress = new RelatedPass(this, primary, workspace).cleanUp();
    if (progress instanceof Progress.Settled) {
      forget(primary.key());
    }
    return progress;
  }

  /**
   * After the deletion of a primary that did not wait and has no copy any more; settled once only
   * objects that {@code cleanup} keeps are left.
   */
  public Progress cleanUpOrphaned(ObjectKey key) {
    return workspaceOf(key)
        .map(workspace -> new RelatedPass(this, Primary.deleted(key), workspace).cleanUpOrphaned())
        .orElseGet(() -> new Progress.NotSynced(""));
  }

  /** By the endpoint that shows a recorded object of the workspace, or else by any. */
  private Optional<KubeClient> workspaceOf(ObjectKey primary) {
    return shared.records.ofPrimary(primaryType, primary).stream()
        .flatMap(record -> Stream.of(record.original(), record.copy()))
        .flatMap(ref -> shared.caches.clientFor(ref).stream())
        .findFirst()
        .or(() -> primaries.clientsFor(primary.cluster()).stream().findFirst());
  }

  /** The primary is deleted. */
  public void forget(ObjectKey key) {
    index.replace(key, ReadSet.EMPTY);
    refused.forget(key);
    resynced.remove(key);
    pending.remove(key);
  }

  /** Primaries that do not name some of their related objects yet, and which. */
  public Map<ObjectKey, String> pending() {
    return new TreeMap<>(pending);
  }

  /** Which related objects the primary does not name yet; empty if it names all. */
  public Optional<String> pending(ObjectKey key) {
    return Optional.ofNullable(pending.get(key));
  }

  /** What is recorded of a primary's related objects. */
  public List<RelatedRecord> records(ObjectKey key) {
    return List.copyOf(shared.records.ofPrimary(primaryType, key));
  }

  /** Entries that name no object yet, and why. */
  void putPending(ObjectKey key, Map<String, String> entries) {
    if (entries.isEmpty()) {
      pending.remove(key);
    } else if (pending.size() < PENDING_MAX || pending.containsKey(key)) {
      pending.put(key, entries.toString());
    }
  }

  @Override
  public void close() {
    closed = true;
    shared.members.remove(this);
    subscription.close();
  }

  /** Whether the published type is not synced any more. */
  boolean isClosed() {
    return closed;
  }

  /** Whether the owner is a primary of this type. */
  boolean isFor(RecordOwner owner) {
    return owner.primaryType().equals(primaryType);
  }

  /**
   * Whether the primary exists, names the record's copy, and the original exists; unknown of one
   * that is being deleted, until its copy is gone.
   */
  Need need(RelatedRecord record) {
    ObjectKey key = record.owner().primary();
    Optional<KubeObject> primary = primaries.find(key);
    if (primary.isEmpty()) {
      return primaries.isSynced() ? Need.NOT_NEEDED : Need.UNKNOWN;
    }
    if (ReducedObjects.isReduced(primary.get()) && !primary.get().deleting()) {
      return Need.UNKNOWN; // another replica knows
    }
    if (primary.get().deleting()) {
      // It writes nothing any more, and its copy's end may need it.
      return copies.isNone(key) ? Need.NOT_NEEDED : Need.UNKNOWN;
    }
    return rules.entries().stream()
        .filter(entry -> entry.identifier().equals(record.owner().identifier()))
        .filter(record::isOf)
        .findFirst()
        .map(entry -> need(entry, record.readAs(entry.types()), primary.get()))
        .orElse(Need.NOT_NEEDED);
  }

  private Need need(RelatedResource entry, RelatedRecord record, KubeObject primary) {
    ObjectKey key = record.owner().primary();
    Optional<KubeClient> workspace = primaries.clientFor(key);
    Optional<String> path = rules.paths().flatMap(cache -> cache.known(key.cluster()));
    if (workspace.isEmpty()
        || path.isEmpty() && rules.paths().isPresent()
        || !copies.areListed()
        || !shared.caches.isSynced(entry, primaries.endpointOf(key))
        || !shared.records.isSynced()) {
      return Need.UNKNOWN;
    }
    Visibility visibility = Visibility.of(entry, List.of(), key.cluster(), shared.claims);
    Need unlessSeen =
        visibility.all() instanceof ClaimVisibility.Full ? Need.NOT_NEEDED : Need.UNKNOWN;
    Optional<KubeObject> original = shared.caches.find(record.original());
    if (original.isEmpty()) {
      return unlessSeen;
    }
    if (original.get().deleting()) {
      return Need.NOT_NEEDED;
    }
    Resolution resolution =
        shared.caches.resolve(
            entry, new Primary(key, primary, copies.of(key), path), workspace.get());
    if (resolution.pairs().contains(RelatedPair.of(record))) {
      return Need.NEEDED;
    }
    return resolution.outcome() instanceof Resolution.Outcome.Unclear ? Need.UNKNOWN : unlessSeen;
  }

  /** Requeues the primary of a changed record, and all others that read the same copy. */
  void recordChanged(RelatedRecord record) {
    if (isFor(record.owner())) {
      requeue.accept(record.owner().primary());
    }
    index.primariesOf(record.copy()).forEach(requeue);
  }

  private void changed(Side side, ResourceType type, Change change) {
    if (type.equals(ExportView.BINDINGS)) {
      requeueAllOf(change.key().cluster());
    }
    KubeObject latest = change.latest();
    ObjectRef ref =
        ObjectRef.of(side, type, change.key().cluster(), latest.namespace(), latest.name());
    pendingCopies.changed(ref, change);
    if (change instanceof Change.Updated(var _, KubeObject before, KubeObject after)
        && !before.labels().equals(after.labels())) {
      index.primariesOf(ref, before).forEach(requeue);
    }
    index.primariesOf(ref, latest).forEach(requeue);
  }

  private void requeueAllOf(LogicalCluster cluster) {
    Stream<ObjectKey> affected =
        !rules.entries().isEmpty() || rules.paths().isPresent()
            ? primaries.keysIn(cluster).stream()
            : Stream.empty();
    Stream<ObjectKey> recorded =
        shared.records.primaries(primaryType).stream()
            .filter(primary -> primary.cluster().equals(cluster));
    Stream.concat(affected, recorded).forEach(requeue);
  }
}
