package dev.mooring.model.identity;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.IntStream;

/** What a name that does not exist was probably meant to be. */
public final class Nearest {
  private Nearest() {}

  /**
   * The known name that is closest, of equally close ones the first in order; empty if every one
   * differs in more than a third of the characters.
   */
  public static Optional<String> to(String name, Collection<String> known) {
    int most = (name.length() + 2) / 3;
    return known.stream()
        .filter(each -> distance(name, each) <= most)
        .min(
            Comparator.<String>comparingInt(each -> distance(name, each))
                .thenComparing(Comparator.naturalOrder()));
  }

  /** Levenshtein's: the fewest characters to insert, delete or replace. */
  public static int distance(String one, String other) {
    int[] row = IntStream.rangeClosed(0, other.length()).toArray();
    for (int i = 1; i <= one.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= other.length(); j++) {
        int replaced = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[other.length()];
  }
}
