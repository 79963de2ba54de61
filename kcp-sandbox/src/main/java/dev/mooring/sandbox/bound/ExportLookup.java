package dev.mooring.sandbox.bound;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.storage.ListScope;
import dev.mooring.sandbox.storage.PerClusterCache;
import dev.mooring.sandbox.storage.ResourceKey;
import dev.mooring.sandbox.storage.ResourceStore;
import dev.mooring.sandbox.storage.StoredObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which resources of a logical cluster come from elsewhere, as the status of its APIBindings says.
 * Follows changes at once. Thread-safe.
 */
public final class ExportLookup implements AutoCloseable {
  private static final ResourceKey API_BINDINGS = ResourceKey.of("apis.kcp.io", "apibindings");

  /**
   * The APIExport that offers a resource.
   *
   * @param cluster of the provider
   */
  public record ExportRef(LogicalCluster cluster, String name) {}

  private record GroupResource(String group, String resource) {}

  private final ResourceStore store;
  private final PerClusterCache<Map<GroupResource, ExportRef>> exports;

  public ExportLookup(ResourceStore store) {
    this.store = store;
    this.exports = new PerClusterCache<>(store, List.of(API_BINDINGS), this::read);
  }

  /** Empty for what is not bound: built-in resources and those of local CRDs. */
  public Optional<ExportRef> exportOf(LogicalCluster cluster, String group, String resource) {
    return Optional.ofNullable(exports.of(cluster).get(new GroupResource(group, resource)));
  }

  private Map<GroupResource, ExportRef> read(LogicalCluster cluster) {
    var found = new HashMap<GroupResource, ExportRef>();
    for (StoredObject stored : store.list(ListScope.of(API_BINDINGS, cluster)).items()) {
      KubeObject binding = stored.object();
      String provider = binding.text("status", "apiExportClusterName");
      String name = binding.text("spec", "reference", "export", "name");
      if (provider.isEmpty() || name.isEmpty()) {
        continue;
      }
      var export = new ExportRef(new LogicalCluster(provider), name);
      for (Object resource : binding.list("status", "boundResources")) {
        found.put(
            new GroupResource(
                Trees.textOrEmpty(Trees.at(resource, "group")),
                Trees.textOrEmpty(Trees.at(resource, "resource"))),
            export);
      }
    }
    return Map.copyOf(found);
  }

  @Override
  public void close() {
    exports.close();
  }
}
