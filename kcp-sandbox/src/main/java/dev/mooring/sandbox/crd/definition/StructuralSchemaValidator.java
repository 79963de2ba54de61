package dev.mooring.sandbox.crd.definition;

import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.validation.FieldError;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Whether a schema is structural, so that it can prune and default (apiextensions {@code
 * pkg/apiserver/schema/validation.go} and {@code pkg/apis/apiextensions/validation}).
 */
final class StructuralSchemaValidator {
  private static final List<String> TYPES =
      List.of("array", "boolean", "integer", "number", "object", "string");

  private static final List<String> UNSUPPORTED =
      List.of("id", "additionalItems", "patternProperties", "definitions", "dependencies", "$ref");

  private static final List<Object> INT_OR_STRING =
      List.of(Map.of("type", "integer"), Map.of("type", "string"));

  private final List<FieldError> errors = new ArrayList<>();

  private StructuralSchemaValidator() {}

  /** Where a node is, which decides what its missing type is called. */
  private enum Level {
    ROOT("must not be empty at the root"),
    ITEM("must not be empty for specified array items"),
    FIELD("must not be empty for specified object fields");

    private final String missingType;

    Level(String missingType) {
      this.missingType = missingType;
    }
  }

  /** What is wrong with the schema at the path, sorted; empty if nothing is. */
  static List<FieldError> check(String path, Map<String, Object> schema) {
    var rules = new StructuralSchemaValidator();
    rules.node(path, schema, Level.ROOT);
    if (rules.errors.isEmpty()) {
      rules.errors.addAll(DefaultsValidator.check(path, schema));
    }
    if (rules.errors.isEmpty()) {
      return CelRuleValidator.problems(path, schema);
    }
    rules.errors.sort(Comparator.comparing(FieldError::toString));
    return List.copyOf(rules.errors);
  }

  private void node(String path, Map<String, Object> schema, Level level) {
    String type = Trees.textOrEmpty(schema.get("type"));
    common(path, schema);
    if (level == Level.ROOT && flag(schema, "nullable")) {
      errors.add(FieldError.forbidden(path + ".nullable", "nullable cannot be true at the root"));
    }
    type(path, schema, type, level);
    if (type.equals("array") && !(schema.get("items") instanceof Map)) {
      errors.add(FieldError.required(path + ".items", "must be specified"));
    }
    if (schema.get("items") instanceof Map<?, ?> items) {
      node(path + ".items", Trees.mapOrEmpty(items), Level.ITEM);
    }
    Map<String, Object> properties = Trees.mapOrEmpty(schema.get("properties"));
    properties.forEach((name, property) ->
        node(path + ".properties[" + name + "]", Trees.mapOrEmpty(property), Level.FIELD));
    additional(path, schema, level);
    junctors(path, schema);
    lists(path, schema, type);
    rules(path, schema);
    if (level == Level.ROOT && properties.get("metadata") instanceof Map<?, ?> metadata) {
      rootMetadata(path + ".properties[metadata]", Trees.mapOrEmpty(metadata));
    }
  }

  private void common(String path, Map<String, Object> schema) {
    String type = Trees.textOrEmpty(schema.get("type"));
    if (!type.isEmpty() && !type.equals("null") && !TYPES.contains(type)) {
      errors.add(FieldError.notSupported(path + ".type", type, TYPES));
    }
    if (type.equals("null")) {
      errors.add(
          FieldError.forbidden(
              path + ".type", "type cannot be set to null, use nullable as an alternative"));
    }
    UNSUPPORTED.stream()
        .filter(schema::containsKey)
        .forEach(
            key -> errors.add(FieldError.forbidden(path + "." + key, key + " is not supported")));
    if (flag(schema, "uniqueItems")) {
      errors.add(
          FieldError.forbidden(
              path + ".uniqueItems",
              "uniqueItems cannot be set to true since the runtime complexity becomes quadratic"));
    }
    if (Boolean.FALSE.equals(schema.get("x-kubernetes-preserve-unknown-fields"))) {
      errors.add(
          FieldError.invalid(
              path + ".x-kubernetes-preserve-unknown-fields", false, "must be true or undefined"));
    }
    if (schema.get("pattern") instanceof String pattern) {
      CelRuleValidator.pattern(pattern)
          .ifPresent(
              complaint -> errors.add(FieldError.invalid(path + ".pattern", pattern, complaint)));
    }
  }

