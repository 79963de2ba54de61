package dev.mooring.depcontroller.guard.decide;

import dev.mooring.model.dependency.DependencyRule;

/** Which writes of a dependent may bring new references, and so are reviewed; strictest last. */
public enum ReferenceGuard {
  /** Creations, and updates of the object itself. */
  OBJECT,
  /** Updates of its status as well: a rule reads it. */
  OBJECT_AND_STATUS;

  /** What a rule under race protection needs. */
  public static ReferenceGuard of(DependencyRule rule) {
    return rule.readsStatus() ? OBJECT_AND_STATUS : OBJECT;
  }

  /** Whether it reviews all that another one does. */
  public boolean covers(ReferenceGuard other) {
    return compareTo(other) >= 0;
  }

  ReferenceGuard strictest(ReferenceGuard other) {
    return covers(other) ? this : other;
  }
}
