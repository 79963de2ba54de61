package dev.mooring.model.identity;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The name of one logical cluster, such as {@code 2hh1nlb5kf5kw3rh} or {@code root}; never a
 * workspace path. Stable for the life of the workspace, new when a workspace of the same path is
 * created again.
 *
 * @param name letters, digits and hyphens; a colon only in those of kcp itself, such as {@code
 *     system:admin}, which wildcard requests of its administrators meet
 */
public record LogicalCluster(String name) implements Comparable<LogicalCluster> {
  private static final Pattern NAME = Pattern.compile("(system:)?[a-z0-9-]{1,64}");

  /** The annotation that kcp puts on every object it serves: whose object it is. */
  public static final String ANNOTATION = "kcp.io/cluster";

  /**
   * Stands for the one cluster of a server that has no logical clusters, such as a plain Kubernetes
   * API server. Not a name that kcp could give.
   */
  public static final LogicalCluster NONE = new LogicalCluster("-");

  /** Belongs to no workspace: what RBAC grants there, it grants in every workspace of the shard. */
  public static final LogicalCluster SYSTEM_ADMIN = new LogicalCluster("system:admin");

  public LogicalCluster {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException("not a logical cluster name: \"" + name + "\"");
    }
  }

  /** Empty for what is no name. */
  public static Optional<LogicalCluster> parse(String text) {
    return NAME.matcher(text).matches() ? Optional.of(new LogicalCluster(text)) : Optional.empty();
  }

  @Override
  public int compareTo(LogicalCluster other) {
    return name.compareTo(other.name);
  }

  @Override
  public String toString() {
    return name;
  }
}
