package dev.mooring.syncagent.related;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.published.LabelSelector;
import dev.mooring.syncagent.published.Primaries.Side;
import dev.mooring.syncagent.related.decide.RelatedRecord.Spot;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Which primaries are to be looked at again when an object changes: what each primary's last pass
 * looked at, existing or not. Thread-safe.
 */
final class RelatedIndex {
  /**
   * Where a selector looked.
   *
   * @param namespace empty for a cluster-scoped type
   */
  record Area(Side side, ResourceType type, LogicalCluster cluster, String namespace) {}

  /** What a selector looked for. */
  record Search(Area area, LabelSelector labels) {}

  /** What one pass looked at. */
  record Looked(Set<Spot> spots, Set<Search> searches) {
    static final Looked NOWHERE = new Looked(Set.of(), Set.of());

    Looked {
      spots = Set.copyOf(spots);
      searches = Set.copyOf(searches);
    }

    Looked and(Looked more) {
      return new Looked(union(spots, more.spots), union(searches, more.searches));
    }

    boolean includes(Looked other) {
      return spots.containsAll(other.spots) && searches.containsAll(other.searches);
    }

    private static <T> Set<T> union(Set<T> one, Set<T> other) {
      var all = new HashSet<>(one);
      all.addAll(other);
      return all;
    }
  }

  private final Map<ObjectKey, Looked> looked = new HashMap<>();
  private final Map<Spot, Set<ObjectKey>> bySpot = new HashMap<>();
  private final Map<Area, Map<Search, Set<ObjectKey>>> byArea = new HashMap<>();

  /** Whether anything is new; what is no longer looked at is forgotten. */
  synchronized boolean extend(ObjectKey primary, Looked now) {
    boolean news = !looked.getOrDefault(primary, Looked.NOWHERE).includes(now);
    replace(primary, now);
    return news;
  }

  synchronized void replace(ObjectKey primary, Looked now) {
    Looked before = now.equals(Looked.NOWHERE) ? looked.remove(primary) : looked.put(primary, now);
    if (now.equals(before)) {
      return;
    }
    if (before != null) {
      before.spots().forEach(spot -> remove(bySpot, spot, primary));
      before.searches().forEach(search -> removeSearch(search, primary));
    }
    now.spots().forEach(spot -> add(bySpot, spot, primary));
    now.searches()
        .forEach(search ->
            add(byArea.computeIfAbsent(search.area(), _ -> new HashMap<>()), search, primary));
  }

  /** Those that looked at the object's place, or for its labels where it is. */
  synchronized Set<ObjectKey> primariesOf(Spot spot, KubeObject object) {
    var found = new HashSet<>(bySpot.getOrDefault(spot, Set.of()));
    var area = new Area(spot.side(), spot.type(), spot.cluster(), spot.place().namespace());
    byArea
        .getOrDefault(area, Map.of())
        .forEach((search, primaries) -> {
          if (search.labels().matches(object.labels())) {
            found.addAll(primaries);
          }
        });
    return found;
  }

  synchronized Set<ObjectKey> primariesOf(Spot spot) {
    return Set.copyOf(bySpot.getOrDefault(spot, Set.of()));
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
