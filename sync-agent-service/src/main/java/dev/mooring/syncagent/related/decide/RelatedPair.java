package dev.mooring.syncagent.related.decide;

import java.util.Comparator;

/** An original, which need not exist, and its copy. */
public record RelatedPair(ObjectRef original, ObjectRef copy) implements Comparable<RelatedPair> {
  private static final Comparator<RelatedPair> ORDER =
      Comparator.comparing((RelatedPair pair) -> pair.original().namespacedName())
          .thenComparing(pair -> pair.copy().namespacedName());

  public static RelatedPair of(RelatedRecord record) {
    return new RelatedPair(record.original(), record.copy());
  }

  @Override
  public int compareTo(RelatedPair other) {
    return ORDER.compare(this, other);
  }
}
