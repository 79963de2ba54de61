package dev.mooring.runtime.client;

import java.util.Objects;

/** What must still be true of an object for its deletion to be carried out. */
public sealed interface DeleteCondition {
  /** Delete whatever has the name. */
  record Unconditional() implements DeleteCondition {}

  /** Only this very object, whatever its version. */
  record SameObject(String uid) implements DeleteCondition {
    public SameObject {
      Objects.requireNonNull(uid, "uid");
    }
  }

  /** Only this very object as it was last seen. */
  record Unchanged(String uid, String resourceVersion) implements DeleteCondition {
    public Unchanged {
      Objects.requireNonNull(uid, "uid");
      Objects.requireNonNull(resourceVersion, "resourceVersion");
    }
  }
}
