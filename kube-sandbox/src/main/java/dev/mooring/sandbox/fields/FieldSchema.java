package dev.mooring.sandbox.fields;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.Trees;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

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

  private static final Map<String, Object> TEXT = Map.of("type", "string");
  private static final String PROPERTIES = "properties";
  private static final String ADDITIONAL = "additionalProperties";
  private static final FieldSchema NONE = new FieldSchema(Map.of());

  /** How the items of a list are identified. */
  public enum ListKind {
    ATOMIC,
    SET,
    MAP
  }

  /** The schema of the metadata of every object. */
  private static final Map<String, Object> METADATA =
      Trees.mapOrEmpty(
          KubeJson.read(
              """
              {"type": "object", "x-mooring-always-present": true, "properties": {
                "name": {"type": "string"}, "generateName": {"type": "string"},
                "namespace": {"type": "string"}, "selfLink": {"type": "string"},
                "uid": {"type": "string"}, "resourceVersion": {"type": "string"},
                "generation": {"type": "integer"}, "creationTimestamp": {"type": "string"},
                "deletionTimestamp": {"type": "string"},
                "deletionGracePeriodSeconds": {"type": "integer"},
                "labels": {"type": "object", "additionalProperties": {"type": "string"}},
                "annotations": {"type": "object", "additionalProperties": {"type": "string"}},
                "finalizers": {"type": "array", "items": {"type": "string"},
                  "x-kubernetes-list-type": "set", "x-kubernetes-patch-strategy": "merge"},
                "ownerReferences": {"type": "array",
                  "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["uid"],
                  "x-kubernetes-patch-strategy": "merge", "x-kubernetes-patch-merge-key": "uid",
                  "items": {"type": "object", "x-kubernetes-map-type": "atomic", "properties": {
                    "apiVersion": {"type": "string"}, "kind": {"type": "string"},
                    "name": {"type": "string"}, "uid": {"type": "string"},
                    "controller": {"type": "boolean"},
                    "blockOwnerDeletion": {"type": "boolean"}}}},
                "managedFields": {"type": "array"}}}
              """));

  public static FieldSchema root(Map<String, Object> schema) {
    var properties = new LinkedHashMap<>(Trees.map(schema, "properties"));
    properties.put("metadata", METADATA);
    properties.put("apiVersion", TEXT);
    properties.put("kind", TEXT);
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

  /** Whether the field has a schema of its own, which entries of maps do not have. */
  boolean declares(String field) {
    return Trees.at(tree, PROPERTIES, field) != null;
  }

  /** The type of JSON; empty if any scalar will do. */
  String type() {
    return Trees.text(tree, "type");
  }

  /** Whether every value fits. */
  boolean isAnything() {
    return type().isEmpty() && !tree.containsKey(PROPERTIES)
        || type().equals("object") && openMap() && !tree.containsKey(PROPERTIES);
  }

  private boolean openMap() {
    return Boolean.TRUE.equals(tree.get("x-kubernetes-preserve-unknown-fields"))
        || Boolean.TRUE.equals(tree.get(ADDITIONAL))
        || !tree.containsKey(PROPERTIES) && !tree.containsKey(ADDITIONAL);
  }

  /** Whether a map may have the key. */
  boolean accepts(String field) {
    return declares(field) || tree.get(ADDITIONAL) instanceof Map<?, ?> || openMap();
  }

  public FieldSchema items() {
    Object items = tree.get("items");
    return items instanceof Map<?, ?> ? new FieldSchema(Trees.mapOrEmpty(items)) : NONE;
  }

  public ListKind listKind() {
    return switch (Trees.text(tree, "x-kubernetes-list-type")) {
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

  /** Whether a strategic merge goes into the list in place of replacing it. */
  public boolean mergesItems() {
    return "merge".equals(tree.get("x-kubernetes-patch-strategy"));
  }

  /** The step to an item of a set or map list; keys in the order of their names. */
  String step(Object item) {
    if (listKind() == ListKind.SET) {
      return "v:" + KubeJson.writeText(item);
    }
    var keys = new LinkedHashMap<String, Object>();
    Trees.list(tree, "x-kubernetes-list-map-keys").stream()
        .map(Trees::textOrEmpty)
        .sorted()
        .forEach(key -> {
          Object value = Trees.at(item, key);
          Object given = value != null ? value : items().field(key).tree().get("default");
          if (given != null) {
            keys.put(key, given);
          }
        });
    return "k:" + KubeJson.writeText(keys);
  }

  /**
   * A step of a {@link FieldSet} as messages write it: {@code .field}, {@code [name="a"]} or {@code
   * [="item"]}.
   */
  static String text(String step) {
    String rest = step.substring(2);
    return switch (step.charAt(0)) {
      case 'f' -> "." + rest;
      case 'v' -> "[=" + rest + "]";
      default ->
          Trees.mapOrEmpty(KubeJson.read(rest)).entrySet().stream()
              .map(key -> key.getKey() + "=" + KubeJson.writeText(key.getValue()))
              .collect(Collectors.joining(",", "[", "]"));
    };
  }
}
