package dev.mooring.syncagent.publish.decide;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Models of an OpenAPI v3 document as structural schemas, which refer to nothing and which CRDs may
 * have. A model that contains itself keeps anything from the second level on.
 */
final class OpenApiSchemas {
  private static final String REFERENCE = "#/components/schemas/";
  private static final String PRESERVE = "x-kubernetes-preserve-unknown-fields";
  private static final String INT_OR_STRING = "x-kubernetes-int-or-string";
  private static final String LIST_TYPE = "x-kubernetes-list-type";
  private static final String LIST_KEYS = "x-kubernetes-list-map-keys";

  /** What means the same in a CRD; everything else is left out. */
  private static final List<String> KEPT =
      List.of(
          "description",
          "type",
          "format",
          "enum",
          "pattern",
          "nullable",
          "minimum",
          "maximum",
          "exclusiveMinimum",
          "exclusiveMaximum",
          "multipleOf",
          "minLength",
          "maxLength",
          "minItems",
          "maxItems",
          "minProperties",
          "maxProperties",
          "required",
          LIST_TYPE,
          LIST_KEYS,
          "x-kubernetes-map-type",
          "x-kubernetes-embedded-resource",
          INT_OR_STRING,
          PRESERVE);

  /** Models whose JSON is not what their schema says. */
  private static final Set<String> NUMBERS_OR_TEXT =
      Set.of(
          "io.k8s.apimachinery.pkg.util.intstr.IntOrString",
          "io.k8s.apimachinery.pkg.api.resource.Quantity");

  private final Map<String, Object> models;
  private final Deque<String> open = new ArrayDeque<>();

  private OpenApiSchemas(Map<String, Object> models) {
    this.models = models;
  }

  /** The schema of a kind; empty if the document has no model of it. */
  static Optional<Map<String, Object>> of(
      KubeObject document, String group, String version, String kind) {
    Map<String, Object> models = document.map("components", "schemas");
    Map<String, Object> wanted = Map.of("group", group, "version", version, "kind", kind);
    return models.entrySet().stream()
        .filter(model ->
            Trees.list(model.getValue(), "x-kubernetes-group-version-kind").contains(wanted))
        .findFirst()
        .map(model -> new OpenApiSchemas(models).root(model.getKey()));
  }

  private Map<String, Object> root(String model) {
    var root = new LinkedHashMap<>(named(model));
    var properties = new LinkedHashMap<>(Trees.map(root, "properties"));
    properties.put("apiVersion", Map.of("type", "string"));
    properties.put("kind", Map.of("type", "string"));
    properties.put("metadata", Map.of("type", "object"));
    root.put("type", "object");
    root.put("properties", properties);
    root.remove(PRESERVE);
    return root;
  }

  private Map<String, Object> named(String model) {
    if (NUMBERS_OR_TEXT.contains(model)) {
      return Map.of(INT_OR_STRING, true);
    }
    if (open.contains(model)) {
      return Map.of(PRESERVE, true);
    }
    open.push(model);
    try {
      return converted(models.get(model));
    } finally {
      open.pop();
    }
  }

  private Map<String, Object> converted(@Nullable Object schema) {
    if (Trees.at(schema, "$ref") instanceof String reference) {
      return referred(reference);
    }
    List<Object> all = Trees.list(schema, "allOf");
    if (all.size() == 1 && Trees.at(all.getFirst(), "$ref") instanceof String reference) {
      var merged = new LinkedHashMap<>(referred(reference));
      if (Trees.at(schema, "description") instanceof String description) {
        merged.put("description", description);
      }
      return merged;
    }
    if ("int-or-string".equals(Trees.at(schema, "format"))) {
      return Map.of(INT_OR_STRING, true);
    }
    var kept = new LinkedHashMap<String, Object>();
    for (String field : KEPT) {
      Object value = Trees.at(schema, field);
      if (value != null) {
        kept.put(field, value);
      }
    }
    switch (Trees.text(schema, "type")) {
      case "object" -> object(schema, kept);
      case "array" -> array(schema, kept);
      case "" -> {
        if (!Boolean.TRUE.equals(kept.get(INT_OR_STRING))) {
          kept.put(PRESERVE, true);
        }
      }
      default -> {
        // Scalars are complete as they are.
      }
    }
    return kept;
  }

  private Map<String, Object> referred(String reference) {
    return reference.startsWith(REFERENCE)
        ? named(reference.substring(REFERENCE.length()))
        : Map.of(PRESERVE, true);
  }

  private void object(@Nullable Object schema, Map<String, Object> kept) {
    Map<String, Object> properties = Trees.map(schema, "properties");
    Object others = Trees.at(schema, "additionalProperties");
    if (!properties.isEmpty()) {
      var converted = new LinkedHashMap<String, Object>();
      properties.forEach((name, property) -> converted.put(name, converted(property)));
      kept.put("properties", converted);
    } else if (others instanceof Map<?, ?> map && !map.isEmpty()) {
      kept.put("additionalProperties", converted(map));
    } else {
      // "Any object" keeps what it gets; CRDs would prune it.
      kept.put(PRESERVE, true);
    }
  }

  private void array(@Nullable Object schema, Map<String, Object> kept) {
    Object items = Trees.at(schema, "items");
    Map<String, Object> converted = items == null ? Map.of(PRESERVE, true) : converted(items);
    kept.put("items", converted);
    switch (Trees.text(kept, LIST_TYPE)) {
      case "map" -> kept.put("items", keyed(kept, converted, items));
      case "set" -> {
        if (converted.containsKey("properties") || converted.containsKey(PRESERVE)) {
          withoutListType(kept);
        }
      }
      default -> {
        // Atomic lists ask nothing of their items.
      }
    }
  }

  /** Items of a map list: a CRD wants each key to be required or to have a default. */
  private Map<String, Object> keyed(
      Map<String, Object> list, Map<String, Object> converted, @Nullable Object items) {
    var required = new HashSet<>(Trees.list(converted, "required"));
    var properties = new LinkedHashMap<>(Trees.map(converted, "properties"));
    for (Object key : Trees.list(list, LIST_KEYS)) {
      Object preset = presetOf(items, String.valueOf(key));
      if (!required.contains(key)) {
        if (preset == null || !properties.containsKey(key)) {
          withoutListType(list);
          return converted;
        }
        var property = new LinkedHashMap<>(Trees.mapOrEmpty(properties.get(key)));
        property.put("default", preset);
        properties.put(String.valueOf(key), property);
      }
    }
    var keyed = new LinkedHashMap<>(converted);
    keyed.put("properties", properties);
    return keyed;
  }

  /** The default of a key that is not empty, which would say nothing. */
  private @Nullable Object presetOf(@Nullable Object items, String key) {
    Object model = items;
    while (model != null) {
      Object preset = Trees.at(model, "properties", key, "default");
      if (preset != null) {
        return "".equals(preset) ? null : preset;
      }
      Object reference =
          Trees.at(model, "$ref") != null
              ? Trees.at(model, "$ref")
              : Trees.list(model, "allOf").stream()
                  .map(part -> Trees.at(part, "$ref"))
                  .findFirst()
                  .orElse(null);
      model =
          reference instanceof String text && text.startsWith(REFERENCE)
              ? models.get(text.substring(REFERENCE.length()))
              : null;
    }
    return null;
  }

  private static void withoutListType(Map<String, Object> list) {
    list.remove(LIST_TYPE);
    list.remove(LIST_KEYS);
  }
}
