package dev.mooring.model.schema;

import dev.mooring.languages.FieldStep;
import dev.mooring.model.identity.Nearest;
import dev.mooring.model.object.Trees;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which fields the objects of a type can have, by its structural schema. An API server drops all
 * others. The fields of {@code metadata} are those that every object has.
 *
 * @param root as OpenAPI has it, of whole objects; empty if the type has no schema
 */
public record ObjectSchema(Map<String, Object> root) {
  public static final String INT_OR_STRING = "integer or string";
  private static final String ANY = "x-kubernetes-preserve-unknown-fields";
  private static final String EITHER = "x-kubernetes-int-or-string";
  private static final String EMBEDDED = "x-kubernetes-embedded-resource";

  /** More names in a message hide what is wrong. */
  private static final int NAMES_MAX = 12;

  private static final Map<String, Object> TEXT = Map.of("type", "string");
  private static final Map<String, Object> NUMBER = Map.of("type", "integer");
  private static final Map<String, Object> FLAG = Map.of("type", "boolean");
  private static final Map<String, Object> TEXTS =
      Map.of("type", "object", "additionalProperties", TEXT);

  private static final Map<String, Object> OWNER =
      object(
          Map.of(
              "apiVersion", TEXT,
              "kind", TEXT,
              "name", TEXT,
              "uid", TEXT,
              "controller", FLAG,
              "blockOwnerDeletion", FLAG));

  private static final Map<String, Object> METADATA =
      object(
          Trees.ordered(
              "name", TEXT,
              "generateName", TEXT,
              "namespace", TEXT,
              "uid", TEXT,
              "resourceVersion", TEXT,
              "generation", NUMBER,
              "creationTimestamp", TEXT,
              "deletionTimestamp", TEXT,
              "deletionGracePeriodSeconds", NUMBER,
              "labels", TEXTS,
              "annotations", TEXTS,
              "finalizers", Map.of("type", "array", "items", TEXT),
              "ownerReferences", Map.of("type", "array", "items", OWNER),
              "managedFields",
                  Map.of("type", "array", "items", Map.of("type", "object", ANY, true)),
              "selfLink", TEXT));

  private static final Map<String, Object> OF_EVERY_OBJECT =
      Map.of("apiVersion", TEXT, "kind", TEXT, "metadata", METADATA);

  public static final ObjectSchema SECRET =
      new ObjectSchema(
          Map.of(
              "properties",
              Map.of("data", TEXTS, "stringData", TEXTS, "type", TEXT, "immutable", FLAG)));

  public static final ObjectSchema CONFIG_MAP =
      new ObjectSchema(
          Map.of("properties", Map.of("data", TEXTS, "binaryData", TEXTS, "immutable", FLAG)));

