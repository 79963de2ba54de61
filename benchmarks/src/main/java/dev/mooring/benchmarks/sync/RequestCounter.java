package dev.mooring.benchmarks.sync;

import java.util.Map;
import java.util.TreeMap;

/** Counts an agent's requests, watches and the Lease aside. */
interface RequestCounter {
  /** By kind, such as {@code create events}, since some moment that stays the same. */
  Map<String, Long> counts();

  /** What came on top of {@code before}, by kind. */
  static Map<String, Long> since(Map<String, Long> before, Map<String, Long> now) {
    var more = new TreeMap<String, Long>();
    now.forEach((kind, count) -> {
      long difference = count - before.getOrDefault(kind, 0L);
      if (difference > 0) {
        more.put(kind, difference);
      }
    });
    return more;
  }

  static long total(Map<String, Long> counts) {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }
}