  private void type(String path, Map<String, Object> schema, String type, Level level) {
    boolean embedded = flag(schema, "x-kubernetes-embedded-resource");
    boolean intOrString = flag(schema, "x-kubernetes-int-or-string");
    boolean preserves = flag(schema, "x-kubernetes-preserve-unknown-fields");
    if (embedded && !type.equals("object")) {
      String must = "must be object if x-kubernetes-embedded-resource is true";
      errors.add(
          type.isEmpty()
              ? FieldError.required(path + ".type", must)
              : FieldError.invalid(path + ".type", type, must));
    } else if (type.isEmpty() && !intOrString && !preserves) {
      errors.add(FieldError.required(path + ".type", level.missingType));
    }
    if (level == Level.ROOT && !type.isEmpty() && !type.equals("object")) {
      errors.add(FieldError.invalid(path + ".type", type, "must be object at the root"));
    }
    if (intOrString && preserves) {
      errors.add(
          FieldError.invalid(
              path + ".x-kubernetes-preserve-unknown-fields",
              true,
              "must be false if x-kubernetes-int-or-string is true"));
    }
    if (embedded && !preserves && Trees.mapOrEmpty(schema.get("properties")).isEmpty()) {
      errors.add(
          FieldError.required(
              path + ".properties",
              "must not be empty if x-kubernetes-embedded-resource is true without"
                  + " x-kubernetes-preserve-unknown-fields"));
    }
  }

  private void additional(String path, Map<String, Object> schema, Level level) {
    Object additional = schema.get("additionalProperties");
    if (additional == null) {
      return;
    }
    String here = path + ".additionalProperties";
    if (level == Level.ROOT) {
      errors.add(FieldError.forbidden(here, "must not be used at the root"));
    }
    boolean open = Boolean.TRUE.equals(additional);
    if (!Trees.mapOrEmpty(schema.get("properties")).isEmpty() && !open) {
      errors.add(
          FieldError.forbidden(here, "additionalProperties and properties are mutual exclusive"));
    }
    if (additional instanceof Map<?, ?> nested) {
      node(here, Trees.mapOrEmpty(nested), Level.FIELD);
    }
  }

  private void junctors(String path, Map<String, Object> schema) {
    boolean intOrString = flag(schema, "x-kubernetes-int-or-string");
    for (String junctor : List.of("allOf", "anyOf", "oneOf")) {
      List<Object> nested = Trees.listOrEmpty(schema.get(junctor));
      boolean idiom =
          intOrString
              && (junctor.equals("anyOf") && nested.equals(INT_OR_STRING)
                  || junctor.equals("allOf")
                      && !nested.isEmpty()
                      && INT_OR_STRING.equals(Trees.at(nested.getFirst(), "anyOf")));
      for (int index = 0; index < nested.size(); index++) {
        if (!idiom || junctor.equals("allOf") && index > 0) {
          nested(path + "." + junctor + "[" + index + "]", Trees.mapOrEmpty(nested.get(index)));
        }
      }
    }
    if (schema.get("not") instanceof Map<?, ?> not) {
      nested(path + ".not", Trees.mapOrEmpty(not));
    }
  }

  /** Inside junctors, a schema may assert but not shape. */
  private void nested(String path, Map<String, Object> schema) {
    common(path, schema);
    forbidNested(path, schema, "type", "must be empty to be structural");
    forbidNested(path, schema, "additionalProperties", "must be undefined to be structural");
    forbidNested(path, schema, "default", "must be undefined to be structural");
    forbidNested(path, schema, "title", "must be empty to be structural");
    forbidNested(path, schema, "description", "must be empty to be structural");
    forbidNested(path, schema, "nullable", "must be false to be structural");
    for (String extension :
        List.of(
            "x-kubernetes-preserve-unknown-fields",
            "x-kubernetes-embedded-resource",
            "x-kubernetes-int-or-string")) {
      forbidNested(path, schema, extension, "must be false to be structural");
    }
    forbidNested(path, schema, "x-kubernetes-list-type", "must be undefined to be structural");
    forbidNested(path, schema, "x-kubernetes-list-map-keys", "must be empty to be structural");
    forbidNested(path, schema, "x-kubernetes-validations", "must be empty to be structural");
    junctors(path, schema);
    if (schema.get("items") instanceof Map<?, ?> items) {
      nested(path + ".items", Trees.mapOrEmpty(items));
    }
    Trees.mapOrEmpty(schema.get("properties"))
        .forEach((name, property) ->
            nested(path + ".properties[" + name + "]", Trees.mapOrEmpty(property)));
  }

