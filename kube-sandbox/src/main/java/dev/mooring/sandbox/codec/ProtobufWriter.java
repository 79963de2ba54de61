package dev.mooring.sandbox.codec;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.codec.ProtobufLayout.Field;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;

/**
 * Writes trees as protobuf messages, by the numbers that {@link ProtobufLayout} knows. A field
 * without a number is left out. Stateless.
 */
final class ProtobufWriter {
  private ProtobufWriter() {}

  /** One step of writing a message. */
  @FunctionalInterface
  interface Writing {
    void to(CodedOutputStream out) throws IOException;
  }

  static ByteString bytes(Writing writing) {
    var bytes = ByteString.newOutput();
    try {
      CodedOutputStream out = CodedOutputStream.newInstance(bytes);
      writing.to(out);
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write to memory", e);
    }
    return bytes.toByteString();
  }

  static ByteString message(Map<Integer, Field> layout, Map<String, Object> tree) {
    return bytes(out -> {
      for (Map.Entry<Integer, Field> entry : layout.entrySet()) {
        int number = entry.getKey();
        Field field = entry.getValue();
        Object value = field.isInline() ? tree : tree.get(field.name());
        if (value == null) {
          continue;
        }
        switch (field.shape()) {
          case SINGLE -> write(out, number, field.type(), value);
          case LIST -> {
            for (Object item : Trees.listOrEmpty(value)) {
              write(out, number, field.type(), item);
            }
          }
          case MAP -> {
            for (Map.Entry<String, Object> item : Trees.mapOrEmpty(value).entrySet()) {
              out.writeBytes(
                  number,
                  bytes(inner -> {
                    inner.writeString(1, item.getKey());
                    write(inner, 2, field.type(), item.getValue());
                  }));
            }
          }
        }
      }
    });
  }

  private static void write(CodedOutputStream out, int number, String type, Object value)
      throws IOException {
    switch (type) {
      case "string" -> out.writeString(number, Trees.textOrEmpty(value));
      case "bool" -> out.writeBool(number, Boolean.TRUE.equals(value));
      case "int" -> out.writeInt64(number, value instanceof Number given ? given.longValue() : 0);
      case "double" ->
          out.writeDouble(number, value instanceof Number given ? given.doubleValue() : 0);
      case "bytes" ->
          out.writeByteArray(number, Base64.getDecoder().decode(Trees.textOrEmpty(value)));
      case "time", "microtime" ->
          out.writeBytes(number, time(Instant.parse(Trees.textOrEmpty(value))));
      case "quantity" ->
          out.writeBytes(
              number,
              message(
                  ProtobufLayout.ofMessage("meta.Quantity"),
                  Map.of("text", String.valueOf(value))));
      case "strings" ->
          out.writeBytes(
              number, message(ProtobufLayout.ofMessage("meta.Strings"), Map.of("items", value)));
      case "json" ->
          out.writeBytes(
              number,
              bytes(inner -> inner.writeByteArray(1, KubeJson.writeText(value).getBytes(UTF_8))));
      case ProtobufLayout.SCHEMA_OR_BOOL,
          ProtobufLayout.SCHEMA_OR_LIST,
          ProtobufLayout.SCHEMA_OR_TEXTS ->
          out.writeBytes(number, message(ProtobufLayout.ofMessage(type), union(type, value)));
      default ->
          out.writeBytes(number, message(ProtobufLayout.ofMessage(type), Trees.mapOrEmpty(value)));
    }
  }

  private static Map<String, Object> union(String type, Object value) {
    if (!(value instanceof Map<?, ?>)) {
      return Map.of(ProtobufLayout.OTHER, value);
    }
    return type.equals(ProtobufLayout.SCHEMA_OR_BOOL)
        ? Map.of(ProtobufLayout.SCHEMA, value, ProtobufLayout.OTHER, true)
        : Map.of(ProtobufLayout.SCHEMA, value);
  }

  private static ByteString time(Instant time) {
    return message(
        ProtobufLayout.ofMessage("meta.Time"),
        Map.of("seconds", time.getEpochSecond(), "nanos", time.getNano()));
  }
}
