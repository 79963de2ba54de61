package dev.mooring.syncagent.related.sync;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.export.ConsumerView;
import dev.mooring.syncagent.clusters.NamespaceWriter;
import dev.mooring.syncagent.clusters.TypeWatches;
import dev.mooring.syncagent.content.GoAgentStateStore;
import dev.mooring.syncagent.related.record.RecordSecretCodec;
import dev.mooring.syncagent.related.record.RelatedRecordStore;
import dev.mooring.syncagent.related.resolve.PrimaryCopies;
import dev.mooring.syncagent.related.resolve.RelatedCaches;
import dev.mooring.syncagent.related.share.PermissionClaims;
import dev.mooring.syncagent.related.share.SharedObjects;
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
  private final Shared shared;

  /** What the syncs of all published types share. */
  record Shared(
      KubeClient service,
      TypeWatches watches,
      NamespaceWriter namespaces,
      RelatedCaches caches,
      PermissionClaims claims,
      GoAgentStateStore earlier,
      SharedObjects objects,
      InstantSource steady) {}

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
    var codec = new RecordSecretCodec(stateNamespace, agentName);
    this.shared =
        new Shared(
            service,
            watches,
            namespaces,
            new RelatedCaches(watches, service, steady),
            new PermissionClaims(watches),
            new GoAgentStateStore(service, watches.states(stateNamespace), stateNamespace),
            new SharedObjects(changed -> new RelatedRecordStore(service, watches, codec, changed)),
            steady);
  }

  /**
   * @param primaries of one published type
   * @param requeue receives primaries whose related objects changed; must not block
   */
  public RelatedSync start(
      RelatedRules rules,
      ConsumerView primaries,
      PrimaryCopies copies,
      Consumer<ObjectKey> requeue) {
    var sync = new RelatedSync(rules, shared, primaries, copies, requeue);
    sync.start();
    return sync;
  }

  /**
   * What consumers have to accept so that their objects can be synced, one message a claim.
   *
   * @param types that the APIExport claims
   */
  public List<String> rejectedClaims(Collection<ResourceType> types) {
    return shared.claims().missing(types);
  }

  /** As {@link #rejectedClaims}, of one workspace; empty if no claim is known to be rejected. */
  public Optional<String> rejectedClaim(LogicalCluster cluster, ResourceType type) {
    return shared.claims().missing(cluster, type);
  }

  /** Whether copies of related objects are, or may be, in this Namespace of the service cluster. */
  public boolean holdsCopies(String namespace) {
    return shared.objects().records().holdsCopies(namespace);
  }
}
