package dev.mooring.model.dependency;

import java.util.Comparator;

/**
 * An object that refers to the target, and so keeps it from being deleted.
 *
 * @param namespace empty for a cluster-scoped one
 */
public record Blocker(String kind, String namespace, String name) implements Comparable<Blocker> {
  private static final Comparator<Blocker> ORDER =
      Comparator.comparing(Blocker::kind)
          .thenComparing(Blocker::namespace)
          .thenComparing(Blocker::name);

  /**
   * {@code Kind/name}; for a cluster-scoped target, whose blockers may come from anywhere, {@code
   * Kind/namespace/name}.
   */
  public String describedFor(Target target) {
    return target.clusterScoped() && !namespace.isEmpty()
        ? kind + "/" + namespace + "/" + name
        : kind + "/" + name;
  }

  @Override
  public int compareTo(Blocker other) {
    return ORDER.compare(this, other);
  }
}
