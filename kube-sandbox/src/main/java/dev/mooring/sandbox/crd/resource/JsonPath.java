package dev.mooring.sandbox.crd.resource;

import dev.mooring.model.object.Trees;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
      return name.equals("*") ? JsonPath::all : value -> Stream.ofNullable(Trees.at(value, name));
    }
    if (matcher.group("quoted") != null) {
      // As in kubectl, a dot in quotes ends a field as well unless it is escaped.
      JsonPath path = parse("." + matcher.group("quoted"));
      return value -> path.find(value).stream();
    }
    if (matcher.group("double") != null) {
      String name = matcher.group("double");
      return value -> Stream.ofNullable(Trees.at(value, name));
    }
    if (matcher.group("index") != null) {
      int position = Integer.parseInt(matcher.group("index"));
      return value -> at(Trees.listOrEmpty(value), position);
    }
    if (matcher.group("all") != null) {
      return JsonPath::all;
    }
    if (matcher.group("from") != null) {
      String from = matcher.group("from");
      String to = matcher.group("to");
      int by = number(Objects.requireNonNullElse(matcher.group("by"), ""), 1);
      return value -> slice(Trees.listOrEmpty(value), from, to, by);
    }
    JsonPath path = parse(matcher.group("filter").strip());
    String expected = literal(matcher.group("value").strip());
    boolean equal = matcher.group("operator").equals("==");
    return value ->
        Trees.listOrEmpty(value).stream()
            .filter(item ->
                equal == path.find(item).stream().anyMatch(found -> expected.equals("" + found)));
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

  /** What is found in a value. */
  @FunctionalInterface
  private interface Step {
    Stream<Object> from(Object value);
  }

  private static Stream<Object> all(Object value) {
    return value instanceof Map<?, ?>
        ? Trees.mapOrEmpty(value).values().stream()
        : Trees.listOrEmpty(value).stream();
  }

  /**
   * @param position from the end if it is negative
   */
  private static Stream<Object> at(List<Object> list, int position) {
    int index = position < 0 ? list.size() + position : position;
    return index >= 0 && index < list.size() ? Stream.ofNullable(list.get(index)) : Stream.of();
  }

  /**
   * @param from empty for the beginning
   * @param to empty for the end
   */
  private static Stream<Object> slice(List<Object> list, String from, String to, int by) {
    int first = within(number(from, 0), list.size());
    int end = within(number(to, list.size()), list.size());
    return first >= end
        ? Stream.of()
        : IntStream.iterate(first, index -> index < end, index -> index + Math.max(by, 1))
            .mapToObj(list::get);
  }

  private static int number(String text, int otherwise) {
    return text.isEmpty() || text.equals("-") ? otherwise : Integer.parseInt(text);
  }

  private static int within(int index, int size) {
    return Math.clamp(index < 0 ? size + index : index, 0, size);
  }
}
