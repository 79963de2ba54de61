package dev.mooring.sandbox.kcp;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.storage.StoredObject;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;

/** Which exports have an identity; as current as the watch that feeds it. */
final class ExportsByIdentity {
  private final SystemObjects objects;
  private final Map<String, Set<ObjectKey>> keys = new ConcurrentHashMap<>();

  ExportsByIdentity(SystemObjects objects) {
    this.objects = objects;
  }

  void put(ObjectKey key, KubeObject export) {
    String identity = export.text("status", "identityHash");
    if (!identity.isEmpty()) {
      keys.computeIfAbsent(identity, i -> new ConcurrentSkipListSet<>()).add(key);
    }
  }

  void remove(ObjectKey key) {
    keys.values().forEach(found -> found.remove(key));
  }

  List<KubeObject> of(String identity) {
    return keys.getOrDefault(identity, Set.of()).stream()
        .flatMap(key -> objects.get(KcpBuckets.EXPORTS, key.cluster(), key.name()).stream())
        .map(StoredObject::object)
        .toList();
  }
}
