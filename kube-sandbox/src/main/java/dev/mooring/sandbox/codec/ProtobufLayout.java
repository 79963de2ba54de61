package dev.mooring.sandbox.codec;

import dev.mooring.model.json.MalformedJson;
import dev.mooring.model.object.Trees;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The numbers of fields in protobuf encodings, from {@code kube-protobuf.yaml} for objects and
 * {@code openapi-protobuf.yaml} for OpenAPI documents.
 */
final class ProtobufLayout {
  /** How often a field's type occurs. */
  enum Shape {
    SINGLE,
    LIST,
    MAP
  }

  /**
   * @param type of the field, of a list's items or of a map's values
   */
  record Field(String name, Shape shape, String type) {
    /** Whether the fields of the value are fields of the message around it, as in Go. */
    boolean isInline() {
      return name.equals("-");
    }

    static Field of(String notated) {
      int space = notated.indexOf(' ');
      String name = notated.substring(0, space);
      String type = notated.substring(space + 1);
      if (type.startsWith("[]")) {
        return new Field(name, Shape.LIST, type.substring(2));
      }
      return type.startsWith("{}")
          ? new Field(name, Shape.MAP, type.substring(2))
          : new Field(name, Shape.SINGLE, type);
    }
  }

  /** A union's two fields. */
  static final String SCHEMA = "schema";

  static final String OTHER = "other";

  static final String SCHEMA_OR_BOOL = "schemaOrBool";
  static final String SCHEMA_OR_LIST = "schemaOrList";
  static final String SCHEMA_OR_TEXTS = "schemaOrTexts";

  private static final String OBJECTS = "kube-protobuf.yaml";
  private static final String DOCUMENTS = "openapi-protobuf.yaml";

  private ProtobufLayout() {}

  /** Read at first use: most clients speak JSON. */
  private static final class Loaded {
    private static final Map<String, String> KINDS = new HashMap<>();
    private static final Map<String, Map<Integer, Field>> MESSAGES = new HashMap<>();

    static {
      Map<String, Object> objects = YamlText.resource(ProtobufLayout.class, OBJECTS);
      Trees.map(objects, "kinds").forEach((kind, message) -> KINDS.put(kind, (String) message));
      addMessages(objects);
      addMessages(YamlText.resource(ProtobufLayout.class, DOCUMENTS));
    }

    private static void addMessages(Map<String, Object> notation) {
      Trees.map(notation, "messages")
          .forEach((message, fields) -> MESSAGES.put(message, fields(fields)));
    }

    private static Map<Integer, Field> fields(Object notated) {
      var fields = new TreeMap<Integer, Field>();
      ((Map<?, ?>) notated)
          .forEach((number, field) ->
              fields.put(Integer.valueOf((String) number), Field.of((String) field)));
      return fields;
    }
  }

  /** Throws {@link MalformedJson} for a kind that is not known. */
  static Map<Integer, Field> ofKind(String apiVersion, String kind) {
    return find(apiVersion, kind)
        .orElseThrow(() ->
            new MalformedJson("no protobuf layout is known for " + apiVersion + ", Kind=" + kind));
  }

  /** By number; empty for a kind that is not known. */
  static Optional<Map<Integer, Field>> find(String apiVersion, String kind) {
    return Optional.ofNullable(
            Loaded.KINDS.getOrDefault(apiVersion + " " + kind, Loaded.KINDS.get(kind)))
        .map(ProtobufLayout::ofMessage);
  }

  static Map<Integer, Field> ofMessage(String name) {
    Map<Integer, Field> message = Loaded.MESSAGES.get(name);
    if (message == null) {
      throw new IllegalStateException("no protobuf layout has a message " + name);
    }
    return message;
  }
}
