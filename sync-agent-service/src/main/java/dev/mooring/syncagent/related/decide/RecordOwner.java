package dev.mooring.syncagent.related.decide;

import dev.mooring.model.identity.ObjectKey;
import java.util.Comparator;

/**
 * The entry and primary that a copy is recorded for.
 *
 * @param primaryType qualified, as consumers see it
 */
public record RecordOwner(String primaryType, ObjectKey primary, String identifier)
    implements Comparable<RecordOwner> {
  private static final Comparator<RecordOwner> ORDER =
      Comparator.comparing(RecordOwner::primaryType)
          .thenComparing(RecordOwner::primary)
          .thenComparing(RecordOwner::identifier);

  @Override
  public int compareTo(RecordOwner other) {
    return ORDER.compare(this, other);
  }
}
