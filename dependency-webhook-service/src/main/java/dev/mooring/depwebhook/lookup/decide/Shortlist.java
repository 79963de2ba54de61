package dev.mooring.depwebhook.lookup.decide;

import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/** Names as many of many as a message can bear. */
public final class Shortlist {
  /** As many as of blockers. */
  private static final int NAMED_MAX = 10;

  private Shortlist() {}

  /** The first of them, each once, then how many more there are. */
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
