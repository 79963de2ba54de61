package dev.mooring.depwebhook.lookup;

import dev.mooring.depwebhook.lookup.decide.DependentSearch;
import dev.mooring.depwebhook.lookup.decide.Found;
import dev.mooring.depwebhook.lookup.decide.Lookup;
import dev.mooring.depwebhook.rules.decide.Protection;
import dev.mooring.model.dependency.Blocker;
import dev.mooring.model.dependency.Blockers;
import dev.mooring.model.dependency.Blockers.Search;
import dev.mooring.model.dependency.Mode;
import dev.mooring.model.object.KubeObject;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * What one lookup has found so far: for each mode no more blockers than a message names and a
 * count, however many there are. Used by one thread.
 */
final class Tally {
  /** More reasons than this help nobody. */
  private static final int DOUBTS_MAX = 3;

  private final Map<Mode, Entry> entries = new EnumMap<>(Mode.class);

  /**
   * An object that keeps the target. It is counted once, under the gravest mode.
   *
   * @param by the protections that count; never empty
   */
  public void add(DependentSearch search, KubeObject object, List<Protection> by) {
    Mode mode = by.stream().map(Protection::mode).sorted().findFirst().orElseThrow();
    Entry entry = entries.computeIfAbsent(mode, _ -> new Entry());
    entry.add(new Blocker(search.kind(), object.namespace(), object.name()));
    by.stream()
        .filter(protection -> protection.mode() == mode)
        .forEach(protection -> entry.rules.add(protection.rule().qualifiedName()));
    if (entry.doubts.size() < DOUBTS_MAX) {
      search.undecidable(object).ifPresent(entry.doubts::add);
    }
  }

  /** What another lookup found in other types. */
  public void addAll(Tally other) {
    other.entries.forEach(
        (mode, theirs) -> entries.computeIfAbsent(mode, _ -> new Entry()).addAll(theirs));
  }

  /** Whether so many were found that a message could not name them all. */
  public boolean enough(Mode mode) {
    Entry entry = entries.get(mode);
    return entry != null && entry.count > Blockers.NAMED_MAX;
  }

  public boolean has(Mode mode) {
    return entries.containsKey(mode);
  }

  /** How many objects it holds on to. */
  int held() {
    return entries.values().stream().mapToInt(entry -> entry.first.size()).sum();
  }

  public Lookup.Complete complete(Search search, List<String> unchecked) {
    var found = new EnumMap<Mode, Found>(Mode.class);
    entries.forEach((mode, entry) -> found.put(mode, entry.found(search)));
    return new Lookup.Complete(found, unchecked);
  }

  /** The blockers of one mode. */
  private static final class Entry {
    private final TreeSet<Blocker> first = new TreeSet<>();
    private final TreeSet<String> rules = new TreeSet<>();
    private final TreeSet<String> doubts = new TreeSet<>();
    private int count;

    void add(Blocker blocker) {
      if (first.add(blocker)) {
        count++;
        if (first.size() > Blockers.NAMED_MAX) {
          first.removeLast();
        }
      }
    }

    void addAll(Entry other) {
      int beyond = other.count - other.first.size();
      other.first.forEach(this::add);
      count += beyond;
      rules.addAll(other.rules);
      other.doubts.stream().limit(DOUBTS_MAX).forEach(doubts::add);
    }

    Found found(Search search) {
      return new Found(
          new Blockers(List.copyOf(first), count - first.size(), search),
          List.copyOf(rules),
          List.copyOf(doubts));
    }
  }
}
