package dev.mooring.syncagent.related;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.syncagent.clusters.NamespaceWriter;
import dev.mooring.syncagent.clusters.TypeWatches;
import dev.mooring.syncagent.content.GoAgentStateStore;
import dev.mooring.syncagent.published.Side;
import dev.mooring.syncagent.related.record.RecordSecretCodec;
import dev.mooring.syncagent.related.record.RelatedRecordStore;
import dev.mooring.syncagent.related.record.decide.ObjectRef;
import dev.mooring.syncagent.related.record.decide.RecordOwner;
import dev.mooring.syncagent.related.record.decide.RelatedRecord;
import dev.mooring.syncagent.related.resolve.RelatedCaches;
import dev.mooring.syncagent.related.resolve.TypeDiscovery;
import dev.mooring.syncagent.related.share.PermissionClaims;
import dev.mooring.syncagent.related.share.decide.OtherOwners;
import dev.mooring.syncagent.related.share.decide.Sharing;
import dev.mooring.syncagent.related.share.decide.Sharing.Need;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * What all published types of one agent share about related objects: the records, and who needs
 * which object, so that what several primaries use goes with the last of them. Who needs an object
 * is derived from the caches each time; a remembered count would be wrong after a restart.
 * Thread-safe.
 */
public final class RelatedRegistry {
  /** Changes of these are changes of what consumers have accepted. */
  public static final ResourceType BINDINGS = PermissionClaims.BINDINGS;

  private final KubeClient service;
  private final TypeWatches watches;
  private final RecordSecretCodec form;
  private final RelatedCaches objects;
  private final PermissionClaims claims;
  private final GoAgentStateStore earlier;
  private final NamespaceWriter namespaces;
  private final TypeDiscovery types;
  private final CopyOnWriteArrayList<RelatedReconciler> members = new CopyOnWriteArrayList<>();
  private RelatedRecordStore records;

  /**
   * @param steady for the ages of what is known
   */
  public RelatedRegistry(
      KubeClient service,
      TypeWatches watches,
      NamespaceWriter namespaces,
      String agentName,
      String stateNamespace,
      InstantSource steady) {
    this.service = service;
    this.types = new TypeDiscovery(steady);
    this.namespaces = namespaces;
    this.watches = watches;
    this.form = new RecordSecretCodec(stateNamespace, agentName);
    this.objects = new RelatedCaches(watches);
    this.claims = new PermissionClaims(watches);
    this.earlier = new GoAgentStateStore(service, watches.states(stateNamespace), stateNamespace);
  }

  public String agentName() {
    return form.agentName();
  }

  public RelatedCaches objects() {
    return objects;
  }

  /**
   * What consumers have to do so that their objects can be kept in step, one by one.
   *
   * @param types that the APIExport claims
   */
  public List<String> rejectedClaims(Collection<ResourceType> types) {
    return claims.missing(types);
  }

  /** As {@link #rejectedClaims}, of one workspace; empty if nothing is known to be rejected. */
  public Optional<String> rejectedClaim(LogicalCluster cluster, ResourceType type) {
    return claims.missing(cluster, type);
  }

  public PermissionClaims claims() {
    return claims;
  }

  /** What the Go agent left word of. */
  public GoAgentStateStore earlier() {
    return earlier;
  }

  /** Of the service cluster. */
  public NamespaceWriter namespaces() {
    return namespaces;
  }

  public KubeClient service() {
    return service;
  }

  /** Watched from when they are first asked for. */
  public synchronized RelatedRecordStore records() {
    if (records == null) {
      records =
          new RelatedRecordStore(
              service,
              watches,
              form,
              record -> members.forEach(member -> member.recordChanged(record)));
    }
    return records;
  }

  /** Throws {@link dev.mooring.runtime.client.KubeFailure}. */
  public TypeDiscovery.TypeInfo facts(Side side, ResourceType type, KubeClient workspace) {
    return types.of(side, type, side == Side.KCP ? workspace : service);
  }

  /** Whether copies of related objects are, or may be, in this Namespace of the service cluster. */
  public boolean holdsCopies(String namespace) {
    return !records().isSynced() || records().namesCopiesIn(namespace, _ -> true);
  }

  /** As {@link #holdsCopies}, but for the one of this record. */
  public boolean holdsOtherCopies(String namespace, RelatedRecord than) {
    return records().namesCopiesIn(namespace, record -> !isSameCopy(record, than));
  }

  private static boolean isSameCopy(RelatedRecord one, RelatedRecord other) {
    return one.owner().equals(other.owner()) && one.copy().equals(other.copy());
  }

  public void join(RelatedReconciler member) {
    members.add(member);
  }

  public void leave(RelatedReconciler member) {
    members.remove(member);
  }

  /** OtherOwners that need the copy, or may need it. */
  public OtherOwners otherOwnersOfCopy(
      RecordOwner owner, ObjectRef original, ObjectRef copy, Optional<RelatedRecord> own) {
    return Sharing.ofCopy(owner, original, own, besides(owner, records().ofCopy(copy)), this::need);
  }

  /** OtherOwners that need the original held, or may need it. */
  public OtherOwners otherOwnersOfOriginal(RecordOwner owner, ObjectRef original) {
    return Sharing.ofOriginal(besides(owner, records().ofOriginal(original)), this::need);
  }

  private static List<RelatedRecord> besides(RecordOwner owner, List<RelatedRecord> records) {
    return records.stream().filter(record -> !record.owner().equals(owner)).toList();
  }

  /** Of a type that is not synced at the moment nobody can tell. */
  private Need need(RelatedRecord record) {
    return members.stream()
        .filter(member -> member.isFor(record.owner()))
        .findFirst()
        .map(member -> member.need(record))
        .orElse(Need.UNKNOWN);
  }
}