  private void forbidNested(String path, Map<String, Object> schema, String key, String complaint) {
    Object value = schema.get(key);
    if (value != null && !"".equals(value) && !Boolean.FALSE.equals(value)) {
      errors.add(FieldError.forbidden(path + "." + key, complaint));
    }
  }

  private void lists(String path, Map<String, Object> schema, String type) {
    String listType = Trees.textOrEmpty(schema.get("x-kubernetes-list-type"));
    if (listType.isEmpty()) {
      return;
    }
    if (!type.equals("array")) {
      String must = "must be array if x-kubernetes-list-type is specified";
      errors.add(
          type.isEmpty()
              ? FieldError.required(path + ".type", must)
              : FieldError.invalid(path + ".type", type, must));
    }
    if (!List.of("atomic", "set", "map").contains(listType)) {
      errors.add(
          FieldError.notSupported(
              path + ".x-kubernetes-list-type", listType, List.of("atomic", "set", "map")));
    }
    if (listType.equals("map")) {
      mapList(path, schema);
    }
  }

  private void mapList(String path, Map<String, Object> schema) {
    List<Object> keys = Trees.listOrEmpty(schema.get("x-kubernetes-list-map-keys"));
    String here = path + ".x-kubernetes-list-map-keys";
    if (keys.isEmpty()) {
      errors.add(FieldError.required(here, "must not be empty if x-kubernetes-list-type is map"));
    }
    Map<String, Object> items = Trees.mapOrEmpty(schema.get("items"));
    Map<String, Object> properties = Trees.mapOrEmpty(items.get("properties"));
    List<Object> required = Trees.listOrEmpty(items.get("required"));
    Set<Object> seen = new HashSet<>();
    for (Object key : keys) {
      if (!seen.add(key)) {
        errors.add(FieldError.invalid(here, keys, "must not contain duplicate entries"));
      }
      Object property = properties.get(key);
      if (property == null) {
        errors.add(FieldError.invalid(here, keys, "entries must all be names of item properties"));
      } else if (!required.contains(key) && Trees.at(property, "default") == null) {
        errors.add(
            FieldError.required(
                path + ".items.properties[" + key + "].default",
                "this property is in x-kubernetes-list-map-keys, so it must have a default or be a"
                    + " required property"));
      }
    }
  }

  private void rules(String path, Map<String, Object> schema) {
    List<Object> rules = Trees.listOrEmpty(schema.get("x-kubernetes-validations"));
    for (int index = 0; index < rules.size(); index++) {
      Map<String, Object> rule = Trees.mapOrEmpty(rules.get(index));
      String here = path + ".x-kubernetes-validations[" + index + "]";
      CelRuleValidator.check(here, rule, schema, errors);
    }
  }

  private void rootMetadata(String path, Map<String, Object> metadata) {
    var allowed = Set.of("name", "generateName");
    boolean restrictsMore =
        !allowed.containsAll(Trees.mapOrEmpty(metadata.get("properties")).keySet())
            || metadata.keySet().stream()
                .anyMatch(key -> !Set.of("type", "properties", "description").contains(key));
    if (restrictsMore) {
      errors.add(
          FieldError.forbidden(
              path,
              "must not specify anything other than name and generateName, but metadata is"
                  + " implicitly specified"));
    }
  }

  private static boolean flag(Map<String, Object> schema, String key) {
    return Boolean.TRUE.equals(schema.get(key));
  }
}
