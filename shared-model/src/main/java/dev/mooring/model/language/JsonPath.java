package dev.mooring.model.language;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.language.PathStep.Separator;
import dev.mooring.model.language.PathStep.Wanted;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A path into a document, in the syntax of <a
 * href="https://github.com/tidwall/gjson/blob/v1.18.0/SYNTAX.md">gjson</a>: field names and list
 * indexes separated by dots, backslash escapes, the wildcards {@code *} and {@code ?}, {@code #}
 * for a list's length, {@code #.field} for a field of every item, queries {@code #(field=="x")} and
 * {@code #(field=="x")#}, and {@code |}. Modifiers and multipaths are refused. Where several fields
 * fit a wildcard, the first by name is taken, so that the order of fields never matters.
 */
public final class JsonPath {
  private final String text;
  private final List<PathStep> steps;

  /** What is at a path. */
  public sealed interface Result {
    /** Nothing is there. */
    record Missing() implements Result {}

    /**
     * Something is there.
     *
     * @param value may be null, which is not the same as {@link Missing}
     */
    record Found(Object value) implements Result {}
  }

  /** A found value and where it, or each item of it, is; nowhere if it was computed. */
  record Place(Object value, List<List<Object>> locations) {}

  private JsonPath(String text, List<PathStep> steps) {
    this.text = text;
    this.steps = List.copyOf(steps);
  }

  /** Throws {@link InvalidExpression}. */
  public static JsonPath compile(String text) {
    return new JsonPath(text, PathParser.parse(text));
  }

  public Result read(Object tree) {
    Place place = find(tree);
    return place == null ? new Result.Missing() : new Result.Found(place.value());
  }

  /**
   * A value as gjson makes text of it: nothing and null are empty, numbers are decimal without an
   * exponent, lists and maps are JSON with sorted fields.
   */
  public static String text(Result result) {
    return switch (result) {
      case Result.Missing() -> "";
      case Result.Found(var value) -> text(value);
    };
  }

  /** As {@link #text(Result)}. */
  public static String text(Object value) {
    return switch (value) {
      case null -> "";
      case String text -> text;
      case Number number -> GoNumbers.plain(number);
      case Boolean flag -> flag.toString();
      default -> KubeJson.writeText(sorted(value));
    };
  }

  /** The path's own text. */
  @Override
  public String toString() {
    return text;
  }

  /** Null if nothing is there. */
  Place find(Object tree) {
    return find(tree, steps, List.of());
  }

  static Object sorted(Object value) {
    return switch (value) {
      case Map<?, ?> map -> {
        var fields = new TreeMap<String, Object>();
        map.forEach((key, item) -> fields.put((String) key, sorted(item)));
        yield fields;
      }
      case List<?> list -> list.stream().map(JsonPath::sorted).toList();
      case null, default -> value;
    };
  }

  private static Place find(Object here, List<PathStep> steps, List<Object> location) {
    if (steps.isEmpty()) {
      return new Place(here, List.of(location));
    }
    List<PathStep> rest = steps.subList(1, steps.size());
    return switch (here) {
      case Map<?, ?> map -> inMap(map, steps.getFirst(), rest, location);
      case List<?> list -> inList(list, steps.getFirst(), rest, location);
      case null, default -> null;
    };
  }

  private static Place inMap(
      Map<?, ?> map, PathStep step, List<PathStep> rest, List<Object> location) {
    return switch (step) {
      case PathStep.Key(_, var name) -> field(map, name, rest, location);
      case PathStep.Every _ -> field(map, "#", rest, location);
      case PathStep.Wildcard(_, var pattern) -> {
        Place found = null;
        for (Object key : new TreeMap<>(map).keySet()) {
          if (found == null && WildcardMatch.matches((String) key, pattern)) {
            found = field(map, (String) key, rest, location);
          }
        }
        yield found;
      }
      case PathStep.Query _ -> null;
    };
  }

  private static Place field(
      Map<?, ?> map, String name, List<PathStep> rest, List<Object> location) {
    return map.containsKey(name) ? find(map.get(name), rest, append(location, name)) : null;
  }

  private static Place inList(
      List<?> list, PathStep step, List<PathStep> rest, List<Object> location) {
    return switch (step) {
      case PathStep.Key(_, var name) -> {
        int index = index(name);
        yield index >= 0 && index < list.size()
            ? find(list.get(index), rest, append(location, index))
            : null;
      }
      case PathStep.Wildcard _ -> null;
      case PathStep.Every _ -> {
        if (rest.isEmpty() || rest.getFirst().before() == Separator.PIPE) {
          yield computed((long) list.size(), rest);
        }
        yield collect(list, allIndexes(list), rest, location);
      }
      case PathStep.Query query -> {
        var fitting = new ArrayList<Integer>();
        for (int i = 0; i < list.size(); i++) {
          if (PathQuery.fits(query, list.get(i))) {
            fitting.add(i);
            if (query.wanted() == Wanted.FIRST) {
              yield find(list.get(i), rest, append(location, i));
            }
          }
        }
        yield query.wanted() == Wanted.FIRST ? null : collect(list, fitting, rest, location);
      }
    };
  }

  /** What the steps up to a pipe find in each of the items, and in that what follows the pipe. */
  private static Place collect(
      List<?> list, List<Integer> indexes, List<PathStep> rest, List<Object> location) {
    int pipe = 0;
    while (pipe < rest.size() && rest.get(pipe).before() == Separator.DOT) {
      pipe++;
    }
    var values = new ArrayList<Object>();
    var locations = new ArrayList<List<Object>>();
    for (int index : indexes) {
      Place found = find(list.get(index), rest.subList(0, pipe), append(location, index));
      if (found != null) {
        values.add(found.value());
        locations.addAll(found.locations());
      }
    }
    return pipe == rest.size()
        ? new Place(values, locations)
        : computed(values, rest.subList(pipe, rest.size()));
  }

  /** What was computed has no place in the document that could be written to. */
  private static Place computed(Object value, List<PathStep> rest) {
    Place found = find(value, rest, List.of());
    return found == null ? null : new Place(found.value(), List.of());
  }

  static Place find(Object here, List<PathStep> steps) {
    return find(here, steps, List.of());
  }

  private static List<Integer> allIndexes(List<?> list) {
    return java.util.stream.IntStream.range(0, list.size()).boxed().toList();
  }

  /** Negative if it is no index. */
  static int index(String name) {
    if (name.isEmpty() || name.length() > 9) {
      return -1;
    }
    for (int i = 0; i < name.length(); i++) {
      if (name.charAt(i) < '0' || name.charAt(i) > '9') {
        return -1;
      }
    }
    return Integer.parseInt(name);
  }

  private static List<Object> append(List<Object> location, Object step) {
    var longer = new ArrayList<>(location);
    longer.add(step);
    return longer;
  }
}
