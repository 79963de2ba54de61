package dev.mooring.syncagent.related.decide;

import java.util.Comparator;

/** The names of an original, which need not exist, and of its copy. */
public record RelatedPair(NamespacedName original, NamespacedName copy)
    implements Comparable<RelatedPair> {
  private static final Comparator<RelatedPair> ORDER =
      Comparator.comparing((RelatedPair pair) -> pair.original().toString())
          .thenComparing(pair -> pair.copy().toString());

  public static RelatedPair of(RelatedRecord record) {
    return new RelatedPair(record.original().namespacedName(), record.copy().namespacedName());
  }

  @Override
  public int compareTo(RelatedPair other) {
    return ORDER.compare(this, other);
  }
}
