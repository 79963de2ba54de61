package dev.mooring.sandbox.kcp.export;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.kcp.object.KcpResources;
import dev.mooring.sandbox.kcp.object.SystemObjects;
import dev.mooring.sandbox.storage.StoredObject;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;

/** The exports of each identity. As current as the informer that fills it. */
public final class ExportsByIdentity {
  private final SystemObjects objects;
  private final Map<String, Set<ObjectKey>> keys = new ConcurrentHashMap<>();

  public ExportsByIdentity(SystemObjects objects) {
    this.objects = objects;
  }

  public void put(ObjectKey key, KubeObject export) {
    String identity = export.text("status", "identityHash");
    if (!identity.isEmpty()) {
      keys.computeIfAbsent(identity, i -> new ConcurrentSkipListSet<>()).add(key);
    }
  }

  public void remove(ObjectKey key) {
    keys.values().forEach(found -> found.remove(key));
  }

  public List<KubeObject> of(String identity) {
    return keys.getOrDefault(identity, Set.of()).stream()
        .flatMap(key -> objects.get(KcpResources.EXPORTS, key.cluster(), key.name()).stream())
        .map(StoredObject::object)
        .toList();
  }
}
