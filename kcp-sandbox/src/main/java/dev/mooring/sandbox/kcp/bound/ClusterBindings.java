package dev.mooring.sandbox.kcp.bound;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The APIBindings of one logical cluster, and the exports of the resources that they have bound.
 *
 * @param bindings by name
 */
public record ClusterBindings(List<KubeObject> bindings, Map<GroupResource, ExportRef> exports) {
  /**
   * The APIExport that offers a resource.
   *
   * @param cluster of the provider
   */
  public record ExportRef(LogicalCluster cluster, String name) {}

  /** A resource in any version. */
  public record GroupResource(String group, String resource) {}

  public ClusterBindings {
    bindings = List.copyOf(bindings);
    exports = Map.copyOf(exports);
  }

  static ClusterBindings of(List<KubeObject> bindings) {
    var exports = new HashMap<GroupResource, ExportRef>();
    for (KubeObject binding : bindings) {
      String provider = binding.text("status", "apiExportClusterName");
      String name = binding.text("spec", "reference", "export", "name");
      if (provider.isEmpty() || name.isEmpty()) {
        continue;
      }
      var export = new ExportRef(new LogicalCluster(provider), name);
      for (Object resource : binding.list("status", "boundResources")) {
        exports.put(
            new GroupResource(Trees.text(resource, "group"), Trees.text(resource, "resource")),
            export);
      }
    }
    return new ClusterBindings(bindings, exports);
  }

  /** Empty for what is not bound: built-in resources and those of local CRDs. */
  public Optional<ExportRef> exportOf(String group, String resource) {
    return Optional.ofNullable(exports.get(new GroupResource(group, resource)));
  }
}
