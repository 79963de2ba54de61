package dev.mooring.model.json;

import dev.mooring.model.object.FieldMask;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamWriteConstraints;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;

/**
 * JSON text to frozen trees and back, straight from Jackson's token stream: no data binding, so no
 * field can be lost and a document is built once. Thread-safe.
 */
public final class KubeJson {
  private static final String ITEMS = "items";
  private static final String NO_LIST = "the document is not a list: it has no items";

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  // One more than is read, so that what is too deep is refused in our own words.
                  .maxNestingDepth(Trees.DEPTH_MAX + 1)
                  // One annotation or Secret value may fill an object; etcd's own limit is far
                  // below.
                  .maxStringLength(32 * 1024 * 1024)
                  .build())
          .streamWriteConstraints(
              StreamWriteConstraints.builder().maxNestingDepth(Trees.DEPTH_MAX).build())
          .build();

  /** Longer texts are rarely the same. */
  private static final int SHARED_LENGTH_MAX = 64;

  /**
   * Texts that were read lately, by hash. Most of an object's short texts are those of others,
   * which caches would hold once for each object. Races between threads lose a text, no more.
   */
  private static final String[] SHARED = new String[4_096];

  private KubeJson() {}

  /** One object; throws {@link MalformedJson} if the text is not exactly one JSON object. */
  public static KubeObject readObject(byte[] json) {
    return KubeObject.owning(Trees.mapOrEmpty(requireMap(read(json))));
  }

  public static KubeObject readObject(String json) {
    return readObject(json.getBytes(StandardCharsets.UTF_8));
  }

  /** Any JSON value as a frozen tree; throws {@link MalformedJson}. */
  public static @Nullable Object read(byte[] json) {
    try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), json)) {
      JsonToken first = parser.nextToken();
      if (first == null) {
        throw new MalformedJson("the document is empty");
      }
      Object value = readValue(parser, first);
      if (parser.nextToken() != null) {
        throw new MalformedJson("there is more text after the document");
      }
      return value;
    } catch (JacksonException e) {
      throw new MalformedJson(e.getOriginalMessage());
    }
  }

  /**
   * Reads a list's document as it comes, so that no more of it is held than one item and what the
   * stream's buffers hold.
   *
   * @param keep what each item is to have; the rest is passed over
   * @param each is given every item in order, also where the document proves malformed later on,
   *     and says whether to read on
   * @return the document without its items; empty if it was not read to its end
   * @throws MalformedJson if the text, to its end, is not exactly one JSON object with items, be
   *     they null, or the stream fails
   */
  public static Optional<KubeObject> readList(
      InputStream json, FieldMask keep, Predicate<KubeObject> each) {
    try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), json)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new MalformedJson("the document is not an object");
      }
      var head = new LinkedHashMap<String, Object>();
      boolean listed = false;
      while (parser.nextToken() != JsonToken.END_OBJECT) {
        String name = parser.currentName();
        JsonToken token = parser.nextToken();
        if (name.equals(ITEMS)) {
          listed = true;
          if (!readItems(parser, token, keep, each)) {
            return Optional.empty();
          }
        } else {
          head.put(name, readValue(parser, token));
        }
      }
      if (parser.nextToken() != null) {
        throw new MalformedJson("there is more text after the document");
      }
      if (!listed) {
        // Another answer than a list does not say that there is nothing.
        throw new MalformedJson(NO_LIST);
      }
      return Optional.of(KubeObject.owning(Trees.mapOrEmpty(Trees.owned(head))));
    } catch (JacksonException e) {
      throw new MalformedJson(e.getOriginalMessage());
    }
  }

  /**
   * The items of a list that was read whole.
   *
   * @throws MalformedJson if it has none, not even null
   */
  public static List<KubeObject> items(KubeObject list) {
    return switch (list.tree().getOrDefault(ITEMS, NO_LIST)) {
      case null -> List.of();
      case List<?> items ->
          items.stream().map(item -> KubeObject.owning(Trees.mapOrEmpty(item))).toList();
      default -> throw new MalformedJson(NO_LIST);
    };
  }

  /**
   * What is at a path of fields, as a frozen tree; null where there is nothing. The text behind it
   * is not read, so not checked.
   *
   * @throws MalformedJson if the text up to there is no JSON
   */
  public static @Nullable Object readAt(byte[] json, String... path) {
    try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), json)) {
      JsonToken here = parser.nextToken();
      for (String step : path) {
        if (here != JsonToken.START_OBJECT || !enter(parser, step)) {
          return null;
        }
        here = parser.nextToken();
      }
      return readValue(parser, here);
    } catch (JacksonException e) {
      throw new MalformedJson(e.getOriginalMessage());
    }
  }

  /** Moves within an object to the name of a field; false if the object has none of that name. */
  private static boolean enter(JsonParser parser, String field) {
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      if (parser.currentName().equals(field)) {
        return true;
      }
      parser.nextToken();
      parser.skipChildren();
    }
    return false;
  }

  public static @Nullable Object read(String json) {
    return read(json.getBytes(StandardCharsets.UTF_8));
  }

  public static byte[] write(KubeObject object) {
    return write(object.tree());
  }

  /**
   * Any tree, frozen or not, in the maps' own order; writes all that {@link #readObject} reads.
   *
   * @throws IllegalArgumentException if it is none, or nested deeper than {@link Trees#DEPTH_MAX}
   */
  public static byte[] write(@Nullable Object tree) {
    var bytes = new ByteArrayOutputStream(512);
    try (JsonGenerator generator = FACTORY.createGenerator(ObjectWriteContext.empty(), bytes)) {
      writeValue(generator, tree);
    } catch (StreamConstraintsException e) {
      // There is no other constraint on what is written.
      throw new IllegalArgumentException(Trees.TOO_DEEP, e);
    }
    return bytes.toByteArray();
  }

  public static String writeText(@Nullable Object tree) {
    return new String(write(tree), StandardCharsets.UTF_8);
  }

  private static Object requireMap(@Nullable Object value) {
    if (value instanceof Map<?, ?>) {
      return value;
    }
    throw new MalformedJson("the document is not an object");
  }

  private static @Nullable Object readValue(JsonParser parser, JsonToken token) {
    return readValue(parser, token, FieldMask.ALL);
  }

  private static @Nullable Object readValue(JsonParser parser, JsonToken token, FieldMask keep) {
    return switch (token) {
      case START_OBJECT -> readMap(parser, keep);
      case START_ARRAY -> readList(parser, keep);
      case VALUE_STRING -> shared(parser.getString());
      case VALUE_TRUE -> Boolean.TRUE;
      case VALUE_FALSE -> Boolean.FALSE;
      case VALUE_NULL -> null;
      case VALUE_NUMBER_INT -> readWhole(parser);
      case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
      case END_OBJECT, END_ARRAY, PROPERTY_NAME, VALUE_EMBEDDED_OBJECT, NOT_AVAILABLE ->
          throw new MalformedJson("unexpected " + token);
    };
  }

  private static String shared(String text) {
    if (text.length() > SHARED_LENGTH_MAX) {
      return text;
    }
    int slot = text.hashCode() & (SHARED.length - 1);
    String known = SHARED[slot];
    if (text.equals(known)) {
      return known;
    }
    SHARED[slot] = text;
    return text;
  }

  private static Object readWhole(JsonParser parser) {
    return switch (parser.getNumberType()) {
      case INT, LONG -> parser.getLongValue();
      case BIG_INTEGER, FLOAT, DOUBLE, BIG_DECIMAL -> parser.getBigIntegerValue();
    };
  }

  /** What the parser has just entered. */
  private static void requireReadable(JsonParser parser) {
    if (parser.streamReadContext().getNestingDepth() > Trees.DEPTH_MAX) {
      throw new MalformedJson(Trees.TOO_DEEP);
    }
  }

  private static boolean readItems(
      JsonParser parser, JsonToken first, FieldMask keep, Predicate<KubeObject> each) {
    if (first == JsonToken.VALUE_NULL) {
      return true;
    }
    if (first != JsonToken.START_ARRAY) {
      throw new MalformedJson(NO_LIST);
    }
    for (JsonToken token = parser.nextToken();
        token != JsonToken.END_ARRAY;
        token = parser.nextToken()) {
      if (!each.test(KubeObject.owning(Trees.mapOrEmpty(readValue(parser, token, keep))))) {
        return false;
      }
    }
    return true;
  }

  private static List<Object> readList(JsonParser parser, FieldMask keep) {
    requireReadable(parser);
    var list = new ArrayList<Object>();
    for (JsonToken token = parser.nextToken();
        token != JsonToken.END_ARRAY;
        token = parser.nextToken()) {
      list.add(readValue(parser, token, keep));
    }
    return Trees.owned(list);
  }

  private static Map<String, Object> readMap(JsonParser parser, FieldMask keep) {
    requireReadable(parser);
    var map = new LinkedHashMap<String, Object>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      JsonToken value = parser.nextToken();
      FieldMask below = keep.below(name);
      if (below == null) {
        parser.skipChildren();
      } else {
        map.put(name, readValue(parser, value, below));
      }
    }
    return Trees.owned(map);
  }

  private static void writeValue(JsonGenerator generator, @Nullable Object value) {
    switch (value) {
      case null -> generator.writeNull();
      case String text -> generator.writeString(text);
      case Boolean flag -> generator.writeBoolean(flag);
      case Long number -> generator.writeNumber(number.longValue());
      case Integer number -> generator.writeNumber(number.intValue());
      case Double number -> writeDouble(generator, number);
      case BigInteger number -> generator.writeNumber(number);
      case BigDecimal number -> generator.writeNumber(number);
      case KubeObject object -> writeValue(generator, object.tree());
      case Map<?, ?> map -> {
        generator.writeStartObject();
        map.forEach((key, item) -> {
          generator.writeName((String) key);
          writeValue(generator, item);
        });
        generator.writeEndObject();
      }
      case List<?> list -> {
        generator.writeStartArray();
        list.forEach(item -> writeValue(generator, item));
        generator.writeEndArray();
      }
      default ->
          throw new IllegalArgumentException("not a JSON value: " + value.getClass().getName());
    }
  }

  /**
   * As Go writes float64: a whole number without a fraction, so that 1.0 goes out as it would from
   * kcp.
   */
  private static void writeDouble(JsonGenerator generator, double number) {
    if (number == Math.rint(number) && Math.abs(number) < 1e15) {
      generator.writeNumber((long) number);
    } else {
      generator.writeNumber(number);
    }
  }
}
