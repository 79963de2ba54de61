package dev.mooring.model.dependency;

import dev.mooring.languages.InvalidExpression;
import dev.mooring.model.object.Trees;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Reads {@code fieldRef}. What it cannot read becomes {@link ReferenceField.Unreadable}. */
final class ReferenceFieldReader {
  /** The author of more than this is matching something else. */
  private static final int MATCH_MAX = 16;

  private final Map<String, Object> field;
  private final String at;
  private final List<String> problems;

  private ReferenceFieldReader(Map<String, Object> field, String at, List<String> problems) {
    this.field = field;
    this.at = at;
    this.problems = problems;
  }

  /**
   * @param problems to which what is wrong is added
   */
  static ReferenceField read(Map<String, Object> field, String at, List<String> problems) {
    return new ReferenceFieldReader(field, at, problems).read();
  }

  private ReferenceField read() {
    boolean path = field.get("path") != null;
    boolean expression = field.get("expression") != null;
    if (path && expression) {
      return unreadable("", " names both a path and an expression; keep one of them");
    }
    if (expression && (field.get("namespacePath") != null || field.get("match") != null)) {
      return unreadable(
          "expression", ": namespacePath and match go with a path; say it in the expression");
    }
    if (expression) {
      return expression();
    }
    return path ? path() : unreadable("path", " is missing");
  }

  private ReferenceField expression() {
    if (!(field.get("expression") instanceof String source)) {
      return unreadable("expression", " is not a text");
    }
    try {
      return ReferenceField.Computed.compile(source);
    } catch (InvalidExpression e) {
      return unreadable("expression", ": " + e.getMessage());
    }
  }

  private ReferenceField path() {
    Optional<FieldPath> path = fieldPath("path");
    Optional<FieldPath> namespace = fieldPath("namespacePath");
    Optional<SortedMap<String, String>> match = match();
    if (path.isEmpty()
        || match.isEmpty()
        || (namespace.isEmpty() && field.get("namespacePath") != null)) {
      return new ReferenceField.Unreadable(text(), problems.getLast());
    }
    try {
      return new ReferenceField.AtPath(path.get(), namespace, match.get());
    } catch (IllegalArgumentException e) {
      return unreadable("", ": " + e.getMessage());
    }
  }

  /** Empty if it is not there, or is no path, which then is a problem. */
  private Optional<FieldPath> fieldPath(String name) {
    Object value = field.get(name);
    if (value == null) {
      return Optional.empty();
    }
    if (!(value instanceof String text)) {
      problems.add(at + "." + name + " is not a text");
      return Optional.empty();
    }
    if (text.length() > FieldPath.LENGTH_MAX) {
      problems.add(at + "." + name + " is longer than " + FieldPath.LENGTH_MAX + " characters");
      return Optional.empty();
    }
    if (!FieldPath.PATTERN.matcher(text).matches()) {
      problems.add(
          at + "." + name + ": \"" + text + "\" does not match ^" + FieldPath.PATTERN + "$");
      return Optional.empty();
    }
    return Optional.of(new FieldPath(text));
  }

  private Optional<SortedMap<String, String>> match() {
    var match = new TreeMap<String, String>();
    for (Map.Entry<String, Object> entry : Trees.map(field, "match").entrySet()) {
      if (!(entry.getValue() instanceof String value)) {
        problems.add(at + ".match." + entry.getKey() + " is not a text");
        return Optional.empty();
      }
      match.put(entry.getKey(), value);
    }
    if (match.size() > MATCH_MAX) {
      problems.add(at + ".match has more than " + MATCH_MAX + " fields");
      return Optional.empty();
    }
    return Optional.of(match);
  }

  private ReferenceField unreadable(String name, String problem) {
    problems.add(at + (name.isEmpty() ? "" : "." + name) + problem);
    return new ReferenceField.Unreadable(text(), problems.getLast());
  }

  private String text() {
    return field.get("path") instanceof String path ? path : Trees.text(field, "expression");
  }
}
