package dev.mooring.sandbox.codec;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.json.MalformedJson;
import dev.mooring.model.object.Trees;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads and writes {@code application/vnd.kubernetes.protobuf}, which kubectl and typed Go clients
 * use for built-in resources, from and to the trees that their JSON would have given. Go writes
 * empty strings, zero numbers and zero times that JSON leaves out; they are left out here.
 * Stateless.
 */
public final class KubeProtobuf {
  public static final String MEDIA_TYPE = "application/vnd.kubernetes.protobuf";

  private static final byte[] MAGIC = {'k', '8', 's', 0};
  private static final int TYPE_META = 1;
  private static final int RAW = 2;
  private static final DateTimeFormatter MICRO_TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

  private KubeProtobuf() {}

  /**
   * The object with its kind and version as they were sent; throws {@link MalformedJson} for
   * anything else, a kind without a known layout among it.
   */
  public static Map<String, Object> read(byte[] body) {
    if (body.length < MAGIC.length
        || !Arrays.equals(MAGIC, 0, MAGIC.length, body, 0, MAGIC.length)) {
      throw new MalformedJson(
          "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]");
    }
    try {
      CodedInputStream envelope =
          CodedInputStream.newInstance(body, MAGIC.length, body.length - MAGIC.length);
      Map<String, Object> type = Map.of();
      byte[] raw = {};
      for (int tag = envelope.readTag(); tag != 0; tag = envelope.readTag()) {
        switch (WireFormat.getTagFieldNumber(tag)) {
          case TYPE_META ->
              type =
                  message(ProtobufLayout.ofMessage("runtime.TypeMeta"), envelope.readByteArray());
          case RAW -> raw = envelope.readByteArray();
          default -> envelope.skipField(tag);
        }
      }
      String apiVersion = Trees.text(type, "apiVersion");
      String kind = Trees.text(type, "kind");
      var tree = Trees.ordered("kind", kind, "apiVersion", apiVersion);
      tree.putAll(message(ProtobufLayout.ofKind(apiVersion, kind), raw));
      return Trees.freezeMap(tree);
    } catch (IOException e) {
      throw new MalformedJson("the protobuf message is damaged: " + e.getMessage());
    }
  }

  /** Whether objects of the kind, and lists of them, have a protobuf form. */
  public static boolean knows(String apiVersion, String kind) {
    return ProtobufLayout.find(apiVersion, kind).isPresent();
  }

  /** An object with its kind and version, in its envelope; of a kind that {@link #knows} knows. */
  public static byte[] write(Map<String, Object> object) {
    String apiVersion = Trees.text(object, "apiVersion");
    String kind = Trees.text(object, "kind");
    return enveloped(
        apiVersion, kind, ProtobufWriter.message(ProtobufLayout.ofKind(apiVersion, kind), object));
  }

  /**
   * A list of objects that have a protobuf form.
   *
   * @param itemApiVersion with {@code itemKind} of the items
   * @param metadata of the list
   */
  public static byte[] writeList(
      String apiVersion,
      String listKind,
      Map<String, Object> metadata,
      String itemApiVersion,
      String itemKind,
      List<Map<String, Object>> items) {
    Map<Integer, ProtobufLayout.Field> layout = ProtobufLayout.ofKind(itemApiVersion, itemKind);
    return enveloped(
        apiVersion,
        listKind,
        ProtobufWriter.bytes(out -> {
          out.writeBytes(
              1, ProtobufWriter.message(ProtobufLayout.ofMessage("meta.ListMeta"), metadata));
          for (Map<String, Object> item : items) {
            out.writeBytes(2, ProtobufWriter.message(layout, item));
          }
        }));
  }

  /** An event of a watch. */
  public static byte[] watchEvent(String type, Map<String, Object> object) {
    byte[] written = write(object);
    return ProtobufWriter.bytes(
            out -> {
              out.writeString(1, type);
              out.writeBytes(2, ProtobufWriter.bytes(raw -> raw.writeByteArray(1, written)));
            })
        .toByteArray();
  }

  private static byte[] enveloped(String apiVersion, String kind, ByteString object) {
    Map<String, Object> type = Map.of("apiVersion", apiVersion, "kind", kind);
    ByteString envelope =
        ProtobufWriter.bytes(out -> {
          out.writeBytes(
              TYPE_META,
              ProtobufWriter.message(ProtobufLayout.ofMessage("runtime.TypeMeta"), type));
          out.writeBytes(RAW, object);
        });
    return ByteString.copyFrom(MAGIC).concat(envelope).toByteArray();
  }

