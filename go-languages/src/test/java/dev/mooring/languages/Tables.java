package dev.mooring.languages;

import dev.mooring.languages.gjson.JsonReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** The golden data: JSON files that lie where the tests are. */
public final class Tables {
  private Tables() {}

  /** The file's JSON value. */
  public static Object read(Class<?> test, String name) {
    try (InputStream in = test.getResourceAsStream(name)) {
      return JsonReader.read(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** What a row has in a field; null if there is no such field. */
  public static Object at(Object row, String field) {
    return ((Map<?, ?>) row).get(field);
  }

  /** As {@link #at}; empty if there is no such field. */
  public static String text(Object row, String field) {
    return at(row, field) instanceof String text ? text : "";
  }

  /** As {@link #at}; empty if there is no such field. */
  public static List<?> list(Object row, String field) {
    return at(row, field) instanceof List<?> list ? list : List.of();
  }

  /** As {@link #at}; empty if there is no such field. */
  @SuppressWarnings("unchecked") // the keys of JSON are strings
  public static Map<String, Object> map(Object row, String field) {
    return at(row, field) instanceof Map<?, ?> map ? (Map<String, Object>) map : Map.of();
  }
}
