package dev.mooring.syncagent.related.decide;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.published.Primaries.Side;
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
   * An object's address, whether there is one or not.
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
  boolean isDone() {
    return ownership != Ownership.INTENDED;
  }

  /** Whether this is another object than the one that was made or taken on. */
  boolean isAnother(KubeObject there) {
    return isDone() && !copyUid.isEmpty() && !copyUid.equals(there.uid());
  }

  RelatedRecord knowing(Spot newOriginal) {
    return new RelatedRecord(holder, newOriginal, copy, ownership, lastKnown, copyUid);
  }

  /** As the copy is now. */
  RelatedRecord knowing(Spot newOriginal, Map<String, Object> content, KubeObject there) {
    return new RelatedRecord(holder, newOriginal, copy, ownership, content, there.uid());
  }
}
