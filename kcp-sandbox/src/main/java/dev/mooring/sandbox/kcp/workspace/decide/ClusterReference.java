package dev.mooring.sandbox.kcp.workspace.decide;

import java.util.List;
import java.util.regex.Pattern;

/**
 * The cluster segment of a request, parsed: every cluster, one cluster by name, or a walk from a
 * named cluster down to a child workspace.
 */
public sealed interface ClusterReference {

  /** {@code *}: all logical clusters of the shard. */
  record Wildcard() implements ClusterReference {}

  /** One logical cluster by its name; whether it exists is not known yet. */
  record Named(String name) implements ClusterReference {}

  /**
   * A path of at least two segments: the name of a logical cluster, then names of workspaces, each
   * inside the one before.
   */
  record Walk(String start, List<String> children) implements ClusterReference {
    public Walk {
      children = List.copyOf(children);
    }
  }

  /** Text that no cluster or path can have. */
  record Malformed() implements ClusterReference {}

  /** Longest text that is parsed: no deeper trees exist. */
  int LENGTH_MAX = 4096;

  static ClusterReference parse(String text) {
    if (text.equals("*")) {
      return new Wildcard();
    }
    if (text.length() > LENGTH_MAX || !Form.PATH.matcher(text).matches()) {
      return new Malformed();
    }
    List<String> segments = List.of(text.split(":"));
    return segments.size() == 1
        ? new Named(segments.getFirst())
        : new Walk(segments.getFirst(), segments.subList(1, segments.size()));
  }

  /** The form that kcp accepts, segment by segment. */
  final class Form {
    private static final Pattern PATH =
        Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(:[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

    private Form() {}
  }
}
