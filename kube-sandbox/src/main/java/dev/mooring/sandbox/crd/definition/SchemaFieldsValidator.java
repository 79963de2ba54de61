package dev.mooring.sandbox.crd.definition;

import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.api.validation.FieldErrors;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What the fields of a schema and of all schemas below it have to keep, structural or not
 * (apiextensions {@code pkg/apis/apiextensions/validation}, {@code
 * ValidateCustomResourceDefinitionOpenAPISchema}).
 */
final class SchemaFieldsValidator {
  private static final List<String> TYPES =
      List.of("array", "boolean", "integer", "number", "object", "string");
  private static final Set<String> ABOUT_OBJECTS = Set.of("apiVersion", "kind", "metadata");
  private static final String LIST_TYPE = "x-kubernetes-list-type";
  private static final String LIST_KEYS = "x-kubernetes-list-map-keys";
  private static final String MAP_TYPE = "x-kubernetes-map-type";
  private static final String ATOMIC = "atomic";

  private final FieldErrors errors = new FieldErrors();

  private SchemaFieldsValidator() {}

  /**
   * What a schema inherits from those above it.
   *
   * @param noDefaults why it may have no defaults; empty if it may
   * @param inMetadata whether it is part of an object's type or metadata
   */
  private record Place(Optional<String> noDefaults, boolean inMetadata) {
    Place withoutDefaults(String why) {
      return new Place(Optional.of(why), inMetadata);
    }
  }

  /** What is wrong with the schema at the path, in Kubernetes' order. */
  static List<FieldError> check(String path, Map<String, Object> schema) {
    var validator = new SchemaFieldsValidator();
    validator.schema(path, schema, new Place(Optional.empty(), false), true);
    return validator.errors;
  }

  private void schema(String path, Map<String, Object> schema, Place place, boolean root) {
    standard(path, schema, place);
    if (flag(schema, "uniqueItems")) {
      errors.forbidden(
          path + ".uniqueItems",
          "uniqueItems cannot be set to true since the runtime complexity becomes quadratic");
    }
    children(path, schema, place, root);
    if (Boolean.FALSE.equals(schema.get("x-kubernetes-preserve-unknown-fields"))) {
      errors.invalid(
          path + ".x-kubernetes-preserve-unknown-fields", false, "must be true or undefined");
    }
    maps(path, schema);
    lists(path, schema);
    List<Object> rules = Trees.list(schema, "x-kubernetes-validations");
    for (int index = 0; index < rules.size(); index++) {
      CelRuleValidator.check(
          path + ".x-kubernetes-validations[" + index + "]",
          Trees.mapOrEmpty(rules.get(index)),
          schema,
          errors);
    }
  }

  private void standard(String path, Map<String, Object> schema, Place place) {
    String type = type(schema);
    if (!type.isEmpty() && !TYPES.contains(type)) {
      errors.notSupported(path + ".type", type, TYPES);
    }
    if (schema.get("default") != null) {
      place
          .noDefaults()
          .ifPresent(why -> errors.forbidden(path + ".default", "must not be set " + why));
    }
    for (String key :
        List.of(
            "id", "additionalItems", "patternProperties", "definitions", "dependencies", "$ref")) {
      if (isSet(schema.get(key))) {
        errors.forbidden(path + "." + key, key + " is not supported");
      }
    }
    if (type.equals("null")) {
      errors.forbidden(
          path + ".type", "type cannot be set to null, use nullable as an alternative");
    }
    if (schema.get("items") instanceof List<?>) {
      errors.forbidden(path + ".items", "items must be a schema object and not an array");
    }
    if (place.inMetadata() && flag(schema, "x-kubernetes-embedded-resource")) {
      errors.forbidden(
          path + ".x-kubernetes-embedded-resource", "must not be used inside of resource meta");
    }
  }

  private static boolean isSet(@org.jspecify.annotations.Nullable Object value) {
    return value != null && !"".equals(value) && !Map.of().equals(value);
  }

  private void children(String path, Map<String, Object> schema, Place place, boolean root) {
    Map<String, Object> properties = Trees.map(schema, "properties");
    Object additional = schema.get("additionalProperties");
    if (additional != null) {
      if (!properties.isEmpty() && !Boolean.TRUE.equals(additional)) {
        errors.forbidden(
            path + ".additionalProperties",
            "additionalProperties and properties are mutual exclusive");
      }
      Place below =
          place.inMetadata()
              ? place.withoutDefaults("inside additionalProperties applying to object metadata")
              : place;
      below(path + ".additionalProperties", additional, below);
    }
    boolean object = root || flag(schema, "x-kubernetes-embedded-resource");
    properties.forEach((name, property) -> {
      Place below = place;
      if (object && ABOUT_OBJECTS.contains(name)) {
        below = new Place(place.noDefaults(), true);
        below = root ? below.withoutDefaults("in top-level " + name) : below;
      }
      below(path + ".properties[" + name + "]", property, below);
    });
    below(path + ".not", schema.get("not"), place);
    for (String junctor : List.of("allOf", "oneOf", "anyOf")) {
      List<Object> nested = Trees.listOrEmpty(schema.get(junctor));
      for (int index = 0; index < nested.size(); index++) {
        below(path + "." + junctor + "[" + index + "]", nested.get(index), place);
      }
    }
    Trees.map(schema, "definitions")
        .forEach((name, nested) -> below(path + ".definitions[" + name + "]", nested, place));
    below(path + ".items", schema.get("items"), place);
  }

