package dev.mooring.sandbox.controller;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.sandbox.storage.ResourceKey;
import dev.mooring.sandbox.storage.StoredObject;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;

/**
 * Which keys a change of a resource enqueues. Asked for the object after a change, for the one
 * before it, and for every object when a controller starts.
 *
 * @param keys quick; may be empty
 */
public record EventSource<K>(ResourceKey resourceKey, Function<StoredObject, Collection<K>> keys) {

  /** Every object concerns itself. */
  public static EventSource<ObjectKey> itself(ResourceKey resourceKey) {
    return new EventSource<>(resourceKey, object -> List.of(object.key().objectKey()));
  }
}
