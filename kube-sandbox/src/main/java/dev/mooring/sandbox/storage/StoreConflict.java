package dev.mooring.sandbox.storage;

/** A write whose expectation about what is stored did not hold; nothing was written. */
public final class StoreConflict extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** What the write met. */
  public enum Cause {
    /** A create met an object. */
    EXISTS,
    /** An update or deletion met another version. */
    CHANGED,
    /** An update or deletion met no object. */
    MISSING,
    /** What a create presupposes does not hold. */
    PRECONDITION_FAILED
  }

  private final Cause found;

  public StoreConflict(Cause found, StorageKey key) {
    super(found + " " + key);
    this.found = found;
  }

  public Cause found() {
    return found;
  }
}
