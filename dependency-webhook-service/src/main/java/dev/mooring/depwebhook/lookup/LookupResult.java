package dev.mooring.depwebhook.lookup;

import dev.mooring.depwebhook.lookup.decide.Found;
import dev.mooring.depwebhook.lookup.decide.Lookup;
import dev.mooring.depwebhook.rules.decide.Protection;
import dev.mooring.model.dependency.Blockers.Search;
import dev.mooring.model.dependency.Mode;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** The referrers that one lookup has found so far, by mode. Used by one thread. */
final class LookupResult {
  private final Map<Mode, Entry> entries = new EnumMap<>(Mode.class);

  /**
   * Objects that refer to the target. They count once, under the most severe mode.
   *
   * @param by their protections; never empty
   */
  void add(Referrers referrers, List<Protection> by) {
    Mode mode = by.stream().map(Protection::mode).sorted().findFirst().orElseThrow();
    Entry entry = entries.computeIfAbsent(mode, _ -> new Entry());
    entry.referrers.addAll(referrers);
    by.stream()
        .filter(protection -> protection.mode() == mode)
        .forEach(protection -> entry.rules.add(protection.rule().qualifiedName()));
  }

  /** The result of another lookup, of other types. */
  void addAll(LookupResult other) {
    other.entries.forEach((mode, theirs) -> {
      Entry entry = entries.computeIfAbsent(mode, _ -> new Entry());
      entry.referrers.addAll(theirs.referrers);
      entry.rules.addAll(theirs.rules);
    });
  }

  /** Whether more were found than a message names. */
  boolean enough(Mode mode) {
    Entry entry = entries.get(mode);
    return entry != null && entry.referrers.tooManyToName();
  }

  boolean has(Mode mode) {
    return entries.containsKey(mode);
  }

  Lookup.Complete complete(Search search, List<String> unchecked) {
    var found = new EnumMap<Mode, Found>(Mode.class);
    entries.forEach((mode, entry) -> found.put(mode, entry.referrers.found(entry.rules, search)));
    return new Lookup.Complete(found, unchecked);
  }

  /** The referrers of one mode. */
  private static final class Entry {
    private final Referrers referrers = new Referrers();
    private final TreeSet<String> rules = new TreeSet<>();
  }
}
