package dev.mooring.depwebhook.race.decide;

/** A dependent as a live read by name returned it. */
public sealed interface LiveDependent {
  /** No object has this name, or its type is not served. */
  record Absent() implements LiveDependent {}

  record Present(String uid, String resourceVersion, Relation relation) implements LiveDependent {}

  /** To the target in question. */
  enum Relation {
    REFERS,
    DOES_NOT_REFER
  }

  /** Whether it is the object of this uid; no object has an empty uid. */
  default boolean is(String uid) {
    return switch (this) {
      case Absent() -> false;
      case Present(String found, _, _) -> !uid.isEmpty() && found.equals(uid);
    };
  }
}
