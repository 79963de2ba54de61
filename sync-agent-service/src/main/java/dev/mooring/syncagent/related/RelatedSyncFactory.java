package dev.mooring.syncagent.related;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.export.MultiShardLister;
import dev.mooring.syncagent.clusters.NamespaceWriter;
import dev.mooring.syncagent.clusters.TypeWatches;
import dev.mooring.syncagent.content.GoAgentStateStore;
import dev.mooring.syncagent.related.decide.ObjectRef;
import dev.mooring.syncagent.related.decide.OtherOwners;
import dev.mooring.syncagent.related.decide.RecordOwner;
import dev.mooring.syncagent.related.decide.RelatedPair;
import dev.mooring.syncagent.related.decide.RelatedRecord;
import dev.mooring.syncagent.related.decide.Sharing;
import dev.mooring.syncagent.related.decide.Sharing.Need;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Starts the sync of related objects for each published type, and holds what all types of one agent
 * share: records, caches and claims. Thread-safe.
 */
public final class RelatedSyncFactory {
  final KubeClient service;
  final TypeWatches watches;
  final NamespaceWriter namespaces;
  final RelatedCaches caches;
  final PermissionClaims claims;
  final GoAgentStateStore earlier;
  final RelatedRecordStore records;
  final InstantSource steady;

  /** Of all published types that are synced. */
  final List<RelatedSync> members = new CopyOnWriteArrayList<>();

  public RelatedSyncFactory(
      KubeClient service,
      TypeWatches watches,
      NamespaceWriter namespaces,
      String agentName,
      String stateNamespace,
      InstantSource steady) {
    this.service = service;
    this.watches = watches;
    this.namespaces = namespaces;
    this.caches = new RelatedCaches(watches, service, steady);
    this.claims = new PermissionClaims(watches);
    this.earlier = new GoAgentStateStore(service, watches.states(stateNamespace), stateNamespace);
    this.records =
        new RelatedRecordStore(
            service,
            watches,
            new RecordSecretCodec(stateNamespace, agentName),
            record -> members.forEach(member -> member.recordChanged(record)));
    this.steady = steady;
  }

  /**
   * @param primaries of one published type
   * @param requeue receives primaries whose related objects changed; must not block
   */
  public RelatedSync start(
      RelatedRules rules,
      MultiShardLister primaries,
      PrimaryCopies copies,
      Consumer<ObjectKey> requeue) {
    var sync = new RelatedSync(rules, this, primaries, copies, requeue);
    sync.start();
    return sync;
  }

  /**
   * Other entries and primaries that need the copy, or may need it: an object that several
   * primaries use is deleted with the last of them. Derived from the caches each time; a count
   * would be wrong after a restart.
   */
  OtherOwners otherOwnersOfCopy(RecordOwner owner, RelatedPair pair, Optional<RelatedRecord> own) {
    return Sharing.ofCopy(
        owner, pair.original(), own, others(owner, records.ofCopy(pair.copy())), this::need);
  }

  /** As {@link #otherOwnersOfCopy}, of those that have not recorded the copy as created. */
  Optional<RelatedRecord> heirOfCopy(RecordOwner owner, RelatedPair pair) {
    return others(owner, records.ofCopy(pair.copy())).stream()
        .filter(other -> !other.isDone() && other.original().equals(pair.original()))
        .filter(other -> need(other) != Need.NOT_NEEDED)
        .findFirst();
  }

  /** Others that need the original's finalizer, or may need it. */
  OtherOwners otherOwnersOfOriginal(RecordOwner owner, ObjectRef original) {
    return Sharing.ofOriginal(others(owner, records.ofOriginal(original)), this::need);
  }

  private static List<RelatedRecord> others(RecordOwner owner, List<RelatedRecord> records) {
    return records.stream().filter(record -> !record.owner().equals(owner)).toList();
  }

  /** Unknown for a type that is not synced at the moment. */
  private Need need(RelatedRecord record) {
    return members.stream()
        .filter(member -> member.isFor(record.owner()))
        .findFirst()
        .map(member -> member.need(record))
        .orElse(Need.UNKNOWN);
  }

  public PermissionClaims claims() {
    return claims;
  }

  /** Whether copies of related objects are, or may be, in this Namespace of the service cluster. */
  public boolean holdsCopies(String namespace) {
    return records.holdsCopies(namespace);
  }
}
