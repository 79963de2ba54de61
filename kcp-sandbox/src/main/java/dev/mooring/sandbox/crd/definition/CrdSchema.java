package dev.mooring.sandbox.crd.definition;

import java.util.List;
import java.util.Map;

/** How the lists of a CustomResourceDefinition merge: all that field management has to know. */
public final class CrdSchema {
  private static final Map<String, Object> TEXT = Map.of("type", "string");
  private static final Map<String, Object> FLAG = Map.of("type", "boolean");
  private static final Map<String, Object> ATOMIC_TEXTS =
      Map.of("type", "array", "x-kubernetes-list-type", "atomic", "items", TEXT);

  private static final Map<String, Object> NAMES =
      object(
          Map.of(
              "plural", TEXT,
              "singular", TEXT,
              "shortNames", ATOMIC_TEXTS,
              "kind", TEXT,
              "listKind", TEXT,
              "categories", ATOMIC_TEXTS));

  private static final Map<String, Object> VERSIONS =
      Map.of(
          "type",
          "array",
          "x-kubernetes-list-type",
          "atomic",
          "items",
          object(
              Map.of(
                  "name", TEXT,
                  "served", FLAG,
                  "storage", FLAG,
                  "deprecated", FLAG,
                  "deprecationWarning", TEXT,
                  "schema", open(),
                  "subresources", open(),
                  "additionalPrinterColumns",
                      Map.of("type", "array", "x-kubernetes-list-type", "atomic", "items", open()),
                  "selectableFields",
                      Map.of(
                          "type", "array", "x-kubernetes-list-type", "atomic", "items", open()))));

  private static final Map<String, Object> CONDITIONS =
      Map.of(
          "type",
          "array",
          "x-kubernetes-list-type",
          "map",
          "x-kubernetes-list-map-keys",
          List.of("type"),
          "items",
          object(
              Map.of(
                  "type", TEXT,
                  "status", TEXT,
                  "lastTransitionTime", TEXT,
                  "reason", TEXT,
                  "message", TEXT)));

  public static final Map<String, Object> TREE =
      Map.of(
          "type",
          "object",
          "required",
          List.of("spec"),
          "properties",
          Map.of(
              "spec",
              object(
                  Map.of(
                      "group", TEXT,
                      "names", NAMES,
                      "scope", TEXT,
                      "versions", VERSIONS,
                      "conversion", open(),
                      "preserveUnknownFields", FLAG)),
              "status",
              object(
                  Map.of(
                      "conditions", CONDITIONS,
                      "acceptedNames", NAMES,
                      "storedVersions", ATOMIC_TEXTS))));

  private CrdSchema() {}

  private static Map<String, Object> object(Map<String, Object> properties) {
    return Map.of("type", "object", "properties", properties);
  }

  private static Map<String, Object> open() {
    return Map.of("type", "object", "x-kubernetes-preserve-unknown-fields", true);
  }
}