  private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][A-Za-z0-9_-]*");

  private static Map<String, Object> object(Map<String, Object> properties) {
    return Map.of("type", "object", "properties", properties);
  }

  /** Of a version of a CustomResourceDefinition; a version without a schema allows any field. */
  public static ObjectSchema ofCrd(@Nullable Object version) {
    return new ObjectSchema(Trees.map(version, "schema", "openAPIV3Schema"));
  }

  /** Of a version of an APIResourceSchema. */
  public static ObjectSchema ofApiResourceSchema(@Nullable Object version) {
    return new ObjectSchema(Trees.map(version, "schema"));
  }

  /** What {@link #find} needs of a schema: its other parts are most of it. */
  public ObjectSchema fieldsOnly() {
    return new ObjectSchema(Trees.freezeMap(fieldsOnly(root)));
  }

  private static Map<String, Object> fieldsOnly(Map<String, Object> node) {
    var kept = new LinkedHashMap<String, Object>();
    node.forEach((key, value) -> {
      switch (key) {
        case "type", "enum", ANY, EITHER, EMBEDDED -> kept.put(key, value);
        case "items", "additionalProperties" ->
            kept.put(key, value instanceof Map<?, ?> ? fieldsOnly(Trees.mapOrEmpty(value)) : value);
        case "properties" -> {
          var properties = new LinkedHashMap<String, Object>();
          Trees.mapOrEmpty(value)
              .forEach((name, field) -> properties.put(name, fieldsOnly(Trees.mapOrEmpty(field))));
          kept.put(key, properties);
        }
        default -> {}
      }
    });
    // Most fields are texts: one value for all of them.
    return kept.equals(TEXT) ? TEXT : kept;
  }

  /** Whether an object of the type can have something at this path. */
  public FieldLookup find(List<FieldStep> path) {
    if (path.contains(new FieldStep.Field(""))) {
      return new FieldLookup.Missing("the path has a step without a name; remove one of its dots");
    }
    if (root.isEmpty()) {
      return new FieldLookup.Unchecked("the type has no schema");
    }
    Map<String, Object> here = withFieldsOfEvery(root);
    for (int i = 0; i < path.size(); i++) {
      Optional<Map<String, Object>> next = next(here, path.get(i));
      if (next.isEmpty()) {
        List<FieldStep> before = path.subList(0, i);
        return allowsAny(here) || path.get(i) instanceof FieldStep.Entry && isMap(here)
            ? new FieldLookup.Unchecked("the schema allows any field in " + text(before))
            : new FieldLookup.Missing(text(before) + " " + problem(here, path.get(i)));
      }
      here = next.get();
    }
    return new FieldLookup.Known(typeOf(here), Trees.list(here, "enum"));
  }

  private static Optional<Map<String, Object>> next(Map<String, Object> node, FieldStep step) {
    Object next =
        switch (step) {
          case FieldStep.Field(var name) when isMap(node) ->
              Optional.ofNullable(Trees.at(node, "properties", name))
                  .orElse(node.get("additionalProperties"));
          // How gjson writes an index; -1 is behind the last item, where sjson appends.
          case FieldStep.Field(var name) -> name.matches("-1|\\d+") ? node.get("items") : null;
          case FieldStep.Each(), FieldStep.Entry() -> node.get("items");
        };
    return next instanceof Map<?, ?>
        ? Optional.of(embedded(Trees.mapOrEmpty(next)))
        : Optional.empty();
  }

  private static Map<String, Object> embedded(Map<String, Object> node) {
    return Boolean.TRUE.equals(node.get(EMBEDDED)) ? withFieldsOfEvery(node) : node;
  }

  private static Map<String, Object> withFieldsOfEvery(Map<String, Object> node) {
    var properties = new LinkedHashMap<>(Trees.map(node, "properties"));
    properties.putAll(OF_EVERY_OBJECT);
    var whole = new LinkedHashMap<>(node);
    whole.put("type", "object");
    whole.put("properties", properties);
    return whole;
  }

  private static boolean isMap(Map<String, Object> node) {
    return typeOf(node).equals("object");
  }

  private static boolean allowsAny(Map<String, Object> node) {
    return Boolean.TRUE.equals(node.get(ANY))
        || Boolean.TRUE.equals(node.get("additionalProperties"))
        || typeOf(node).isEmpty();
  }

  private static String typeOf(Map<String, Object> node) {
    return Boolean.TRUE.equals(node.get(EITHER)) ? INT_OR_STRING : Trees.text(node, "type");
  }

  private static String problem(Map<String, Object> node, FieldStep step) {
    String type = typeOf(node);
    String is =
        (type.equals("array")
            ? "is a list"
            : (type.matches("[aio].*") ? "is an " : "is a ") + type);
    return switch (step) {
      case FieldStep.Field(var name) when isMap(node) ->
          "has no field \"" + name + "\"" + instead(name, Trees.map(node, "properties").keySet());
      case FieldStep.Field(var name) when Trees.at(node, "items", "properties", name) != null ->
          is + "; its items have the field \"" + name + "\"";
      case FieldStep.Field(var name) -> is + ", which has no field \"" + name + "\"";
      case FieldStep.Each(), FieldStep.Entry() -> is + ", not a list";
    };
  }

  private static String instead(String name, Set<String> known) {
    return Nearest.to(name, known)
        .map(near -> " (did you mean \"" + near + "\"?)")
        .orElseGet(() -> known.isEmpty() ? " and no others" : " (it has " + listed(known) + ")");
  }

  private static String listed(Set<String> names) {
    String some = names.stream().sorted().limit(NAMES_MAX).collect(Collectors.joining(", "));
    return names.size() > NAMES_MAX ? some + " and " + (names.size() - NAMES_MAX) + " more" : some;
  }

  private static String text(List<FieldStep> path) {
    return path.isEmpty()
        ? "the object"
        : path.stream()
            .map(step ->
                switch (step) {
                  case FieldStep.Field(var name) when PLAIN.matcher(name).matches() -> "." + name;
                  case FieldStep.Field(var name) -> "['" + name + "']";
                  case FieldStep.Each(), FieldStep.Entry() -> "[*]";
                })
            .collect(Collectors.joining());
  }
}
