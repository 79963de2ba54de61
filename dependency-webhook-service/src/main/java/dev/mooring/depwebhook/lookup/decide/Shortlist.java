package dev.mooring.depwebhook.lookup.decide;

import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/** Shortens a list of names for a message. */
public final class Shortlist {
  /** The same number as of blockers. */
  private static final int NAMED_MAX = 10;

  private Shortlist() {}

  /** The first distinct names, then the number of the others. */
  public static String of(Collection<String> all, String separator) {
    List<String> distinct = all.stream().distinct().toList();
    int more = distinct.size() - NAMED_MAX;
    return String.join(
        separator,
        Stream.concat(
                distinct.stream().limit(NAMED_MAX),
                more > 0 ? Stream.of("and " + more + " more") : Stream.of())
            .toList());
  }
}
