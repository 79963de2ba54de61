package dev.mooring.sandbox.kcp.object.decide;

import dev.mooring.model.object.KubeObject;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * An APIExport as an APIBinding or an endpoint slice names it.
 *
 * @param path of the workspace that holds the export; empty for the referring workspace itself
 */
public record ExportReference(String path, String name) {

  public static ExportReference ofBinding(KubeObject binding) {
    return new ExportReference(
        binding.text("spec", "reference", "export", "path"),
        binding.text("spec", "reference", "export", "name"));
  }

  public static ExportReference ofSlice(KubeObject slice) {
    return new ExportReference(
        slice.text("spec", "export", "path"), slice.text("spec", "export", "name"));
  }

  public Map<String, Object> tree() {
    var tree = new LinkedHashMap<String, Object>();
    tree.put("name", name);
    if (!path.isEmpty()) {
      tree.put("path", path);
    }
    return tree;
  }

  /** {@code path:name}, as kcp's messages have it. */
  @Override
  public String toString() {
    return path.isEmpty() ? name : path + ":" + name;
  }
}
