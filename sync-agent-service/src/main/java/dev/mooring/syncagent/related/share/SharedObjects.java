package dev.mooring.syncagent.related.share;

import dev.mooring.syncagent.related.record.RelatedRecordStore;
import dev.mooring.syncagent.related.record.decide.ObjectRef;
import dev.mooring.syncagent.related.record.decide.RecordOwner;
import dev.mooring.syncagent.related.record.decide.RelatedRecord;
import dev.mooring.syncagent.related.share.decide.OtherOwners;
import dev.mooring.syncagent.related.share.decide.Sharing;
import dev.mooring.syncagent.related.share.decide.Sharing.Need;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Who needs which object, over all published types of the agent: an object that several primaries
 * use is deleted with the last of them. Derived from the caches each time; a count would be wrong
 * after a restart. Thread-safe.
 */
public final class SharedObjects {
  private final RelatedRecordStore records;
  private final CopyOnWriteArrayList<Member> members = new CopyOnWriteArrayList<>();

  /** The sync of one published type. */
  public interface Member {
    /** Whether the owner is a primary of this type. */
    boolean isFor(RecordOwner owner);

    Need need(RelatedRecord record);

    /** The record was added, changed or removed; must not block. */
    void recordChanged(RelatedRecord record);
  }

  /**
   * @param open the store, with what receives each changed record
   */
  public SharedObjects(Function<Consumer<RelatedRecord>, RelatedRecordStore> open) {
    this.records = open.apply(record -> members.forEach(member -> member.recordChanged(record)));
  }

  public RelatedRecordStore records() {
    return records;
  }

  public void add(Member member) {
    members.add(member);
  }

  public void remove(Member member) {
    members.remove(member);
  }

  /** Others that need the copy, or may need it. */
  public OtherOwners otherOwnersOfCopy(
      RecordOwner owner, ObjectRef original, ObjectRef copy, Optional<RelatedRecord> own) {
    return Sharing.ofCopy(owner, original, own, others(owner, records.ofCopy(copy)), this::need);
  }

  /** Others that need the original's finalizer, or may need it. */
  public OtherOwners otherOwnersOfOriginal(RecordOwner owner, ObjectRef original) {
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
