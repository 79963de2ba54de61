package dev.mooring.depwebhook.race.decide;

import java.util.Objects;

/** A dependent as a read by name, never from a cache, found it. */
public sealed interface LiveDependent {
  /** There is no object of this name, or its type is not served. */
  record Absent() implements LiveDependent {}

  record Present(String uid, String resourceVersion, Relation relation) implements LiveDependent {
    public Present {
      Objects.requireNonNull(uid, "uid");
      Objects.requireNonNull(resourceVersion, "resourceVersion");
      Objects.requireNonNull(relation, "relation");
    }
  }

  /** To the target in question. */
  enum Relation {
    REFERS,
    DOES_NOT_REFER
  }

  /** Whether it is the object of this uid; an empty uid is nobody's. */
  default boolean is(String uid) {
    return switch (this) {
      case Absent() -> false;
      case Present(String found, _, _) -> !uid.isEmpty() && found.equals(uid);
    };
  }
}
