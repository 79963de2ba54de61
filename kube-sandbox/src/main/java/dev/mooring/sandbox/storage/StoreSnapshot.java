package dev.mooring.sandbox.storage;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** All objects of a store between two writes. */
public record StoreSnapshot(List<StoredObject> objects) {
  public StoreSnapshot {
    objects = List.copyOf(objects);
  }

  Map<StorageKey, StoredObject> byKey() {
    return objects.stream().collect(Collectors.toMap(StoredObject::key, Function.identity()));
  }
}
