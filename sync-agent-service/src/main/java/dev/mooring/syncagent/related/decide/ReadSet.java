package dev.mooring.syncagent.related.decide;

import java.util.HashSet;
import java.util.Set;

/** What one pass read: objects, whether they exist or not, and selectors' matches. */
public record ReadSet(Set<ObjectRef> refs, Set<LabelQuery> queries) {
  public static final ReadSet EMPTY = new ReadSet(Set.of(), Set.of());

  public ReadSet {
    refs = Set.copyOf(refs);
    queries = Set.copyOf(queries);
  }

  public ReadSet and(ReadSet more) {
    return new ReadSet(union(refs, more.refs), union(queries, more.queries));
  }

  public boolean includes(ReadSet other) {
    return refs.containsAll(other.refs) && queries.containsAll(other.queries);
  }

  private static <T> Set<T> union(Set<T> one, Set<T> other) {
    var all = new HashSet<>(one);
    all.addAll(other);
    return all;
  }
}
