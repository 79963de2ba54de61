package dev.mooring.sandbox.kcp.workspace.decide;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.kcp.object.decide.KcpNames;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A WorkspaceType by name, and by the path of the workspace that holds it.
 *
 * @param path empty where the type is to be looked for upwards from the workspace
 */
public record TypeReference(String path, String name) {

  public static TypeReference of(Map<String, Object> tree) {
    return new TypeReference(Trees.text(tree, "path"), Trees.text(tree, "name"));
  }

  /** From {@code path:name}, as an annotation holds it; the path is empty without a colon. */
  public static TypeReference parse(String text) {
    int colon = text.lastIndexOf(':');
    return new TypeReference(colon < 0 ? "" : text.substring(0, colon), text.substring(colon + 1));
  }

  /** How others refer to a type: by the canonical path of its workspace. */
  static TypeReference to(KubeObject type) {
    return new TypeReference(
        type.annotation(KcpNames.PATH)
            .orElseGet(() -> type.logicalCluster().map(Object::toString).orElse("")),
        type.name());
  }

  static List<TypeReference> listIn(KubeObject type, String... path) {
    return type.list(path).stream().map(item -> of(Trees.mapOrEmpty(item))).toList();
  }

  public Map<String, Object> tree() {
    var tree = new LinkedHashMap<String, Object>();
    tree.put("name", name);
    if (!path.isEmpty()) {
      tree.put("path", path);
    }
    return tree;
  }

  /** {@code path:name}. */
  @Override
  public String toString() {
    return path.isEmpty() ? name : path + ":" + name;
  }
}
