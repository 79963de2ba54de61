package dev.mooring.sandbox.storage;

import dev.mooring.model.object.KubeObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The objects of a scope at one version, ordered by logical cluster, namespace and name.
 *
 * @param version of the whole store: a watch from here misses nothing
 */
public record StoreList(long version, List<StoredObject> items) {
  public StoreList {
    items = List.copyOf(items);
  }

  static StoreList of(long version, Iterable<StoredObject> objects) {
    var items = new ArrayList<StoredObject>();
    objects.forEach(items::add);
    return new StoreList(version, items);
  }

  Map<StorageKey, StoredObject> byKey() {
    return items.stream().collect(Collectors.toMap(StoredObject::key, Function.identity()));
  }

  public List<KubeObject> objects() {
    return items.stream().map(StoredObject::object).toList();
  }
}
