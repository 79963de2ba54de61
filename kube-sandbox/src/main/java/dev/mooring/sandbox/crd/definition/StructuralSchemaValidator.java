package dev.mooring.sandbox.crd.definition;

import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.api.validation.FieldErrors;
import dev.mooring.sandbox.schema.CompiledSchema;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Whether a schema can define a resource: whether it is structural, so that it can prune and
 * default (apiextensions {@code pkg/apiserver/schema/validation.go}), whether its defaults and
 * rules fit, and what {@link SchemaFieldsValidator} asks.
 */
final class StructuralSchemaValidator {
  private static final List<Object> INT_OR_STRING =
      List.of(Map.of("type", "integer"), Map.of("type", "string"));
  private static final String EMBEDDED = "x-kubernetes-embedded-resource";
  private static final String INT_OR_TEXT = "x-kubernetes-int-or-string";
  private static final String PRESERVE = "x-kubernetes-preserve-unknown-fields";
  private static final List<String> JUNCTORS = List.of("allOf", "anyOf", "oneOf");

  private final FieldErrors errors = new FieldErrors();

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

  /** What is wrong with the schema at the path, in Kubernetes' order; empty if nothing is. */
  static List<FieldError> check(String path, Map<String, Object> schema) {
    var errors = new FieldErrors();
    if (flag(schema, "nullable")) {
      errors.forbidden(path + ".nullable", "nullable cannot be true at the root");
    }
    Optional<String> unsupported = unsupported(schema);
    if (unsupported.isEmpty()) {
      var rules = new StructuralSchemaValidator();
      rules.node(path, schema, Level.ROOT);
      rules.complete(path, path, schema, schema);
      rules.errors.sort(Comparator.comparing(FieldError::toString));
      errors.addAll(rules.errors);
      if (rules.errors.isEmpty()) {
        errors.addAll(defaults(path, schema));
      }
    }
    errors.addAll(SchemaFieldsValidator.check(path, schema));
    if (errors.isEmpty()) {
      unsupported.ifPresent(why -> errors.invalid(path, "", why));
    }
    return errors.isEmpty() ? CelRuleValidator.problems(path, schema) : List.copyOf(errors);
  }

  /** Why the schema cannot be read as a structural one, of the first field that it is about. */
  private static Optional<String> unsupported(Map<String, Object> schema) {
    for (String key :
        List.of(
            "id",
            "$schema",
            "$ref",
            "patternProperties",
            "dependencies",
            "additionalItems",
            "definitions")) {
      Object value = schema.get(key);
      if (value != null && !"".equals(value) && !Map.of().equals(value)) {
        return Optional.of(
            "OpenAPIV3Schema '" + (key.equals("$schema") ? "schema" : key) + "' is not supported");
      }
    }
    if (schema.get("items") instanceof List<?>) {
      return Optional.of("OpenAPIV3Schema 'items' must be a schema, but is an array");
    }
    return Stream.of(
            JUNCTORS.stream().flatMap(junctor -> Trees.listOrEmpty(schema.get(junctor)).stream()),
            Stream.ofNullable(schema.get("not")),
            Stream.ofNullable(schema.get("items")),
            Trees.map(schema, "properties").values().stream(),
            Stream.ofNullable(schema.get("additionalProperties")))
        .flatMap(nested -> nested)
        .map(nested -> unsupported(Trees.mapOrEmpty(nested)))
        .flatMap(Optional::stream)
        .findFirst();
  }

  private void node(String path, Map<String, Object> schema, Level level) {
    if (text(schema, "type").equals("array") && !(schema.get("items") instanceof Map)) {
      errors.required(path + ".items", "must be specified");
    }
    if (schema.get("items") instanceof Map<?, ?> items) {
      node(path + ".items", Trees.mapOrEmpty(items), Level.ITEM);
    }
    Map<String, Object> properties = Trees.map(schema, "properties");
    properties.forEach((name, property) ->
        node(path + ".properties[" + name + "]", Trees.mapOrEmpty(property), Level.FIELD));
    if (schema.get("additionalProperties") instanceof Object additional) {
      String here = path + ".additionalProperties";
      if (level == Level.ROOT) {
        errors.forbidden(here, "must not be used at the root");
      }
      if (additional instanceof Map<?, ?>) {
        node(here, Trees.mapOrEmpty(additional), Level.FIELD);
      }
      if (flag(schema, EMBEDDED)) {
        errors.forbidden(here, "must not be used if x-kubernetes-embedded-resource is set");
      }
    }
    extensions(path, schema);
    values(path, flag(schema, INT_OR_TEXT) ? withoutIntOrString(schema) : schema);
    type(path, schema, level);
    if (level == Level.ROOT || flag(schema, EMBEDDED)) {
      requireType(path, properties, "kind", "string");
      requireType(path, properties, "apiVersion", "string");
      requireType(path, properties, "metadata", "object");
    }
    if (level == Level.ROOT && properties.get("metadata") instanceof Map<?, ?> metadata) {
      rootMetadata(path + ".properties[metadata]", Trees.mapOrEmpty(metadata));
    }
  }

