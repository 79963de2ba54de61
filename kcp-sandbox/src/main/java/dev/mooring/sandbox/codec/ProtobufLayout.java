package dev.mooring.sandbox.codec;

import dev.mooring.model.json.MalformedJson;
import dev.mooring.model.object.Trees;
import java.util.HashMap;
import java.util.Map;

/** The numbers of fields in the protobuf encoding, from {@code kube-protobuf.yaml}. */
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

  private static final String NOTATION = "kube-protobuf.yaml";

  private ProtobufLayout() {}

  /** Read at first use: most clients speak JSON. */
  private static final class Loaded {
    private static final Map<String, String> KINDS = new HashMap<>();
    private static final Map<String, Map<Integer, Field>> MESSAGES = new HashMap<>();

    static {
      Map<String, Object> document = YamlText.resource(ProtobufLayout.class, NOTATION);
      Trees.mapOrEmpty(document.get("kinds"))
          .forEach((kind, message) -> KINDS.put(kind, (String) message));
      Trees.mapOrEmpty(document.get("messages"))
          .forEach((message, fields) -> MESSAGES.put(message, fields(fields)));
    }

    private static Map<Integer, Field> fields(Object notated) {
      var fields = new HashMap<Integer, Field>();
      ((Map<?, ?>) notated)
          .forEach((number, field) -> fields.put((Integer) number, Field.of((String) field)));
      return fields;
    }
  }

  /** Throws {@link MalformedJson} for a kind that is not known. */
  static Map<Integer, Field> ofKind(String apiVersion, String kind) {
    String message = Loaded.KINDS.getOrDefault(apiVersion + " " + kind, Loaded.KINDS.get(kind));
    if (message == null) {
      throw new MalformedJson("no protobuf layout is known for " + apiVersion + ", Kind=" + kind);
    }
    return ofMessage(message);
  }

  static Map<Integer, Field> ofMessage(String name) {
    Map<Integer, Field> message = Loaded.MESSAGES.get(name);
    if (message == null) {
      throw new IllegalStateException(NOTATION + " has no message " + name);
    }
    return message;
  }
}
