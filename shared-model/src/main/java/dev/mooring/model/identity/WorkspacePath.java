package dev.mooring.model.identity;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A workspace's path, such as {@code root:org:team}. People write it; it has to be resolved to a
 * {@link LogicalCluster} before anything is compared with it.
 *
 * @param value at least one segment, separated by colons
 */
public record WorkspacePath(String value) implements Comparable<WorkspacePath> {
  private static final Pattern PATH =
      Pattern.compile("[a-z0-9]([a-z0-9-]*[a-z0-9])?(:[a-z0-9]([a-z0-9-]*[a-z0-9])?)*");

  public static final WorkspacePath ROOT = new WorkspacePath("root");

  public WorkspacePath {
    if (!PATH.matcher(value).matches()) {
      throw new IllegalArgumentException("not a workspace path: \"" + value + "\"");
    }
  }

  /** Empty for a root. */
  public Optional<WorkspacePath> parent() {
    int colon = value.lastIndexOf(':');
    return colon < 0 ? Optional.empty() : Optional.of(new WorkspacePath(value.substring(0, colon)));
  }

  /** The last segment. */
  public String name() {
    return value.substring(value.lastIndexOf(':') + 1);
  }

  public WorkspacePath child(String name) {
    return new WorkspacePath(value + ":" + name);
  }

  @Override
  public int compareTo(WorkspacePath other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