  private void below(String path, @org.jspecify.annotations.Nullable Object schema, Place place) {
    if (schema instanceof Map<?, ?>) {
      schema(path, Trees.mapOrEmpty(schema), place, false);
    }
  }

  private void maps(String path, Map<String, Object> schema) {
    if (!(schema.get(MAP_TYPE) instanceof String mapType)) {
      return;
    }
    requireType(path, type(schema), "object", MAP_TYPE);
    if (!mapType.equals(ATOMIC) && !mapType.equals("granular")) {
      errors.notSupported(path + "." + MAP_TYPE, mapType, List.of(ATOMIC, "granular"));
    }
  }

  private void requireType(String path, String type, String wanted, String extension) {
    String must = "must be " + wanted + " if " + extension + " is specified";
    if (type.isEmpty()) {
      errors.required(path + ".type", must);
    } else if (!type.equals(wanted)) {
      errors.invalid(path + ".type", type, must);
    }
  }

  private void lists(String path, Map<String, Object> schema) {
    String listType = Trees.text(schema, LIST_TYPE);
    Map<String, Object> items = Trees.map(schema, "items");
    List<Object> keys = Trees.list(schema, LIST_KEYS);
    if (!listType.isEmpty()) {
      requireType(path, type(schema), "array", LIST_TYPE);
      if (type(schema).equals("array") && listType.equals("set")) {
        setItems(path + ".items", items);
      }
      if (!List.of(ATOMIC, "set", "map").contains(listType)) {
        errors.notSupported(path + "." + LIST_TYPE, listType, List.of(ATOMIC, "set", "map"));
      }
    }
    if (!keys.isEmpty() && !listType.equals("map")) {
      String must = "must be map if x-kubernetes-list-map-keys is non-empty";
      errors.add(
          listType.isEmpty()
              ? FieldError.required(path + "." + LIST_TYPE, must)
              : FieldError.invalid(path + "." + LIST_TYPE, listType, must));
    }
    if (listType.equals("map")) {
      mapList(path, schema, items, keys);
    }
    if (listType.equals("map") || listType.equals("set")) {
      keyedItems(path + ".items", listType, items, listType.equals("map") ? keys : List.of());
    }
  }

  private void setItems(String path, Map<String, Object> items) {
    String must = "must be atomic as item of a list with x-kubernetes-list-type=set";
    Object listType = items.get(LIST_TYPE);
    if (type(items).equals("array") && listType != null && !listType.equals(ATOMIC)) {
      errors.invalid(path + "." + LIST_TYPE, listType, must);
    } else if (type(items).equals("object") && !ATOMIC.equals(items.get(MAP_TYPE))) {
      // Kubernetes shows the list type here.
      errors.invalid(path + "." + MAP_TYPE, listType, must);
    }
  }

  private void mapList(
      String path, Map<String, Object> schema, Map<String, Object> items, List<Object> keys) {
    String here = path + "." + LIST_KEYS;
    if (keys.isEmpty()) {
      errors.required(here, "must not be empty if x-kubernetes-list-type is map");
    }
    if (schema.get("items") == null) {
      errors.required(path + ".items", "must have a schema if x-kubernetes-list-type is map");
      return;
    }
    if (!type(items).equals("object")) {
      errors.invalid(
          path + ".items.type",
          type(items),
          "must be object if parent array's x-kubernetes-list-type is map");
      return;
    }
    Map<String, Object> properties = Trees.map(items, "properties");
    Set<Object> seen = new HashSet<>();
    for (Object key : keys) {
      if (!properties.containsKey(Trees.textOrEmpty(key))) {
        errors.invalid(here, keys, "entries must all be names of item properties");
      } else if (List.of("array", "object")
          .contains(Trees.text(properties.get(Trees.textOrEmpty(key)), "type"))) {
        errors.invalid(
            path + ".items.properties[" + key + "].type",
            type(items),
            "must be a scalar type if parent array's x-kubernetes-list-type is map");
      }
      if (!seen.add(key)) {
        errors.invalid(here, keys, "must not contain duplicate entries");
      }
    }
  }

  private void keyedItems(
      String path, String listType, Map<String, Object> items, List<Object> keys) {
    if (flag(items, "nullable")) {
      errors.forbidden(
          path + ".nullable", "cannot be nullable when x-kubernetes-list-type is " + listType);
    }
    List<Object> required = Trees.list(items, "required");
    for (Object key : keys) {
      Object property = Trees.at(items, "properties", Trees.textOrEmpty(key));
      String here = path + ".properties[" + key + "]";
      if (property == null) {
        continue;
      }
      if (!required.contains(key) && Trees.at(property, "default") == null) {
        errors.required(
            here + ".default",
            "this property is in x-kubernetes-list-map-keys, so it must have a default or be a"
                + " required property");
      }
      if (Boolean.TRUE.equals(Trees.at(property, "nullable"))) {
        errors.forbidden(
            here + ".nullable",
            "this property is in x-kubernetes-list-map-keys, so it cannot be nullable");
      }
    }
  }

  private static String type(Map<String, Object> schema) {
    return Trees.text(schema, "type");
  }

  private static boolean flag(Map<String, Object> schema, String key) {
    return Boolean.TRUE.equals(schema.get(key));
  }
}
