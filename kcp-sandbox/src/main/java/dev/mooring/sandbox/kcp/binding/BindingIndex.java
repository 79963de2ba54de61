package dev.mooring.sandbox.kcp.binding;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.kcp.export.ExportConsumers;
import dev.mooring.sandbox.kcp.object.KcpHashes;
import dev.mooring.sandbox.kcp.object.decide.KcpNames;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Collectors;

/**
 * All APIBindings, by the cluster that holds them and by the export they refer to; as current as
 * the watch that feeds it. Written by one thread, read by any.
 */
public final class BindingIndex implements ExportConsumers {
  private final Map<LogicalCluster, Map<String, KubeObject>> byCluster = new ConcurrentHashMap<>();

  /** By the hash of the export; holds whoever refers to it, bound or not. */
  private final Map<String, Set<ObjectKey>> byExport = new ConcurrentHashMap<>();

  public void put(ObjectKey key, KubeObject binding) {
    KubeObject before =
        byCluster
            .computeIfAbsent(key.cluster(), c -> new ConcurrentSkipListMap<>())
            .put(key.name(), binding);
    String export = exportOf(binding);
    if (before != null && !exportOf(before).equals(export)) {
      forget(exportOf(before), key);
    }
    byExport.computeIfAbsent(export, e -> ConcurrentHashMap.newKeySet()).add(key);
  }

  public void remove(ObjectKey key) {
    Map<String, KubeObject> bindings = byCluster.get(key.cluster());
    KubeObject before = bindings == null ? null : bindings.remove(key.name());
    if (before != null) {
      forget(exportOf(before), key);
      byCluster.computeIfPresent(key.cluster(), (c, left) -> left.isEmpty() ? null : left);
    }
  }

  private void forget(String export, ObjectKey key) {
    byExport.computeIfPresent(
        export,
        (e, keys) -> {
          keys.remove(key);
          return keys.isEmpty() ? null : keys;
        });
  }

  /** The bindings of a cluster, by name. */
  public Collection<KubeObject> in(LogicalCluster cluster) {
    return byCluster.getOrDefault(cluster, Map.of()).values();
  }

  /** Who refers to the export. */
  public Set<ObjectKey> referringTo(LogicalCluster provider, String export) {
    return Set.copyOf(byExport.getOrDefault(KcpHashes.export(provider, export), Set.of()));
  }

  @Override
  public Set<LogicalCluster> boundIn(LogicalCluster provider, String export) {
    return referringTo(provider, export).stream()
        .filter(key -> {
          KubeObject binding = byCluster.getOrDefault(key.cluster(), Map.of()).get(key.name());
          return binding != null && !binding.text("status", "phase").isEmpty();
        })
        .map(ObjectKey::cluster)
        .collect(Collectors.toUnmodifiableSet());
  }

  private static String exportOf(KubeObject binding) {
    return binding.labels().getOrDefault(KcpNames.BOUND_EXPORT, "");
  }
}
