package dev.mooring.sandbox.kcp.binding;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.kcp.export.EndpointSliceReconciler;
import dev.mooring.sandbox.kcp.object.KcpHashes;
import dev.mooring.sandbox.kcp.object.decide.KcpNames;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which APIBindings refer to an export: what controllers need to enqueue. As current as the
 * informer that fills it. Written by one thread, read by any.
 */
public final class BindingsByExport implements EndpointSliceReconciler.Consumers {
  /** By the hash of the export. */
  private final Map<String, Map<ObjectKey, Progress>> byExport = new ConcurrentHashMap<>();

  private final Map<ObjectKey, String> exports = new ConcurrentHashMap<>();

  /** How far a binding has got. */
  private enum Progress {
    NEW,
    BINDING;

    static Progress of(KubeObject binding) {
      return binding.text("status", "phase").isEmpty() ? NEW : BINDING;
    }
  }

  public void put(ObjectKey key, KubeObject binding) {
    String export = binding.labels().getOrDefault(KcpNames.BOUND_EXPORT, "");
    String before = exports.put(key, export);
    if (before != null && !before.equals(export)) {
      remove(before, key);
    }
    byExport.computeIfAbsent(export, _ -> new ConcurrentHashMap<>()).put(key, Progress.of(binding));
  }

  public void remove(ObjectKey key) {
    String export = exports.remove(key);
    if (export != null) {
      remove(export, key);
    }
  }

  private void remove(String export, ObjectKey key) {
    byExport.computeIfPresent(
        export,
        (_, bindings) -> {
          bindings.remove(key);
          return bindings.isEmpty() ? null : bindings;
        });
  }

  /** The keys of the bindings that refer to the export. */
  public Set<ObjectKey> referringTo(LogicalCluster provider, String export) {
    return Set.copyOf(bindings(provider, export).keySet());
  }

  @Override
  public boolean isBound(LogicalCluster provider, String export) {
    return bindings(provider, export).containsValue(Progress.BINDING);
  }

  private Map<ObjectKey, Progress> bindings(LogicalCluster provider, String export) {
    return byExport.getOrDefault(KcpHashes.export(provider, export), Map.of());
  }
}
