package dev.mooring.depcontroller.guard.decide;

import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.identity.ResourceType;
import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a provider's API server asks the webhook about.
 *
 * @param deletions of these resources, in every version
 * @param references creations and updates of these, in the version that rules are written for
 */
public record Coverage(
    SortedMap<GroupResource, DeletionGuard> deletions, SortedSet<ResourceType> references) {
  public static final Coverage NONE =
      new Coverage(Collections.emptySortedMap(), Collections.emptySortedSet());

  public Coverage {
    deletions = Collections.unmodifiableSortedMap(new TreeMap<>(deletions));
    references = Collections.unmodifiableSortedSet(new TreeSet<>(references));
  }

  public boolean isEmpty() {
    return deletions.isEmpty() && references.isEmpty();
  }

  /** Everything that either covers, as strictly as either does. */
  Coverage and(Coverage other) {
    var united = new TreeMap<>(deletions);
    other.deletions.forEach(
        (resource, guard) -> united.merge(resource, guard, DeletionGuard::strictest));
    var types = new TreeSet<>(references);
    types.addAll(other.references);
    return new Coverage(united, types);
  }
}
