package dev.mooring.syncagent.related.resolve;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.related.record.decide.ObjectRef;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Which primaries are to be looked at again when an object changes: what each primary's last pass
 * looked at, existing or not. Thread-safe.
 */
public final class ReadSetIndex {
  private final Map<ObjectKey, ReadSet> looked = new HashMap<>();
  private final Map<ObjectRef, Set<ObjectKey>> byRef = new HashMap<>();
  private final Map<Area, Map<Search, Set<ObjectKey>>> byArea = new HashMap<>();

  /** Whether anything is new; what is no longer looked at is forgotten. */
  public synchronized boolean extend(ObjectKey primary, ReadSet now) {
    boolean news = !looked.getOrDefault(primary, ReadSet.EMPTY).includes(now);
    replace(primary, now);
    return news;
  }

  public synchronized void replace(ObjectKey primary, ReadSet now) {
    ReadSet before = now.equals(ReadSet.EMPTY) ? looked.remove(primary) : looked.put(primary, now);
    if (now.equals(before)) {
      return;
    }
    if (before != null) {
      before.refs().forEach(ref -> remove(byRef, ref, primary));
      before.searches().forEach(search -> removeSearch(search, primary));
    }
    now.refs().forEach(ref -> add(byRef, ref, primary));
    now.searches()
        .forEach(search ->
            add(byArea.computeIfAbsent(search.area(), _ -> new HashMap<>()), search, primary));
  }

  /** Those that looked at the object's place, or for its labels where it is. */
  public synchronized Set<ObjectKey> primariesOf(ObjectRef ref, KubeObject object) {
    var found = new HashSet<>(byRef.getOrDefault(ref, Set.of()));
    var area = new Area(ref.side(), ref.type(), ref.cluster(), ref.namespace());
    byArea
        .getOrDefault(area, Map.of())
        .forEach((search, primaries) -> {
          if (search.labels().matches(object.labels())) {
            found.addAll(primaries);
          }
        });
    return found;
  }

  public synchronized Set<ObjectKey> primariesOf(ObjectRef ref) {
    return Set.copyOf(byRef.getOrDefault(ref, Set.of()));
  }

  private void removeSearch(Search search, ObjectKey primary) {
    Map<Search, Set<ObjectKey>> searches = byArea.get(search.area());
    if (searches != null) {
      remove(searches, search, primary);
      if (searches.isEmpty()) {
        byArea.remove(search.area());
      }
    }
  }

  private static <K> void add(Map<K, Set<ObjectKey>> map, K key, ObjectKey primary) {
    map.computeIfAbsent(key, _ -> new HashSet<>()).add(primary);
  }

  private static <K> void remove(Map<K, Set<ObjectKey>> map, K key, ObjectKey primary) {
    map.computeIfPresent(
        key,
        (_, keys) -> {
          keys.remove(primary);
          return keys.isEmpty() ? null : keys;
        });
  }
}
