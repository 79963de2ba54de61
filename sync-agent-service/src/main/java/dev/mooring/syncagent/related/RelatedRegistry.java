package dev.mooring.syncagent.related;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.syncagent.compat.GoAgentStateStore;
import dev.mooring.syncagent.fleet.NamespaceWriter;
import dev.mooring.syncagent.fleet.TypeWatches;
import dev.mooring.syncagent.published.Primaries.Side;
import dev.mooring.syncagent.related.decide.Holder;
import dev.mooring.syncagent.related.decide.RelatedRecord;
import dev.mooring.syncagent.related.decide.RelatedRecord.Spot;
import dev.mooring.syncagent.related.decide.RelatedSnapshot.Others;
import dev.mooring.syncagent.related.decide.Sharing;
import dev.mooring.syncagent.related.decide.Sharing.Need;
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
  public static final ResourceType BINDINGS = RelatedClaims.BINDINGS;

  private final KubeClient service;
  private final TypeWatches watches;
  private final RecordSecret form;
  private final RelatedObjects objects;
  private final RelatedClaims claims;
  private final GoAgentStateStore earlier;
  private final NamespaceWriter namespaces;
  private final TypeDirectory types;
  private final CopyOnWriteArrayList<RelatedReconciler> members = new CopyOnWriteArrayList<>();
  private RelatedStore records;

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
    this.types = new TypeDirectory(steady);
    this.namespaces = namespaces;
    this.watches = watches;
    this.form = new RecordSecret(stateNamespace, agentName);
    this.objects = new RelatedObjects(watches);
    this.claims = new RelatedClaims(watches);
    this.earlier = new GoAgentStateStore(service, watches.states(stateNamespace), stateNamespace);
  }

  String agentName() {
    return form.agentName();
  }

  RelatedObjects objects() {
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

  RelatedClaims claims() {
    return claims;
  }

  /** What the Go agent left word of. */
  GoAgentStateStore earlier() {
    return earlier;
  }

  /** Of the service cluster. */
  NamespaceWriter namespaces() {
    return namespaces;
  }

  KubeClient service() {
    return service;
  }

  /** Watched from when they are first asked for. */
  synchronized RelatedStore records() {
    if (records == null) {
      records =
          new RelatedStore(
              service,
              watches,
              form,
              record -> members.forEach(member -> member.recordChanged(record)));
    }
    return records;
  }

  /** Throws {@link dev.mooring.runtime.client.KubeFailure}. */
  TypeDirectory.Facts facts(Side side, ResourceType type, KubeClient workspace) {
    return types.of(side, type, side == Side.KCP ? workspace : service);
  }

  /** Whether copies of related objects are, or may be, in this Namespace of the service cluster. */
  public boolean holdsCopies(String namespace) {
    return !records().isSynced() || records().namesCopiesIn(namespace, _ -> true);
  }

  /** As {@link #holdsCopies}, but for the one of this record. */
  boolean holdsOtherCopies(String namespace, RelatedRecord than) {
    return records().namesCopiesIn(namespace, record -> !isSameCopy(record, than));
  }

  private static boolean isSameCopy(RelatedRecord one, RelatedRecord other) {
    return one.holder().equals(other.holder()) && one.copy().equals(other.copy());
  }

  void join(RelatedReconciler member) {
    members.add(member);
  }

  void leave(RelatedReconciler member) {
    members.remove(member);
  }

  /** Others that need the copy, or may need it. */
  Others othersOfCopy(Holder holder, Spot original, Spot copy, Optional<RelatedRecord> own) {
    return Sharing.ofCopy(
        holder, original, own, besides(holder, records().ofCopy(copy)), this::need);
  }

  /** Others that need the original held, or may need it. */
  Others othersOfOriginal(Holder holder, Spot original) {
    return Sharing.ofOriginal(besides(holder, records().ofOriginal(original)), this::need);
  }

  private static List<RelatedRecord> besides(Holder holder, List<RelatedRecord> records) {
    return records.stream().filter(record -> !record.holder().equals(holder)).toList();
  }

  /** Of a type that is not synced at the moment nobody can tell. */
  private Need need(RelatedRecord record) {
    return members.stream()
        .filter(member -> member.isFor(record.holder()))
        .findFirst()
        .map(member -> member.need(record))
        .orElse(Need.UNKNOWN);
  }
}
