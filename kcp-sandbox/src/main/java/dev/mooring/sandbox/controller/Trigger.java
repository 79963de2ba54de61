package dev.mooring.sandbox.controller;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.sandbox.storage.Bucket;
import dev.mooring.sandbox.storage.StoredObject;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/**
 * Which keys a change in a bucket concerns. Asked for the object after a change, for the one before
 * it, and for every object when a controller starts.
 *
 * @param concerned quick; may be empty
 */
public record Trigger<K>(Bucket bucket, Function<StoredObject, Collection<K>> concerned) {
  public Trigger {
    Objects.requireNonNull(bucket, "bucket");
    Objects.requireNonNull(concerned, "concerned");
  }

  /** Every object concerns itself. */
  public static Trigger<ObjectKey> itself(Bucket bucket) {
    return new Trigger<>(bucket, object -> List.of(object.address().key()));
  }
}
