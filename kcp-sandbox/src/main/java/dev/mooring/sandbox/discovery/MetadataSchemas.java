package dev.mooring.sandbox.discovery;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The components of OpenAPI documents that every kind refers to: those of {@code meta/v1}. */
final class MetadataSchemas {
  static final String PACKAGE = "io.k8s.apimachinery.pkg.apis.meta.v1.";
  private static final Map<String, Object> TEXT = Map.of("type", "string");
  private static final Map<String, Object> NEEDED_TEXT = ordered("type", "string", "default", "");
  private static final Map<String, Object> NUMBER = Map.of("type", "integer", "format", "int64");
  private static final Map<String, Object> FLAG = Map.of("type", "boolean");
  private static final Map<String, Object> TEXTS =
      Map.of("type", "object", "additionalProperties", NEEDED_TEXT);

  /** The fields that tell what an object is. */
  static final Map<String, Object> TYPE =
      ordered(
          "apiVersion",
          ordered(
              "description",
              "The versioned schema of this representation of an object.",
              "type",
              "string"),
          "kind",
          ordered("description", "The kind of object that this is.", "type", "string"));

  static final Map<String, Object> ALL =
      ordered(
          PACKAGE + "ObjectMeta",
          object(
              List.of(),
              ordered(
                  "annotations", TEXTS,
                  "creationTimestamp", reference("Time"),
                  "deletionGracePeriodSeconds", NUMBER,
                  "deletionTimestamp", reference("Time"),
                  "finalizers",
                      ordered(
                          "type", "array",
                          "items", NEEDED_TEXT,
                          "x-kubernetes-list-type", "set",
                          "x-kubernetes-patch-strategy", "merge"),
                  "generateName", TEXT,
                  "generation", NUMBER,
                  "labels", TEXTS,
                  "managedFields",
                      ordered(
                          "type", "array",
                          "items", embedded("ManagedFieldsEntry"),
                          "x-kubernetes-list-type", "atomic"),
                  "name", TEXT,
                  "namespace", TEXT,
                  "ownerReferences",
                      ordered(
                          "type", "array",
                          "items", embedded("OwnerReference"),
                          "x-kubernetes-list-map-keys", List.of("uid"),
                          "x-kubernetes-list-type", "map",
                          "x-kubernetes-patch-merge-key", "uid",
                          "x-kubernetes-patch-strategy", "merge"),
                  "resourceVersion", TEXT,
                  "selfLink", TEXT,
                  "uid", TEXT)),
          PACKAGE + "OwnerReference",
          atomic(
              object(
                  List.of("apiVersion", "kind", "name", "uid"),
                  ordered(
                      "apiVersion", NEEDED_TEXT,
                      "blockOwnerDeletion", FLAG,
                      "controller", FLAG,
                      "kind", NEEDED_TEXT,
                      "name", NEEDED_TEXT,
                      "uid", NEEDED_TEXT))),
          PACKAGE + "ManagedFieldsEntry",
          object(
              List.of(),
              ordered(
                  "apiVersion", TEXT,
                  "fieldsType", TEXT,
                  "fieldsV1", reference("FieldsV1"),
                  "manager", TEXT,
                  "operation", TEXT,
                  "subresource", TEXT,
                  "time", reference("Time"))),
          PACKAGE + "FieldsV1",
          Map.of("type", "object"),
          PACKAGE + "Time",
          Map.of("type", "string", "format", "date-time"),
          PACKAGE + "ListMeta",
          object(
              List.of(),
              ordered(
                  "continue", TEXT,
                  "remainingItemCount", NUMBER,
                  "resourceVersion", TEXT,
                  "selfLink", TEXT)));

  private MetadataSchemas() {}

  /** The {@code metadata} of objects ({@code ObjectMeta}) or of lists ({@code ListMeta}). */
  static Map<String, Object> metadata(String name) {
    var metadata = new LinkedHashMap<String, Object>();
    metadata.put("description", "Standard metadata.");
    metadata.putAll(embedded(name));
    return metadata;
  }

  private static Map<String, Object> reference(String name) {
    return Map.of("allOf", List.of(Map.of("$ref", "#/components/schemas/" + PACKAGE + name)));
  }

  private static Map<String, Object> embedded(String name) {
    var embedded = new LinkedHashMap<String, Object>();
    embedded.put("default", Map.of());
    embedded.putAll(reference(name));
    return embedded;
  }

  private static Map<String, Object> object(List<String> required, Map<String, Object> properties) {
    var object = new LinkedHashMap<String, Object>();
    object.put("type", "object");
    if (!required.isEmpty()) {
      object.put("required", required);
    }
    object.put("properties", properties);
    return object;
  }

  private static Map<String, Object> atomic(Map<String, Object> object) {
    object.put("x-kubernetes-map-type", "atomic");
    return object;
  }

  private static Map<String, Object> ordered(Object... keysAndValues) {
    var map = new LinkedHashMap<String, Object>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      map.put((String) keysAndValues[i], keysAndValues[i + 1]);
    }
    return Collections.unmodifiableMap(map);
  }
}