  private void extensions(String path, Map<String, Object> schema) {
    for (String extension : List.of(PRESERVE, EMBEDDED)) {
      if (flag(schema, INT_OR_TEXT) && flag(schema, extension)) {
        errors.invalid(
            path + "." + extension, true, "must be false if x-kubernetes-int-or-string is true");
      }
    }
    if (flag(schema, EMBEDDED)
        && !flag(schema, PRESERVE)
        && Trees.map(schema, "properties").isEmpty()) {
      errors.required(
          path + ".properties",
          "must not be empty if x-kubernetes-embedded-resource is true without"
              + " x-kubernetes-preserve-unknown-fields");
    }
  }

  private void type(String path, Map<String, Object> schema, Level level) {
    String type = text(schema, "type");
    if (flag(schema, EMBEDDED) && !type.equals("object")) {
      String must = "must be object if x-kubernetes-embedded-resource is true";
      errors.add(
          type.isEmpty()
              ? FieldError.required(path + ".type", must)
              : FieldError.invalid(path + ".type", type, must));
    } else if (type.isEmpty() && !flag(schema, INT_OR_TEXT) && !flag(schema, PRESERVE)) {
      errors.required(path + ".type", level.missingType);
    }
    if (level == Level.ROOT && !type.isEmpty() && !type.equals("object")) {
      errors.invalid(path + ".type", type, "must be object at the root");
    }
  }

  private void requireType(
      String path, Map<String, Object> properties, String name, String wanted) {
    if (properties.get(name) instanceof Map<?, ?> property) {
      String type = Trees.text(property, "type");
      if (!type.equals(wanted)) {
        errors.invalid(path + ".properties[" + name + "].type", type, "must be " + wanted);
      }
    }
  }

  /** Without what says that a value is a whole number or a text, where a schema may say so. */
  private static Map<String, Object> withoutIntOrString(Map<String, Object> schema) {
    var rest = new LinkedHashMap<>(schema);
    List<Object> all = Trees.list(schema, "allOf");
    if (!rest.remove("anyOf", INT_OR_STRING)
        && !all.isEmpty()
        && INT_OR_STRING.equals(Trees.at(all.getFirst(), "anyOf"))) {
      var first = new LinkedHashMap<>(Trees.mapOrEmpty(all.getFirst()));
      first.remove("anyOf");
      var nested = new ArrayList<Object>(all);
      nested.set(0, first);
      rest.put("allOf", nested);
    }
    return rest;
  }

  /** What a schema asserts of values, itself and in its junctors. */
  private void values(String path, Map<String, Object> schema) {
    for (String junctor : JUNCTORS) {
      List<Object> nested = Trees.list(schema, junctor);
      for (int index = 0; index < nested.size(); index++) {
        nested(path + "." + junctor + "[" + index + "]", nested.get(index));
      }
    }
    nested(path + ".not", schema.get("not"));
    if (schema.get("pattern") instanceof String pattern) {
      CelRuleValidator.pattern(pattern)
          .ifPresent(complaint -> errors.invalid(path + ".pattern", pattern, complaint));
    }
  }

