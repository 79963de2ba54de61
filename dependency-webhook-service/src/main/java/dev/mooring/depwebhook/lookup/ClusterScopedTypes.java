package dev.mooring.depwebhook.lookup;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;

/**
 * Remembers which types were last seen to have no namespaces, so that not every lookup asks for
 * them in one in vain. It only says what to ask for first: whoever goes by it looks whether the
 * answer bears it out. Thread-safe.
 */
final class ClusterScopedTypes {
  /** More types in more workspaces than one replica judges in a while. */
  static final int REMEMBERED_MAX = 20_000;

  private final Cache<Place, Boolean> places =
      CacheBuilder.newBuilder().maximumSize(REMEMBERED_MAX).build();

  /**
   * Other workspaces, and other versions, may have another type of that name.
   *
   * @param type with its version
   */
  record Place(LogicalCluster cluster, ResourceType type) {}

  boolean contains(Place place) {
    return places.getIfPresent(place) != null;
  }

  void add(Place place) {
    places.put(place, true);
  }

  void remove(Place place) {
    places.invalidate(place);
  }
}
