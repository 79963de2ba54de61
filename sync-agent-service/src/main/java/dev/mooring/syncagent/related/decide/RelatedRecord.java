package dev.mooring.syncagent.related.decide;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.published.Primaries.Side;
import dev.mooring.syncagent.published.RelatedResource;
import dev.mooring.syncagent.published.RelatedResource.Origin;
import dev.mooring.syncagent.published.RelatedResource.Types;
import java.util.Map;
import java.util.Objects;

/**
 * What is remembered of one copy of a related object: the copies themselves carry no marks.
 *
 * @param lastKnown content of the original that was last written to the copy; where the copy is
 *     only intended, what it is going to be
 * @param copyUid of the very object that was made or taken on; empty where the copy is only
 *     intended, and in records of old
 */
public record RelatedRecord(
    Holder holder,
    Spot original,
    Spot copy,
    Ownership ownership,
    Map<String, Object> lastKnown,
    String copyUid) {
  public RelatedRecord {
    Objects.requireNonNull(holder, "holder");
    Objects.requireNonNull(original, "original");
    Objects.requireNonNull(copy, "copy");
    Objects.requireNonNull(ownership, "ownership");
    Objects.requireNonNull(lastKnown, "lastKnown");
    Objects.requireNonNull(copyUid, "copyUid");
  }

  /**
   * An object's address, whether there is one or not. In another version of its type it is the same
   * object: two addresses that differ in nothing else are equal.
   *
   * @param cluster {@link LogicalCluster#NONE} on the service cluster
   */
  public record Spot(Side side, ResourceType type, LogicalCluster cluster, Place place) {
    public Spot {
      Objects.requireNonNull(side, "side");
      Objects.requireNonNull(type, "type");
      Objects.requireNonNull(cluster, "cluster");
      Objects.requireNonNull(place, "place");
    }

    public ObjectKey key() {
      return new ObjectKey(cluster, place.namespace(), place.name());
    }

    /** The same object, read in the version of this type if it is of that type. */
    public Spot readAs(ResourceType now) {
      var read = new Spot(side, now, cluster, place);
      return read.equals(this) ? read : this;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Spot that
          && side == that.side
          && type.group().equals(that.type.group())
          && type.resource().equals(that.type.resource())
          && cluster.equals(that.cluster)
          && place.equals(that.place);
    }

    @Override
    public int hashCode() {
      return Objects.hash(side, type.group(), type.resource(), cluster, place);
    }
  }

  /** Whose the copy is. */
  public enum Ownership {
    /** The original is held for it, and it is going to be made. */
    INTENDED,
    /** The agent made it and deletes it. */
    MADE,
    /** It was there before and is never deleted. */
    ADOPTED
  }

  /** Whether the copy was made or taken on. */
  public boolean isDone() {
    return ownership != Ownership.INTENDED;
  }

  /** Whether it is of the types of this entry, in the same direction. */
  public boolean isOf(RelatedResource entry) {
    return original.side() == entry.origin().side()
        && original.type().qualified().equals(entry.originalType().qualified())
        && copy.type().qualified().equals(entry.copyType().qualified());
  }

  /** Whether the agent made this very object. */
  public boolean isMadeAs(KubeObject there) {
    return ownership == Ownership.MADE && !isAnother(there);
  }

  /** What the entry was, as far as this tells; for one that is no longer there. */
  public RelatedResource entry() {
    boolean fromKcp = original.side() == Side.KCP;
    return RelatedResource.former(
        holder.identifier(),
        fromKcp ? Origin.KCP : Origin.SERVICE,
        fromKcp
            ? new Types(original.type(), copy.type())
            : new Types(copy.type(), original.type()));
  }

  /** Whether this is another object than the one that was made or taken on. */
  boolean isAnother(KubeObject there) {
    return isDone() && !copyUid.isEmpty() && !copyUid.equals(there.uid());
  }

  /** Of the same objects, read in the versions that the entry names by now. */
  public RelatedRecord readAs(Types now) {
    return new RelatedRecord(
        holder,
        original.readAs(now.on(original.side())),
        copy.readAs(now.on(copy.side())),
        ownership,
        lastKnown,
        copyUid);
  }

  RelatedRecord knowing(Spot newOriginal) {
    return new RelatedRecord(holder, newOriginal, copy, ownership, lastKnown, copyUid);
  }

  /** As the copy is now. */
  RelatedRecord knowing(Spot newOriginal, Map<String, Object> content, KubeObject there) {
    return new RelatedRecord(holder, newOriginal, copy, ownership, content, there.uid());
  }
}
