package dev.mooring.sandbox.junit;

import dev.mooring.model.identity.WorkspacePath;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Names of the workspaces of tests, and the paths that annotations declare. */
final class WorkspaceNames {
  /** Of the class and of the method in a tree's name, which kcp limits to 63. */
  private static final int PART_MAX = 24;

  private WorkspaceNames() {}

  /**
   * The name of a test's tree, such as {@code widgets-a-consumer-binds-1k9x2f}.
   *
   * @param method null for what a class has for itself
   * @param random tells trees of the same test apart
   */
  static String tree(Class<?> type, @Nullable String method, int random) {
    String name = slug(type.getSimpleName().replaceFirst("(Test|Tests|IT|TestCase)$", ""));
    String suffix = Integer.toString(random & Integer.MAX_VALUE, Character.MAX_RADIX);
    return method == null ? name + "-" + suffix : name + "-" + slug(method) + "-" + suffix;
  }

  private static String slug(String name) {
    String words =
        name.replaceAll("([a-z0-9])([A-Z])", "$1-$2")
            .toLowerCase(Locale.ROOT)
            .replaceAll("[^a-z0-9]+", "-");
    String cut = words.substring(0, Math.min(words.length(), PART_MAX));
    String trimmed = cut.replaceAll("^-+|-+$", "");
    return trimmed.isEmpty() ? "test" : trimmed;
  }

  /**
   * The path of a declared workspace.
   *
   * @param relative empty for the tree itself
   * @throws KcpProblem if it is no path below the tree
   */
  static WorkspacePath below(WorkspacePath tree, String relative) {
    if (relative.isEmpty()) {
      return tree;
    }
    if (relative.equals("root") || relative.startsWith("root:")) {
      throw new KcpProblem(
          ("the workspace \"%s\" begins with root, but paths of a test are relative to its own tree:"
                  + " write \"%s\"")
              .formatted(relative, relative.replaceFirst("^root:?", "")));
    }
    try {
      return new WorkspacePath(tree + ":" + relative);
    } catch (IllegalArgumentException e) {
      throw new KcpProblem(
          ("\"%s\" cannot name a workspace: write lowercase letters, digits and \"-\", with \":\""
                  + " between a workspace and its child, as in \"provider\" or \"consumers:acme\"")
              .formatted(relative),
          e);
    }
  }

  /**
   * A type's path and name.
   *
   * @param type as {@code root:universal}; empty if nothing was declared
   * @throws KcpProblem if it has no path
   */
  static Optional<WorkspacePath> type(String type) {
    if (type.isEmpty()) {
      return Optional.empty();
    }
    if (!type.contains(":")) {
      throw new KcpProblem(
          "the workspace type \"%s\" has no path: write \"root:%s\" for a type of kcp"
              .formatted(type, type));
    }
    try {
      return Optional.of(new WorkspacePath(type));
    } catch (IllegalArgumentException e) {
      throw new KcpProblem(
          "\"%s\" cannot name a workspace type: write its path and name, as in \"root:universal\""
              .formatted(type),
          e);
    }
  }
}
