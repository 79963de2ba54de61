package dev.mooring.syncagent.related.resolve;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.syncagent.clusters.Clusters;
import dev.mooring.syncagent.published.RelatedResource;
import dev.mooring.syncagent.published.Side;
import dev.mooring.syncagent.related.record.RelatedRecordStore;
import dev.mooring.syncagent.related.record.decide.ObjectRef;
import dev.mooring.syncagent.related.record.decide.RecordOwner;
import java.net.URI;
import java.util.Optional;
import java.util.stream.Stream;

/** Whether the caches that decisions about an entry need are synced. Thread-safe. */
public record EntryReadiness(RelatedCaches caches, RelatedRecordStore records, String primaryType) {
  /** Starts all watches that the entry needs. */
  public void open(RelatedResource entry) {
    for (Side side : Side.values()) {
      caches.open(side, entry.types().on(side));
      caches.open(side, Clusters.NAMESPACES);
    }
  }

  /** By the entry's types alone. */
  public boolean isSynced(RelatedResource entry, Optional<URI> endpoint) {
    return Stream.of(Side.values())
            .allMatch(side ->
                caches.isSynced(side, entry.types().on(side), endpoint)
                    && caches.isSynced(side, Clusters.NAMESPACES, endpoint))
        && records.isSynced();
  }

  /** Also by the types that are recorded for the primary. */
  public boolean isSynced(RelatedResource entry, ObjectKey primary, Optional<URI> endpoint) {
    return isSynced(entry, endpoint)
        && recorded(entry, primary)
            .allMatch(ref -> caches.isSynced(ref.side(), ref.type(), endpoint));
  }

  /** By what is recorded alone, wherever the primary was. */
  public boolean isSyncedAsRecorded(RelatedResource entry, ObjectKey primary) {
    return caches.isSynced(Side.SERVICE, Clusters.NAMESPACES)
        && records.isSynced()
        && recorded(entry, primary).allMatch(ref -> caches.isSynced(ref.side(), ref.type()));
  }

  /** Why a cache cannot sync; empty if none reports a failure. */
  public Optional<KubeFailure> failure(RelatedResource entry, ObjectKey primary) {
    return Stream.of(Side.values())
        .flatMap(side -> caches.lastFailure(side, entry.types().on(side)).stream())
        .findFirst()
        .or(() ->
            recorded(entry, primary)
                .flatMap(ref -> caches.lastFailure(ref.side(), ref.type()).stream())
                .findFirst())
        .or(records::lastFailure);
  }

  /** Whether the server says that there is no such type. */
  public boolean isNotServed(Side side, RelatedResource entry) {
    return caches
        .lastFailure(side, entry.types().on(side))
        .filter(failure -> failure.kind() == KubeFailure.Kind.NOT_SERVED)
        .isPresent();
  }

  private Stream<ObjectRef> recorded(RelatedResource entry, ObjectKey primary) {
    return records
        .of(new RecordOwner(primaryType, primary, entry.identifier()), entry.types())
        .stream()
        .flatMap(record -> Stream.of(record.original(), record.copy()));
  }
}
