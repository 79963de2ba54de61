package dev.mooring.syncagent.related;

import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.related.decide.RelatedRecord;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Records as their Secrets hold them, each version of a Secret decoded once: every index of the
 * cache and every read asks for the same record. Thread-safe.
 */
final class RecordCache {
  /** A few kilobytes each; past that, all are decoded again. */
  static final int RECORDS_MAX = 10_000;

  private final Function<KubeObject, Optional<RelatedRecord>> decoder;
  private final ConcurrentHashMap<String, Decoded> known = new ConcurrentHashMap<>();

  private record Decoded(KubeObject secret, Optional<RelatedRecord> record) {}

  RecordCache(Function<KubeObject, Optional<RelatedRecord>> decoder) {
    this.decoder = decoder;
  }

  /** Empty if the Secret holds no record. */
  Optional<RelatedRecord> of(KubeObject secret) {
    Decoded last = known.get(secret.uid());
    // Without a version only the very object is the same.
    if (last != null
        && (last.secret() == secret
            || !secret.resourceVersion().isEmpty()
                && secret.resourceVersion().equals(last.secret().resourceVersion()))) {
      return last.record();
    }
    Optional<RelatedRecord> record = decoder.apply(secret);
    if (known.size() >= RECORDS_MAX) {
      known.clear();
    }
    known.put(secret.uid(), new Decoded(secret, record));
    return record;
  }

  void forget(KubeObject secret) {
    known.remove(secret.uid());
  }
}
