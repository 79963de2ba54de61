package dev.mooring.sandbox.crd.resource;

import dev.mooring.model.object.Trees;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The part of kubectl's JSONPath that printer columns use: {@code .a.b}, {@code ['a.b']}, {@code
 * [0]}, {@code [-1]}, {@code [1:3]}, {@code [*]} and {@code [?(@.type=="Ready")]}. What is missing
 * is not found.
 */
final class JsonPath {
  private static final Pattern STEP =
      Pattern.compile(
          "\\.(?<field>(?:\\\\.|[^.\\[\\\\])+)"
              + "|\\['(?<quoted>[^']*)'\\]"
              + "|\\[\"(?<double>[^\"]*)\"\\]"
              + "|\\[(?<index>-?\\d+)\\]"
              + "|\\[(?<from>-?\\d*):(?<to>-?\\d*)(?::(?<by>\\d*))?\\]"
              + "|(?<all>\\[\\*\\])"
              + "|\\[\\?\\(@(?<filter>[^=!]+?)\\s*(?<operator>==|!=)\\s*(?<value>[^)]*)\\)\\]");

  private final List<Step> steps;

  private JsonPath(List<Step> steps) {
    this.steps = steps;
  }

  /** Throws {@link IllegalArgumentException} for what printer columns cannot contain. */
  static JsonPath parse(String source) {
    String path = source.startsWith(".") || source.startsWith("[") ? source : "." + source;
    var steps = new ArrayList<Step>();
    Matcher matcher = STEP.matcher(path);
    int end = 0;
    while (end < path.length()) {
      if (!matcher.find(end) || matcher.start() != end) {
        throw new IllegalArgumentException("not a JSON path: " + source);
      }
      steps.add(step(matcher));
      end = matcher.end();
    }
    return new JsonPath(List.copyOf(steps));
  }

  /** Whether columns can show what is there. */
  static boolean parsable(String source) {
    try {
      parse(source);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static Step step(Matcher matcher) {
    if (matcher.group("field") != null) {
      String name = matcher.group("field").replaceAll("\\\\(.)", "$1");
      return name.equals("*") ? new All() : new Field(name);
    }
    if (matcher.group("quoted") != null) {
      // As in kubectl, a dot in quotes ends a field as well unless it is escaped.
      return new Path(parse("." + matcher.group("quoted")));
    }
    if (matcher.group("double") != null) {
      return new Field(matcher.group("double"));
    }
    if (matcher.group("index") != null) {
      return new Index(Integer.parseInt(matcher.group("index")));
    }
    if (matcher.group("all") != null) {
      return new All();
    }
    if (matcher.group("from") != null) {
      String by = matcher.group("by");
      return new Slice(matcher.group("from"), matcher.group("to"), number(by == null ? "" : by, 1));
    }
    return new Filter(
        parse(matcher.group("filter").strip()),
        literal(matcher.group("value").strip()),
        matcher.group("operator").equals("==") ? Comparison.EQUAL : Comparison.DIFFERENT);
  }

  private static String literal(String text) {
    boolean quoted =
        text.length() >= 2
            && (text.startsWith("'") && text.endsWith("'")
                || text.startsWith("\"") && text.endsWith("\""));
    return quoted ? text.substring(1, text.length() - 1) : text;
  }

  /** All values at the path, in order; empty if there are none. */
  List<Object> find(Object tree) {
    Stream<Object> found = Stream.of(tree);
    for (Step step : steps) {
      found = found.flatMap(step::from);
    }
    return found.toList();
  }

  private sealed interface Step {
    Stream<Object> from(Object value);
  }

  private record Field(String name) implements Step {
    @Override
    public Stream<Object> from(Object value) {
      return Stream.ofNullable(Trees.at(value, name));
    }
  }

  private record Path(JsonPath path) implements Step {
    @Override
    public Stream<Object> from(Object value) {
      return path.find(value).stream();
    }
  }

  private record Index(int position) implements Step {
    @Override
    public Stream<Object> from(Object value) {
      List<Object> list = Trees.listOrEmpty(value);
      int index = position < 0 ? list.size() + position : position;
      return index >= 0 && index < list.size() ? Stream.ofNullable(list.get(index)) : Stream.of();
    }
  }

  private static int number(String text, int otherwise) {
    return text.isEmpty() || text.equals("-") ? otherwise : Integer.parseInt(text);
  }

  /**
   * @param from empty for the beginning
   * @param to empty for the end
   */
  private record Slice(String from, String to, int by) implements Step {
    @Override
    public Stream<Object> from(Object value) {
      List<Object> list = Trees.listOrEmpty(value);
      int first = within(number(from, 0), list.size());
      int end = within(number(to, list.size()), list.size());
      return first >= end
          ? Stream.of()
          : IntStream.iterate(first, index -> index < end, index -> index + Math.max(by, 1))
              .mapToObj(list::get);
    }

    private static int within(int index, int size) {
      return Math.clamp(index < 0 ? size + index : index, 0, size);
    }
  }

  private record All() implements Step {
    @Override
    public Stream<Object> from(Object value) {
      return value instanceof Map<?, ?> map
          ? map.values().stream().map(Object.class::cast)
          : Trees.listOrEmpty(value).stream();
    }
  }

  private enum Comparison {
    EQUAL,
    DIFFERENT
  }

  private record Filter(JsonPath path, String expected, Comparison comparison) implements Step {
    @Override
    public Stream<Object> from(Object value) {
      return Trees.listOrEmpty(value).stream().filter(this::matches);
    }

    private boolean matches(Object item) {
      boolean equal = path.find(item).stream().anyMatch(found -> expected.equals("" + found));
      return equal == (comparison == Comparison.EQUAL);
    }
  }
}
