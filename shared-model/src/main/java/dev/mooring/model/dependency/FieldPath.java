package dev.mooring.model.dependency;

import dev.mooring.languages.FieldStep;
import dev.mooring.model.object.KubeObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Where in a dependent something stands, such as {@code .spec.vpcRef.name}, {@code
 * .spec.disks[*].volumeName} or {@code .metadata.annotations['example.com/vpc']}. The leading dot
 * is optional. A path has at least two steps: fields, of which those with other characters than
 * letters, digits, {@code _} and {@code -} are quoted, and {@code [*]}, which is every item of a
 * list.
 */
public final class FieldPath {
  private static final String NAME = "[a-zA-Z_][a-zA-Z0-9_-]*";
  private static final String STEP =
      "\\.(?<name>"
          + NAME
          + ")|\\[(?<each>\\*)\\]|\\['(?<single>[^'\\\\]+)'\\]"
          + "|\\[\"(?<double>[^\"\\\\]+)\"\\]";

  /** As in the schema of {@code DependencyRule}. */
  public static final Pattern PATTERN =
      Pattern.compile(
          "\\.?" + NAME + "(\\." + NAME + "|\\[\\*\\]|\\['[^'\\\\]+'\\]|\\[\"[^\"\\\\]+\"\\])+");

  public static final int LENGTH_MAX = 253;

  private static final Pattern STEPS = Pattern.compile(STEP);

  private final String text;
  private final List<FieldStep> steps;

  /**
   * A value that was found.
   *
   * @param holder the map whose field it is; empty for an item of a list
   * @param items which item was taken at each {@code [*]}, in order
   */
  record Found(Object value, Map<String, Object> holder, List<Integer> items) {}

  /**
   * @param text as the rule's author wrote it
   * @throws IllegalArgumentException for what is no path
   */
  public FieldPath(String text) {
    this.text = text;
    if (text.length() > LENGTH_MAX || !PATTERN.matcher(text).matches()) {
      throw new IllegalArgumentException("not a field path: \"" + text + "\"");
    }
    this.steps = steps(text.startsWith(".") ? text : "." + text);
  }

  /** As the rule's author wrote it. */
  public String text() {
    return text;
  }

  public List<FieldStep> steps() {
    return steps;
  }

  /** Whether it has fields only, so that at most one value stands there. */
  public boolean single() {
    return steps.stream().allMatch(FieldStep.Field.class::isInstance);
  }

  /**
   * Every value at this path, of any type, in the order of the document: none where a step is
   * missing or is not what the path takes it for.
   */
  List<Found> in(KubeObject dependent) {
    var found = new ArrayList<Found>();
    collect(dependent.tree(), 0, Map.of(), List.of(), found);
    return found;
  }

  /**
   * The text at this path if the first items are taken at its {@code [*]}s; empty where there is
   * none.
   */
  String textIn(KubeObject dependent, List<Integer> items) {
    Object here = dependent.tree();
    int taken = 0;
    for (FieldStep step : steps) {
      here =
          switch (step) {
            case FieldStep.Field(var name) -> here instanceof Map<?, ?> map ? map.get(name) : null;
            case FieldStep.Each(), FieldStep.Entry() -> {
              int item = items.get(taken++);
              yield here instanceof List<?> list && item < list.size() ? list.get(item) : null;
            }
          };
    }
    return here instanceof String value ? value : "";
  }

  /** Whether its first step is this field. */
  boolean startsWith(String field) {
    return steps.getFirst().equals(new FieldStep.Field(field));
  }

  /** How many of its first steps, up to the last {@code [*]}, another path has as well. */
  boolean sharesListsWith(FieldPath other) {
    int last = steps.lastIndexOf(new FieldStep.Each());
    return last < other.steps.size()
        && steps.subList(0, last + 1).equals(other.steps.subList(0, last + 1));
  }

  private void collect(
      Object here, int at, Map<String, Object> holder, List<Integer> items, List<Found> found) {
    if (at == steps.size()) {
      found.add(new Found(here, holder, items));
      return;
    }
    switch (steps.get(at)) {
      case FieldStep.Field(var name) -> {
        if (here instanceof Map<?, ?> map && map.get(name) != null) {
          collect(map.get(name), at + 1, fields(map), items, found);
        }
      }
      case FieldStep.Each(), FieldStep.Entry() -> {
        if (here instanceof List<?> list) {
          for (int i = 0; i < list.size(); i++) {
            var taken = new ArrayList<>(items);
            taken.add(i);
            collect(list.get(i), at + 1, Map.of(), List.copyOf(taken), found);
          }
        }
      }
    }
  }

  @SuppressWarnings("unchecked") // keys of a tree are strings by construction
  private static Map<String, Object> fields(Map<?, ?> map) {
    return (Map<String, Object>) map;
  }

  private static List<FieldStep> steps(String dotted) {
    var steps = new ArrayList<FieldStep>();
    Matcher matcher = STEPS.matcher(dotted);
    while (matcher.find()) {
      steps.add(
          matcher.group("each") != null
              ? new FieldStep.Each()
              : new FieldStep.Field(field(matcher)));
    }
    return List.copyOf(steps);
  }

  private static String field(Matcher matcher) {
    return Stream.of("name", "single", "double")
        .map(matcher::group)
        .filter(Objects::nonNull)
        .findFirst()
        .orElseThrow();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FieldPath that && text.equals(that.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }
}
