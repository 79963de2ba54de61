package dev.mooring.syncagent.related;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.published.Side;
import dev.mooring.syncagent.related.decide.LabelQuery;
import dev.mooring.syncagent.related.decide.ObjectRef;
import dev.mooring.syncagent.related.decide.ReadSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Which primaries to requeue when an object changes: those whose last pass read it. Thread-safe.
 */
public final class ReadSetIndex {
  private final Map<ObjectKey, ReadSet> readSets = new HashMap<>();
  private final Map<ObjectRef, Set<ObjectKey>> byRef = new HashMap<>();
  private final Map<Area, Map<LabelQuery, Set<ObjectKey>>> byArea = new HashMap<>();

  /** The objects that a query may match. */
  private record Area(Side side, ResourceType type, LogicalCluster cluster, String namespace) {
    static Area of(LabelQuery query) {
      return new Area(query.side(), query.type(), query.cluster(), query.namespace());
    }
  }

  /** Replaces what the primary's pass read; whether anything is new. */
  public synchronized boolean extend(ObjectKey primary, ReadSet now) {
    boolean news = !readSets.getOrDefault(primary, ReadSet.EMPTY).includes(now);
    replace(primary, now);
    return news;
  }

  public synchronized void replace(ObjectKey primary, ReadSet now) {
    ReadSet before =
        now.equals(ReadSet.EMPTY) ? readSets.remove(primary) : readSets.put(primary, now);
    if (now.equals(before)) {
      return;
    }
    if (before != null) {
      before.refs().forEach(ref -> remove(byRef, ref, primary));
      before.queries().forEach(query -> removeQuery(query, primary));
    }
    now.refs().forEach(ref -> add(byRef, ref, primary));
    now.queries()
        .forEach(query ->
            add(byArea.computeIfAbsent(Area.of(query), _ -> new HashMap<>()), query, primary));
  }

  /** Those that read the object, or whose selector matches it. */
  public synchronized Set<ObjectKey> primariesOf(ObjectRef ref, KubeObject object) {
    var found = new HashSet<>(byRef.getOrDefault(ref, Set.of()));
    var area = new Area(ref.side(), ref.type(), ref.key().cluster(), ref.namespace());
    byArea
        .getOrDefault(area, Map.of())
        .forEach((query, primaries) -> {
          if (query.labels().matches(object.labels())) {
            found.addAll(primaries);
          }
        });
    return found;
  }

  public synchronized Set<ObjectKey> primariesOf(ObjectRef ref) {
    return Set.copyOf(byRef.getOrDefault(ref, Set.of()));
  }

  private void removeQuery(LabelQuery query, ObjectKey primary) {
    Map<LabelQuery, Set<ObjectKey>> queries = byArea.get(Area.of(query));
    if (queries != null) {
      remove(queries, query, primary);
      if (queries.isEmpty()) {
        byArea.remove(Area.of(query));
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
