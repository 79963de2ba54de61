package dev.mooring.model.dependency;

import java.util.Comparator;

/**
 * What a dependent refers to, as far as it says.
 *
 * @param namespace empty if it names none and has none itself; then an object of that name in any
 *     namespace may be meant
 */
public record Reference(String namespace, String name) implements Comparable<Reference> {
  private static final Comparator<Reference> ORDER =
      Comparator.comparing(Reference::namespace).thenComparing(Reference::name);

  public Reference {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("nothing refers to the empty name");
    }
  }

  /** Whether this target may be meant. A cluster-scoped one is, with any namespace. */
  public boolean means(Target target) {
    return name.equals(target.key().name())
        && (target.clusterScoped()
            || namespace.isEmpty()
            || namespace.equals(target.key().namespace()));
  }

  @Override
  public int compareTo(Reference other) {
    return ORDER.compare(this, other);
  }
}
