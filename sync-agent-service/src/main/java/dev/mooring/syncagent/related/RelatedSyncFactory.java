package dev.mooring.syncagent.related;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.export.MultiShardLister;
import dev.mooring.syncagent.clusters.NamespaceWriter;
import dev.mooring.syncagent.clusters.TypeWatches;
import dev.mooring.syncagent.content.GoAgentStateStore;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
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
  final SharedObjects objects;
  final RelatedRecordStore records;
  final InstantSource steady;

  /**
   * @param steady for the age of what discovery said, and delays
   */
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
    this.objects =
        new SharedObjects(service, watches, new RecordSecretCodec(stateNamespace, agentName));
    this.records = objects.records();
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
   * What consumers have to accept so that their objects can be synced, one message a claim.
   *
   * @param types that the APIExport claims
   */
  public List<String> rejectedClaims(Collection<ResourceType> types) {
    return claims.missing(types);
  }

  /** As {@link #rejectedClaims}, of one workspace; empty if no claim is known to be rejected. */
  public Optional<String> rejectedClaim(LogicalCluster cluster, ResourceType type) {
    return claims.missing(cluster, type);
  }

  /** Whether copies of related objects are, or may be, in this Namespace of the service cluster. */
  public boolean holdsCopies(String namespace) {
    return records.holdsCopies(namespace);
  }
}
