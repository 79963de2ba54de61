package dev.mooring.languages.gjson;

import dev.mooring.languages.ExpressionFailure;
import dev.mooring.languages.FieldStep;
import dev.mooring.languages.GoNumbers;
import dev.mooring.languages.InvalidExpression;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * A path into a document, in the syntax of <a
 * href="https://github.com/tidwall/gjson/blob/v1.18.0/SYNTAX.md">gjson</a>: field names and list
 * indexes separated by dots, backslash escapes, the wildcards {@code *} and {@code ?}, {@code #}
 * for a list's length, {@code #.field} for a field of every item, queries {@code #(field=="x")} and
 * {@code #(field=="x")#}, {@code |}, modifiers such as {@code @reverse}, the multipaths {@code
 * [a,b]} and {@code {a,b}}, and literals such as {@code !"x"}. Fields count as sorted by name, as
 * Go writes them, so that their order in a document never matters.
 */
public final class JsonPath {
  private static final Pattern INDEX = Pattern.compile("[0-9]{1,9}");

  private final String text;
  private final List<PathStep> steps;
  private final boolean computing;

  /** What is at a path. */
  public sealed interface Result {
    /** Nothing is there. */
    record Missing() implements Result {}

    /**
     * Something is there.
     *
     * @param value may be null, which is not the same as {@link Missing}
     * @param json text of a list or map that the path made; empty for one of the document. Its
     *     fields have the order of the value's
     */
    record Found(Object value, Optional<String> json) implements Result {
      /** A value of the document. */
      public Found(Object value) {
        this(value, Optional.empty());
      }
    }
  }

  private JsonPath(String text, List<PathStep> steps) {
    this.text = text;
    this.steps = List.copyOf(steps);
    this.computing = isComputing(steps);
  }

  /** Throws {@link InvalidExpression}. */
  public static JsonPath compile(String text) {
    return new JsonPath(text, PathParser.parse(text));
  }

  /**
   * What is there.
   *
   * @throws ExpressionFailure if it takes too many steps, or gets too long
   */
  public Result read(Object tree) {
    PathReader.Place place = find(tree);
    if (place == null) {
      return new Result.Missing();
    }
    return computing ? made(place.json()) : new Result.Found(place.json().value());
  }

  /** What is there in what another path has found; as {@link #read}. */
  public Result within(Result before) {
    return switch (before) {
      case Result.Found(var value, var json) when json.isPresent() ->
          new PathReader()
              .find(Optional.of(new Json(value, json)), steps)
              .map(JsonPath::made)
              .orElseGet(Result.Missing::new);
      case Result.Found(var value, var _) -> read(value);
      case Result.Missing() ->
          new PathReader()
              .find(Optional.empty(), steps)
              .map(JsonPath::made)
              .orElseGet(Result.Missing::new);
    };
  }

  private static Result made(Json json) {
    boolean container = json.value() instanceof Map<?, ?> || json.value() instanceof List<?>;
    return new Result.Found(json.value(), container ? Optional.of(json.raw()) : Optional.empty());
  }

  /**
   * A value as gjson makes text of it: nothing and null are empty, numbers are decimal without an
   * exponent, lists and maps are JSON with sorted fields.
   */
  public static String text(Result result) {
    return switch (result) {
      case Result.Missing() -> "";
      case Result.Found(var value, var json) -> json.orElseGet(() -> text(value));
    };
  }

  /** As {@link #text(Result)}. */
  public static String text(Object value) {
    return switch (value) {
      case null -> "";
      case String text -> text;
      case Number number -> GoNumbers.plain(number);
      case Boolean flag -> flag.toString();
      default -> GoJson.write(sorted(value));
    };
  }

  /**
   * The fields that the path names, and those that its queries name, up to the first component that
   * is a wildcard or computes something.
   */
  public Set<List<FieldStep>> fields() {
    var found = new LinkedHashSet<List<FieldStep>>();
    follow(steps, List.of(), found);
    return found;
  }

  private static void follow(
      List<PathStep> steps, List<FieldStep> before, Set<List<FieldStep>> found) {
    var here = new ArrayList<>(before);
    for (PathStep step : steps) {
      // Behind a pipe are the items that were found, and no longer the document.
      boolean followed =
          (step.before() == PathStep.Separator.DOT || !here.contains(new FieldStep.Each()))
              && switch (step) {
                case PathStep.Key(_, var name) -> here.add(new FieldStep.Field(name));
                case PathStep.Every _ -> here.add(new FieldStep.Each());
                case PathStep.Query query -> {
                  here.add(new FieldStep.Each());
                  follow(query.path(), List.copyOf(here), found);
                  yield true;
                }
                case PathStep.Wildcard _,
                    PathStep.Lines _,
                    PathStep.Modifier _,
                    PathStep.Literal _,
                    PathStep.Multipath _ ->
                    false;
              };
      if (!followed) {
        break;
      }
    }
    if (!here.equals(before)) {
      found.add(List.copyOf(here));
    }
  }

  /** The path's own text. */
  @Override
  public String toString() {
    return text;
  }

  /** Null if nothing is there. */
  PathReader.Place find(Object tree) {
    return new PathReader().find(computing ? sorted(tree) : tree, steps);
  }

  /** Whether a path makes values that are in no document. */
  private static boolean isComputing(List<PathStep> steps) {
    return steps.stream()
        .anyMatch(step ->
            step.isComputing()
                || step instanceof PathStep.Query query && isComputing(query.path()));
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

  /** Negative if it is no index. */
  static int index(String name) {
    return INDEX.matcher(name).matches() ? Integer.parseInt(name) : -1;
  }
}
