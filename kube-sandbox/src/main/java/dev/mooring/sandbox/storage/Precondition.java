package dev.mooring.sandbox.storage;

import dev.mooring.model.object.KubeObject;
import java.util.function.Predicate;

/**
 * What has to hold of another object for a create to be made, at the very moment it is stored: a
 * namespace that its object is put into has to be there still.
 *
 * @param holds of the object at the key; where there is none the precondition does not hold. Quick,
 *     for writes wait for it
 */
public record Precondition(StorageKey key, Predicate<KubeObject> holds) {

  public static Precondition exists(StorageKey key) {
    return new Precondition(key, _ -> true);
  }

  public static Precondition isNotTerminating(StorageKey key) {
    return new Precondition(key, object -> !object.deleting());
  }
}
