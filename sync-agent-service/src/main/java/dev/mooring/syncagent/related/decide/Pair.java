package dev.mooring.syncagent.related.decide;

import java.util.Comparator;
import java.util.Objects;

/** Where an original is or would be, and where its copy belongs. */
public record Pair(Place original, Place copy) implements Comparable<Pair> {
  private static final Comparator<Pair> ORDER =
      Comparator.comparing((Pair pair) -> pair.original().toString())
          .thenComparing(pair -> pair.copy().toString());

  public Pair {
    Objects.requireNonNull(original, "original");
    Objects.requireNonNull(copy, "copy");
  }

  @Override
  public int compareTo(Pair other) {
    return ORDER.compare(this, other);
  }
}
