package dev.mooring.sandbox.storage;

/** One write, as watchers see it, in the order of versions. */
public sealed interface StoreEvent {
  /** The object after the write; for a deletion its last state under the deletion's own version. */
  StoredObject object();

  default long version() {
    return object().version();
  }

  record Added(StoredObject object) implements StoreEvent {}

  record Modified(StoredObject object, StoredObject previous) implements StoreEvent {}

  record Deleted(StoredObject object, StoredObject previous) implements StoreEvent {}
}
