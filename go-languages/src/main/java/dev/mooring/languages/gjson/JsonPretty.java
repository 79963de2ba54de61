package dev.mooring.languages.gjson;

import dev.mooring.languages.ExpressionFailure;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * JSON text over several lines, as gjson's {@code @pretty} lays it out: a list without maps that
 * fits the width stays on one line. Widths count UTF-8 bytes, so that the text is built of them.
 */
final class JsonPretty {
  private final Layout layout;
  private final StringBuilder out = new StringBuilder();

  /** Where the current line begins. */
  private int line;

  /**
   * How lines are laid out.
   *
   * @param width of a line, in bytes; 0 and less for a line per item
   */
  record Layout(int width, String prefix, String indent, Order order) {
    static final Layout DEFAULT = new Layout(80, "", "  ", Order.GIVEN);
  }

  /** Of the fields of a map. */
  enum Order {
    GIVEN,
    BY_NAME
  }

  private JsonPretty(Layout layout) {
    this.layout = layout;
  }

  /** Ends with a line break; throws {@link ExpressionFailure} if it gets too long. */
  static String write(Object tree, Layout layout) {
    var pretty = new JsonPretty(layout);
    pretty.out.append(bytes(layout.prefix()));
    pretty.write(tree, 0);
    pretty.out.append('\n');
    return new String(
        pretty.out.toString().getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
  }

  /** One character per byte. */
  private static String bytes(String text) {
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
  }

  private void write(Object value, int depth) {
    GoJson.requireLength(out.length());
    switch (value) {
      case Map<?, ?> map -> writeMap(map, depth);
      case List<?> list -> writeList(list, depth);
      case null, default -> out.append(bytes(GoJson.write(value)));
    }
  }

  private void writeMap(Map<?, ?> map, int depth) {
    out.append('{');
    Map<?, ?> ordered = layout.order() == Order.BY_NAME ? new TreeMap<>(map) : map;
    String separator = "";
    for (Map.Entry<?, ?> field : ordered.entrySet()) {
      out.append(separator);
      line = out.length();
      startLine(depth + 1);
      out.append(bytes(GoJson.quote((String) field.getKey()))).append(": ");
      write(field.getValue(), depth + 1);
      separator = ",";
    }
    end(map.isEmpty(), depth);
    out.append('}');
  }

  private void writeList(List<?> list, int depth) {
    int room = layout.width() - (out.length() - line);
    if (layout.width() > 0 && room > 3) {
      Optional<String> single = single(list);
      if (single.isPresent() && single.get().length() <= room) {
        out.append(single.get());
        return;
      }
    }
    out.append('[');
    boolean first = true;
    for (Object item : list) {
      out.append(first ? "" : ",");
      // gjson counts a list's line from behind its break, a map's from before it.
      line = out.length() + (first || layout.width() == -1 ? 0 : 1);
      startLine(depth + 1);
      write(item, depth + 1);
      first = false;
    }
    end(list.isEmpty(), depth);
    out.append(']');
  }

  private void end(boolean empty, int depth) {
    if (!empty) {
      line = out.length();
      startLine(depth);
    }
  }

  private void startLine(int depth) {
    out.append('\n').append(bytes(layout.prefix()));
    out.append(layout.indent().repeat(depth));
    GoJson.requireLength(out.length());
  }

  /** On one line; empty if there is a map. */
  private static Optional<String> single(List<?> list) {
    var line = new StringBuilder("[");
    String separator = "";
    for (Object item : list) {
      line.append(separator);
      switch (item) {
        case Map<?, ?> _ -> {
          return Optional.empty();
        }
        case List<?> inner -> {
          Optional<String> text = single(inner);
          if (text.isEmpty()) {
            return Optional.empty();
          }
          line.append(text.get());
        }
        case null, default -> line.append(bytes(GoJson.write(item)));
      }
      separator = ", ";
    }
    return Optional.of(line.append(']').toString());
  }
}
