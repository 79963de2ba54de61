package dev.mooring.model.dependency;

import dev.mooring.model.object.KubeObject;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * Where in a dependent the name of what it refers to stands, such as {@code .spec.vpcRef.name}. The
 * leading dot is optional; at least two segments, each an identifier.
 *
 * @param text as the rule's author wrote it
 */
public record FieldPath(String text) {
  /** As in the schema of {@code DependencyRule}. */
  public static final Pattern PATTERN =
      Pattern.compile("\\.?[a-zA-Z_][a-zA-Z0-9_]*(\\.[a-zA-Z_][a-zA-Z0-9_]*)+");

  public static final int LENGTH_MAX = 253;

  public FieldPath {
    Objects.requireNonNull(text, "text");
    if (text.length() > LENGTH_MAX || !PATTERN.matcher(text).matches()) {
      throw new IllegalArgumentException("not a field path: \"" + text + "\"");
    }
  }

  /**
   * The names at this path: empty where a step is missing, is not a map, or the value is not a
   * non-empty string.
   */
  public List<String> namesIn(KubeObject dependent) {
    String name = dependent.text(steps());
    return name.isEmpty() ? List.of() : List.of(name);
  }

  /** Whether the value at this path is exactly this name. */
  public boolean refersTo(KubeObject dependent, String name) {
    return namesIn(dependent).contains(name);
  }

  private String[] steps() {
    return (text.startsWith(".") ? text.substring(1) : text).split("\\.");
  }

  @Override
  public String toString() {
    return text;
  }
}
