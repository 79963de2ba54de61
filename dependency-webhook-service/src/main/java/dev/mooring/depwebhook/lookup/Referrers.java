package dev.mooring.depwebhook.lookup;

import dev.mooring.depwebhook.lookup.decide.DependentSearch;
import dev.mooring.depwebhook.lookup.decide.Found;
import dev.mooring.model.dependency.Blocker;
import dev.mooring.model.dependency.Blockers;
import dev.mooring.model.dependency.Blockers.Search;
import dev.mooring.model.object.KubeObject;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;

/**
 * Objects that refer to a target: as many as a message names, and the count of all. Used by one
 * thread at a time.
 */
final class Referrers {
  /** Enough for a message. */
  private static final int DOUBTS_MAX = 3;

  private final TreeSet<Blocker> first = new TreeSet<>();
  private final TreeSet<String> doubts = new TreeSet<>();
  private int count;

  void add(DependentSearch search, KubeObject object) {
    add(new Blocker(search.kind(), object.namespace(), object.name()));
    if (doubts.size() < DOUBTS_MAX) {
      search.undecidable(object).ifPresent(doubts::add);
    }
  }

  void addAll(Referrers other) {
    int beyond = other.count - other.first.size();
    other.first.forEach(this::add);
    count += beyond;
    other.doubts.stream().limit(DOUBTS_MAX - (long) doubts.size()).forEach(doubts::add);
  }

  /** Whether there are more than a message names. */
  boolean tooManyToName() {
    return count > Blockers.NAMED_MAX;
  }

  Found found(Collection<String> rules, Search search) {
    return new Found(
        new Blockers(List.copyOf(first), count - first.size(), search),
        List.copyOf(rules),
        List.copyOf(doubts));
  }

  private void add(Blocker blocker) {
    if (first.add(blocker)) {
      count++;
      if (first.size() > Blockers.NAMED_MAX) {
        first.removeLast();
      }
    }
  }
}
