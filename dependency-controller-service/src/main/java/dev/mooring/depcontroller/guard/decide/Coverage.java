package dev.mooring.depcontroller.guard.decide;

import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.identity.ResourceType;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a provider's API server asks the webhook about.
 *
 * @param deletions of these resources, in every version
 * @param references by these, in the version that rules are written for
 */
public record Coverage(
    SortedMap<GroupResource, DeletionGuard> deletions,
    SortedMap<ResourceType, ReferenceGuard> references) {
  public static final Coverage NONE =
      new Coverage(Collections.emptySortedMap(), Collections.emptySortedMap());

  public Coverage {
    deletions = Collections.unmodifiableSortedMap(new TreeMap<>(deletions));
    references = Collections.unmodifiableSortedMap(new TreeMap<>(references));
  }

  /** Whether deletions of this resource are guarded at least as this guard wants them to be. */
  public boolean guards(GroupResource resource, DeletionGuard wanted) {
    DeletionGuard guard = deletions.get(resource);
    return guard != null && guard.covers(wanted);
  }

  /** Whether creations and updates of this type are reviewed as this guard wants them to be. */
  public boolean reviews(ResourceType type, ReferenceGuard wanted) {
    ReferenceGuard guard = references.get(type);
    return guard != null && guard.covers(wanted);
  }

  public boolean isEmpty() {
    return deletions.isEmpty() && references.isEmpty();
  }

  /** Everything that either covers, as strictly as either does. */
  Coverage and(Coverage other) {
    var united = new TreeMap<>(deletions);
    other.deletions.forEach(
        (resource, guard) -> united.merge(resource, guard, DeletionGuard::strictest));
    var reviewed = new TreeMap<>(references);
    other.references.forEach(
        (type, guard) -> reviewed.merge(type, guard, ReferenceGuard::strictest));
    return new Coverage(united, reviewed);
  }
}
