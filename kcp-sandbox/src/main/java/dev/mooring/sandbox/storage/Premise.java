package dev.mooring.sandbox.storage;

import dev.mooring.model.object.KubeObject;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * What has to hold of another object for a create to be made, at the very moment it is stored: a
 * namespace that its object is put into has to be there still.
 *
 * @param holds of the object at the address; where there is none the premise does not hold. Quick,
 *     for writes wait for it
 */
public record Premise(ObjectAddress address, Predicate<KubeObject> holds) {
  public Premise {
    Objects.requireNonNull(address, "address");
    Objects.requireNonNull(holds, "holds");
  }

  public static Premise isThere(ObjectAddress address) {
    return new Premise(address, _ -> true);
  }

  public static Premise isThereToStay(ObjectAddress address) {
    return new Premise(address, object -> !object.deleting());
  }
}
