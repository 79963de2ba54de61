package dev.mooring.languages.gjson;

import dev.mooring.languages.ExpressionFailure;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * JSON text to unmodifiable maps, in the order of the text, and lists. Whole numbers are {@code
 * Long} where they fit and {@code BigInteger} beyond; fractions are {@code Double}.
 */
public final class JsonReader {
  private static final JsonFactory FACTORY = new JsonFactory();

  private JsonReader() {}

  /** Throws {@link ExpressionFailure} if the text is not exactly one JSON value. */
  public static Object read(String text) {
    try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), text)) {
      Object value = value(parser, parser.nextToken());
      if (parser.nextToken() != null) {
        throw new ExpressionFailure("there is more text after the JSON value");
      }
      return value;
    } catch (JacksonException e) {
      // The message of the cause quotes the text, which may be a Secret's.
      throw new ExpressionFailure("the text is not JSON");
    }
  }

  private static Object value(JsonParser parser, JsonToken token) {
    return switch (token) {
      case null -> throw new ExpressionFailure("the text is empty, which is not JSON");
      case START_OBJECT -> fields(parser);
      case START_ARRAY -> items(parser);
      case VALUE_STRING -> parser.getString();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NULL -> null;
      case VALUE_NUMBER_INT ->
          parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER
              ? parser.getBigIntegerValue()
              : (Object) parser.getLongValue();
      case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
      case END_OBJECT, END_ARRAY, PROPERTY_NAME, VALUE_EMBEDDED_OBJECT, NOT_AVAILABLE ->
          throw new ExpressionFailure("the text is not JSON: unexpected " + token);
    };
  }

  private static Map<String, Object> fields(JsonParser parser) {
    var fields = new LinkedHashMap<String, Object>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      fields.put(parser.currentName(), value(parser, parser.nextToken()));
    }
    return Collections.unmodifiableMap(fields);
  }

  private static List<Object> items(JsonParser parser) {
    var items = new ArrayList<Object>();
    for (JsonToken token = parser.nextToken();
        token != JsonToken.END_ARRAY;
        token = parser.nextToken()) {
      items.add(value(parser, token));
    }
    return Collections.unmodifiableList(items);
  }
}
