package dev.mooring.syncagent.related;

import dev.mooring.runtime.client.KubeClient;
import dev.mooring.syncagent.clusters.TypeWatches;
import dev.mooring.syncagent.related.decide.ObjectRef;
import dev.mooring.syncagent.related.decide.OtherOwners;
import dev.mooring.syncagent.related.decide.RecordOwner;
import dev.mooring.syncagent.related.decide.RelatedRecord;
import dev.mooring.syncagent.related.decide.Sharing;
import dev.mooring.syncagent.related.decide.Sharing.Need;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Who needs which object, over all published types of the agent: an object that several primaries
 * use is deleted with the last of them. Derived from the caches each time; a count would be wrong
 * after a restart. Thread-safe.
 */
final class SharedObjects {
  private final RelatedRecordStore records;

  /** Of all published types that are synced. */
  private final CopyOnWriteArrayList<RelatedSync> members = new CopyOnWriteArrayList<>();

  SharedObjects(KubeClient service, TypeWatches watches, RecordSecretCodec codec) {
    this.records =
        new RelatedRecordStore(
            service,
            watches,
            codec,
            record -> members.forEach(member -> member.recordChanged(record)));
  }

  RelatedRecordStore records() {
    return records;
  }

  void add(RelatedSync member) {
    members.add(member);
  }

  void remove(RelatedSync member) {
    members.remove(member);
  }

  /** Others that need the copy, or may need it. */
  OtherOwners otherOwnersOfCopy(
      RecordOwner owner, ObjectRef original, ObjectRef copy, Optional<RelatedRecord> own) {
    return Sharing.ofCopy(owner, original, own, others(owner, records.ofCopy(copy)), this::need);
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
}
