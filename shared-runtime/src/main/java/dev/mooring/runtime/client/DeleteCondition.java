package dev.mooring.runtime.client;

/** What must still be true of an object for its deletion to be carried out. */
public sealed interface DeleteCondition {
  /** Deletes the object of this name, whichever it is. */
  record Unconditional() implements DeleteCondition {}

  /** Only the object with this UID, in any version. */
  record SameObject(String uid) implements DeleteCondition {}

  /**
   * Only this very object as it was last seen.
   *
   * @param propagation what becomes of its dependents, as DeleteOptions have it; empty for the
   *     server's default
   */
  record Unchanged(String uid, String resourceVersion, String propagation)
      implements DeleteCondition {
    public Unchanged(String uid, String resourceVersion) {
      this(uid, resourceVersion, "");
    }
  }

  /** Never: the server authorizes and admits the request as any other, and deletes nothing. */
  record DryRun() implements DeleteCondition {}
}
