package dev.mooring.sandbox.fields;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.Trees;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What field management and strategic merge need to know of a place in an object: how its lists
 * merge, and whether it is a struct that is there even when nothing is in it. A view of an OpenAPI
 * v3 schema with Kubernetes' extensions; places without a schema are plain maps and atomic lists.
 *
 * @param tree the schema at this place; empty for none
 */
public record FieldSchema(Map<String, Object> tree) {
  /** Marks structs that Go always serializes, which therefore never count as added. */
  public static final String ALWAYS_PRESENT = "x-mooring-always-present";

  private static final FieldSchema NONE = new FieldSchema(Map.of());

  /** How the items of a list are identified. */
  public enum ListKind {
    ATOMIC,
    SET,
    MAP
  }

  /** The schema of the metadata of every object. */
  private static final FieldSchema METADATA =
      new FieldSchema(
          Map.of(
              ALWAYS_PRESENT,
              true,
              "properties",
              Map.of(
                  "finalizers",
                  Map.of("x-kubernetes-list-type", "set", "x-kubernetes-patch-strategy", "merge"),
                  "ownerReferences",
                  Map.of(
                      "x-kubernetes-list-type",
                      "map",
                      "x-kubernetes-list-map-keys",
                      List.of("uid"),
                      "x-kubernetes-patch-strategy",
                      "merge",
                      "x-kubernetes-patch-merge-key",
                      "uid"))));

  public static FieldSchema root(Map<String, Object> schema) {
    var properties = new LinkedHashMap<>(Trees.mapOrEmpty(schema.get("properties")));
    properties.put("metadata", METADATA.tree());
    var root = new LinkedHashMap<>(schema);
    root.put("properties", properties);
    return new FieldSchema(root);
  }

  /** Of a field of a struct, or of an entry of a map. */
  public FieldSchema field(String name) {
    Object declared = Trees.at(tree, "properties", name);
    if (declared == null) {
      declared = tree.get("additionalProperties");
    }
    return declared instanceof Map<?, ?> ? new FieldSchema(Trees.mapOrEmpty(declared)) : NONE;
  }

  public FieldSchema items() {
    Object items = tree.get("items");
    return items instanceof Map<?, ?> ? new FieldSchema(Trees.mapOrEmpty(items)) : NONE;
  }

  public ListKind listKind() {
    return switch (Trees.textOrEmpty(tree.get("x-kubernetes-list-type"))) {
      case "set" -> ListKind.SET;
      case "map" -> ListKind.MAP;
      default -> ListKind.ATOMIC;
    };
  }

  public boolean atomicMap() {
    return "atomic".equals(tree.get("x-kubernetes-map-type"));
  }

  public boolean alwaysPresent() {
    return Boolean.TRUE.equals(tree.get(ALWAYS_PRESENT));
  }

  /** By which a strategic merge tells items apart; empty if the list is replaced as a whole. */
  public Optional<String> mergeKey() {
    return tree.get("x-kubernetes-patch-merge-key") instanceof String key
        ? Optional.of(key)
        : Optional.empty();
  }

  /** Whether a strategic merge of scalars adds to the list. */
  public boolean mergesScalars() {
    return "merge".equals(tree.get("x-kubernetes-patch-strategy")) && mergeKey().isEmpty();
  }

  /** The step to an item of a set or map list; keys in the order of their names. */
  String step(Object item) {
    if (listKind() == ListKind.SET) {
      return "v:" + KubeJson.writeText(item);
    }
    var keys = new LinkedHashMap<String, Object>();
    Trees.listOrEmpty(tree.get("x-kubernetes-list-map-keys")).stream()
        .map(Trees::textOrEmpty)
        .sorted()
        .forEach(key -> {
          Object value = Trees.at(item, key);
          keys.put(key, value != null ? value : items().field(key).tree().get("default"));
        });
    return "k:" + KubeJson.writeText(keys);
  }
}