  private static Map<String, Object> message(Map<Integer, ProtobufLayout.Field> layout, byte[] raw)
      throws IOException {
    var tree = new LinkedHashMap<String, Object>();
    CodedInputStream in = CodedInputStream.newInstance(raw);
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      ProtobufLayout.Field field = layout.get(WireFormat.getTagFieldNumber(tag));
      if (field == null) {
        in.skipField(tag);
        continue;
      }
      switch (field.shape()) {
        case SINGLE -> {
          Optional<Object> value = value(field.type(), in).filter(found -> !isZero(found));
          value.ifPresent(found -> {
            if (field.isInline()) {
              tree.putAll(Trees.mapOrEmpty(found));
            } else {
              tree.put(field.name(), found);
            }
          });
        }
        case LIST -> {
          Optional<Object> item = value(field.type(), in);
          item.ifPresent(found -> list(tree, field.name()).add(found));
        }
        case MAP -> putEntry(tree, field, in.readByteArray());
      }
    }
    return tree;
  }

  private static void putEntry(Map<String, Object> tree, ProtobufLayout.Field field, byte[] entry)
      throws IOException {
    CodedInputStream in = CodedInputStream.newInstance(entry);
    String key = "";
    Object value = "";
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (WireFormat.getTagFieldNumber(tag) == 1) {
        key = in.readString();
      } else {
        value = value(field.type(), in).orElse("");
      }
    }
    map(tree, field.name()).put(key, value);
  }

  /** Empty for a time that was not set. */
  private static Optional<Object> value(String type, CodedInputStream in) throws IOException {
    return switch (type) {
      case "string" -> Optional.of(in.readString());
      case "bool" -> Optional.of(in.readBool());
      case "int" -> Optional.of(in.readInt64());
      case "bytes" -> Optional.of(Base64.getEncoder().encodeToString(in.readByteArray()));
      case "time" -> time(single("meta.Time", in)).map(Instant::toString);
      case "microtime" -> time(single("meta.Time", in)).map(MICRO_TIME::format);
      case "double" -> Optional.of(number(in.readDouble()));
      case "quantity" -> Optional.of(Trees.text(single("meta.Quantity", in), "text"));
      case ProtobufLayout.SCHEMA_OR_BOOL,
          ProtobufLayout.SCHEMA_OR_LIST,
          ProtobufLayout.SCHEMA_OR_TEXTS ->
          Optional.of(eitherOr(single(type, in)));
      case "strings" -> Optional.of(Trees.list(single("meta.Strings", in), "items"));
      case "json" -> Optional.ofNullable(KubeJson.read(bytes(in.readByteArray())));
      default -> Optional.of(single(type, in));
    };
  }

  private static Map<String, Object> single(String type, CodedInputStream in) throws IOException {
    return message(ProtobufLayout.ofMessage(type), in.readByteArray());
  }

  private static Object number(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1L << 53 ? (Object) (long) value : value;
  }

  /** A union of Go: the alternative that is a schema, or the one that is none. */
  private static Object eitherOr(Map<String, Object> union) {
    return union.containsKey(ProtobufLayout.SCHEMA)
        ? Trees.map(union, ProtobufLayout.SCHEMA)
        : union.getOrDefault(ProtobufLayout.OTHER, false);
  }

  private static boolean isZero(Object value) {
    return value.equals("") || value.equals(0L);
  }

  private static Optional<Instant> time(Map<String, Object> message) {
    return message.isEmpty()
        ? Optional.empty()
        : Optional.of(
            Instant.ofEpochSecond(
                (Long) message.getOrDefault("seconds", 0L),
                (Long) message.getOrDefault("nanos", 0L)));
  }

  private static byte[] bytes(byte[] message) throws IOException {
    CodedInputStream in = CodedInputStream.newInstance(message);
    byte[] bytes = {'{', '}'};
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      bytes = in.readByteArray();
    }
    return bytes;
  }

  @SuppressWarnings("unchecked") // this class alone puts values into the tree it builds
  private static List<Object> list(Map<String, Object> tree, String name) {
    return (List<Object>) tree.computeIfAbsent(name, key -> new ArrayList<>());
  }

  @SuppressWarnings("unchecked") // this class alone puts values into the tree it builds
  private static Map<String, Object> map(Map<String, Object> tree, String name) {
    return (Map<String, Object>) tree.computeIfAbsent(name, key -> new LinkedHashMap<>());
  }
}
