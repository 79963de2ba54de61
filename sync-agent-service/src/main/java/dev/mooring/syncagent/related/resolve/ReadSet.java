package dev.mooring.syncagent.related.resolve;

import dev.mooring.syncagent.related.record.decide.ObjectRef;
import java.util.HashSet;
import java.util.Set;

/** What one pass looked at. */
public record ReadSet(Set<ObjectRef> refs, Set<Search> searches) {
  public static final ReadSet EMPTY = new ReadSet(Set.of(), Set.of());

  public ReadSet {
    refs = Set.copyOf(refs);
    searches = Set.copyOf(searches);
  }

  public ReadSet and(ReadSet more) {
    return new ReadSet(union(refs, more.refs), union(searches, more.searches));
  }

  public boolean includes(ReadSet other) {
    return refs.containsAll(other.refs) && searches.containsAll(other.searches);
  }

  private static <T> Set<T> union(Set<T> one, Set<T> other) {
    var all = new HashSet<>(one);
    all.addAll(other);
    return all;
  }
}
