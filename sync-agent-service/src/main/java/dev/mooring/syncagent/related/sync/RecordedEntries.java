package dev.mooring.syncagent.related.sync;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.published.RelatedResource;
import dev.mooring.syncagent.published.Side;
import dev.mooring.syncagent.related.record.RelatedRecordStore;
import dev.mooring.syncagent.related.record.decide.RelatedRecord;
import dev.mooring.syncagent.related.sync.decide.RelatedAnnotations;
import java.util.List;
import java.util.TreeMap;

/** Entries as records and annotations of a primary name them. Thread-safe. */
final class RecordedEntries {
  private static final ResourceType NAMESPACES = ResourceType.core("namespaces");

  private final RelatedRules rules;
  private final RelatedRecordStore records;

  RecordedEntries(RelatedRules rules, RelatedRecordStore records) {
    this.rules = rules;
    this.records = records;
  }

  /**
   * Entries that are recorded, or annotated, and no longer in {@code spec.related}.
   *
   * @param primary in kcp
   */
  List<RelatedResource> former(ObjectKey key, KubeObject primary) {
    var former = new TreeMap<String, RelatedResource>();
    RelatedAnnotations.identifiers(primary)
        .forEach(identifier -> former.put(identifier, annotated(identifier)));
    former.putAll(recorded(key));
    rules.entries().forEach(entry -> former.remove(entry.identifier()));
    return List.copyOf(former.values());
  }

  /** Entries of which anything is recorded, as they are now if they still exist. */
  List<RelatedResource> all(ObjectKey key) {
    var all = recorded(key);
    rules.entries().forEach(entry -> all.replace(entry.identifier(), entry));
    return List.copyOf(all.values());
  }

  private TreeMap<String, RelatedResource> recorded(ObjectKey key) {
    var recorded = new TreeMap<String, RelatedResource>();
    for (RelatedRecord record : records.ofPrimary(rules.primaryType().qualified(), key)) {
      recorded.put(record.owner().identifier(), record.entry());
    }
    return recorded;
  }

  /** Of which only the annotation is left: no object of any type. */
  private static RelatedResource annotated(String identifier) {
    return RelatedResource.former(
        identifier, Side.SERVICE, new RelatedResource.Types(NAMESPACES, NAMESPACES));
  }
}
