package dev.mooring.syncagent.related;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.export.ConsumerView;
import dev.mooring.syncagent.clusters.WorkspacePathCache;
import dev.mooring.syncagent.published.RelatedResource;
import dev.mooring.syncagent.related.decide.ClaimVisibility;
import dev.mooring.syncagent.related.decide.RelatedPair;
import dev.mooring.syncagent.related.decide.RelatedRecord;
import dev.mooring.syncagent.related.decide.Resolution;
import dev.mooring.syncagent.related.decide.Sharing.Need;
import java.util.List;
import java.util.Optional;

/** Whether the primaries of one published type need what is recorded for them. Thread-safe. */
record PrimaryNeeds(
    RelatedReader reader, RelatedSyncFactory shared, ConsumerView primaries, PrimaryCopies copies) {
  /**
   * Whether the primary exists, names the record's copy, and the original exists; unknown of one
   * that is being deleted, until its copy is gone.
   */
  Need of(RelatedRecord record) {
    ObjectKey key = record.owner().primary();
    Optional<KubeObject> primary = primaries.find(key);
    if (primary.isEmpty()) {
      return primaries.isSynced() ? Need.NOT_NEEDED : Need.UNKNOWN;
    }
    if (primary.get().deleting()) {
      // It writes nothing any more, and its copy's end may need it.
      return copies.areListed() && copies.of(key).isEmpty() ? Need.NOT_NEEDED : Need.UNKNOWN;
    }
    return reader.rules().entries().stream()
        .filter(entry -> entry.identifier().equals(record.owner().identifier()))
        .filter(record::isOf)
        .findFirst()
        .map(entry -> of(entry, record.readAs(entry.types()), primary.get()))
        .orElse(Need.NOT_NEEDED);
  }

  private Need of(RelatedResource entry, RelatedRecord record, KubeObject primary) {
    ObjectKey key = record.owner().primary();
    Optional<KubeClient> workspace = primaries.clientFor(key);
    Optional<WorkspacePathCache> paths = reader.rules().paths();
    Optional<String> path = paths.flatMap(cache -> cache.known(key.cluster()));
    if (workspace.isEmpty()
        || path.isEmpty() && paths.isPresent()
        || !copies.areListed()
        || !reader.isSynced(entry, primaries.endpointOf(key))) {
      return Need.UNKNOWN;
    }
    Need unlessSeen = showsAll(key.cluster(), entry) ? Need.NOT_NEEDED : Need.UNKNOWN;
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

  private boolean showsAll(LogicalCluster cluster, RelatedResource entry) {
    List<ResourceType> types =
        entry.selectsNamespacesInKcp()
            ? List.of(entry.types().inKcp(), ResourceType.core("namespaces"))
            : List.of(entry.types().inKcp());
    return shared.claims.visibility(cluster, types) instanceof ClaimVisibility.Full;
  }
}
