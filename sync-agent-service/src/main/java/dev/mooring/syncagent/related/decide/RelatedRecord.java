package dev.mooring.syncagent.related.decide;

import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.published.RelatedResource;
import dev.mooring.syncagent.published.RelatedResource.Types;
import dev.mooring.syncagent.published.Side;
import java.util.Map;

/**
 * What is recorded of one copy of a related object: the copies themselves carry no marks.
 *
 * @param lastKnown content of the original that was last written to the copy; where the copy is
 *     only intended, its future content; may have {@link
 *     dev.mooring.syncagent.content.decide.ValueDigests}
 * @param copyUid of the very object that was created or adopted; empty where the copy is only
 *     intended, and in records of earlier versions
 */
public record RelatedRecord(
    RecordOwner owner,
    ObjectRef original,
    ObjectRef copy,
    Ownership ownership,
    Map<String, Object> lastKnown,
    String copyUid) {

  /** Whether the copy was created or adopted. */
  public boolean isDone() {
    return ownership != Ownership.INTENDED;
  }

  /** Whether it is of the types of this entry, in the same direction. */
  public boolean isOf(RelatedResource entry) {
    return original.side() == entry.origin()
        && original.type().qualified().equals(entry.originalType().qualified())
        && copy.type().qualified().equals(entry.copyType().qualified());
  }

  /** Whether the agent created this very object. */
  public boolean isMadeAs(KubeObject there) {
    return ownership == Ownership.MADE && !isAnother(there);
  }

  /** The entry, as far as the record describes it; for an entry that was removed. */
  public RelatedResource entry() {
    return RelatedResource.former(
        owner.identifier(),
        original.side(),
        original.side() == Side.KCP
            ? new Types(original.type(), copy.type())
            : new Types(copy.type(), original.type()));
  }

  /** Whether this is another object than the one that was created or adopted. */
  public boolean isAnother(KubeObject there) {
    return isDone() && !copyUid.isEmpty() && !copyUid.equals(there.uid());
  }

  /** Of the same objects, read in the versions that the entry names by now. */
  public RelatedRecord readAs(Types now) {
    return new RelatedRecord(
        owner,
        original.readAs(now.on(original.side())),
        copy.readAs(now.on(copy.side())),
        ownership,
        lastKnown,
        copyUid);
  }

  public RelatedRecord with(ObjectRef newOriginal) {
    return new RelatedRecord(owner, newOriginal, copy, ownership, lastKnown, copyUid);
  }

  /** Of the copy as it is, which was created and last written as the other record has it. */
  RelatedRecord as(RelatedRecord other, KubeObject there) {
    return new RelatedRecord(owner, original, copy, Ownership.MADE, other.lastKnown, there.uid());
  }

  /** With this content, and the copy as it is. */
  public RelatedRecord with(ObjectRef newOriginal, Map<String, Object> content, KubeObject there) {
    return new RelatedRecord(owner, newOriginal, copy, ownership, content, there.uid());
  }
}
