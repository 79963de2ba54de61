package dev.mooring.depwebhook.lookup;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Remembers which types were last seen to have no namespaces, so that not every lookup asks for
 * them in one in vain. It only says what to ask for first: whoever goes by it looks whether the
 * answer bears it out. Thread-safe.
 */
final class ClusterScopedTypes {
  /** More types in more workspaces than one replica judges in a while. */
  static final int REMEMBERED_MAX = 20_000;

  private final Map<Place, Boolean> places =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Place, Boolean> eldest) {
          return size() > REMEMBERED_MAX;
        }
      };

  /**
   * Other workspaces, and other versions, may have another type of that name.
   *
   * @param type with its version
   */
  record Place(LogicalCluster cluster, ResourceType type) {}

  synchronized boolean contains(Place place) {
    return places.getOrDefault(place, false);
  }

  synchronized void add(Place place) {
    places.put(place, true);
  }

  synchronized void remove(Place place) {
    places.remove(place);
  }
}