  /** Inside junctors, a schema may assert but not shape. */
  private void nested(String path, @Nullable Object nested) {
    if (!(nested instanceof Map<?, ?>)) {
      return;
    }
    Map<String, Object> schema = Trees.mapOrEmpty(nested);
    values(path, schema);
    nested(path + ".items", schema.get("items"));
    Map<String, Object> properties = Trees.map(schema, "properties");
    properties.forEach((name, property) -> nested(path + ".properties[" + name + "]", property));
    for (String key : List.of("type", "title", "description", "x-kubernetes-list-map-keys")) {
      forbidNested(path, schema, key, "must be empty to be structural");
    }
    for (String key :
        List.of(
            "additionalProperties", "default", "x-kubernetes-list-type", "x-kubernetes-map-type")) {
      forbidNested(path, schema, key, "must be undefined to be structural");
    }
    for (String key : List.of("nullable", PRESERVE, EMBEDDED, INT_OR_TEXT)) {
      forbidNested(path, schema, key, "must be false to be structural");
    }
    forbidNested(path, schema, "x-kubernetes-validations", "must be empty to be structural");
    if (properties.containsKey("metadata")) {
      errors.forbidden(path + ".properties[metadata]", "must not be specified in a nested context");
    }
  }

  private void forbidNested(String path, Map<String, Object> schema, String key, String complaint) {
    Object value = schema.get(key);
    if (value != null && !"".equals(value) && !Boolean.FALSE.equals(value)) {
      errors.forbidden(path + "." + key, complaint);
    }
  }

  /** Whether what the root's junctors are about is there without them. */
  private void complete(
      String path, String origin, Map<String, Object> asserted, @Nullable Object described) {
    for (String junctor : JUNCTORS) {
      List<Object> nested = Trees.listOrEmpty(asserted.get(junctor));
      for (int index = 0; index < nested.size(); index++) {
        completeNested(
            path, origin + "." + junctor + "[" + index + "]", nested.get(index), described);
      }
    }
    completeNested(path, origin + ".not", asserted.get("not"), described);
  }

  private void completeNested(
      String path, String origin, @Nullable Object nested, @Nullable Object described) {
    if (!(nested instanceof Map<?, ?>)) {
      return;
    }
    if (!(described instanceof Map<?, ?>)) {
      errors.required(path, "because it is defined in " + origin);
      return;
    }
    Map<String, Object> asserted = Trees.mapOrEmpty(nested);
    complete(path, origin, asserted, described);
    completeNested(
        path + ".items", origin + ".items", asserted.get("items"), Trees.at(described, "items"));
    Trees.map(asserted, "properties")
        .forEach((name, property) ->
            completeNested(
                path + ".properties[" + name + "]",
                origin + ".properties[" + name + "]",
                property,
                Trees.at(described, "properties", name)));
  }

  private void rootMetadata(String path, Map<String, Object> metadata) {
    var allowed = Set.of("name", "generateName");
    boolean restrictsMore =
        !allowed.containsAll(Trees.map(metadata, "properties").keySet())
            || metadata.keySet().stream()
                .anyMatch(key -> !Set.of("type", "properties", "default").contains(key));
    if (restrictsMore) {
      errors.forbidden(
          path,
          "must not specify anything other than name and generateName, but metadata is"
              + " implicitly specified");
    }
  }

  /**
   * Defaults, here and below, that the schema does not allow (apiextensions {@code
   * pkg/apiserver/schema/defaulting/validation.go}).
   */
  private static List<FieldError> defaults(String path, Map<String, Object> schema) {
    var errors = new ArrayList<FieldError>();
    var root = new LinkedHashMap<>(schema);
    root.put("x-kubernetes-embedded-resource", true);
    defaults(path, root, errors);
    return errors;
  }

  private static void defaults(String path, Map<String, Object> schema, List<FieldError> errors) {
    Object value = schema.get("default");
    if (value != null) {
      errors.addAll(CompiledSchema.of(schema).validateDefault(path + ".default", value));
    }
    if (schema.get("items") instanceof Map<?, ?> items) {
      defaults(path + ".items", Trees.mapOrEmpty(items), errors);
    }
    // Defaults of an object's type and metadata are refused, or those of all objects.
    boolean object = Boolean.TRUE.equals(schema.get("x-kubernetes-embedded-resource"));
    Trees.map(schema, "properties")
        .forEach((name, property) -> {
          if (!object || !List.of("apiVersion", "kind", "metadata").contains(name)) {
            defaults(path + ".properties[" + name + "]", Trees.mapOrEmpty(property), errors);
          }
        });
  }

  private static String text(Map<String, Object> schema, String key) {
    return Trees.textOrEmpty(schema.get(key));
  }

  private static boolean flag(Map<String, Object> schema, String key) {
    return Boolean.TRUE.equals(schema.get(key));
  }
}
