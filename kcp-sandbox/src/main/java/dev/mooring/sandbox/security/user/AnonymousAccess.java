package dev.mooring.sandbox.security.user;

import java.util.Optional;
import java.util.Set;

/**
 * Where requests without credentials are those of the anonymous user; elsewhere they are refused.
 *
 * @param paths behind the name of the logical cluster; empty for all paths
 */
public record AnonymousAccess(Optional<Set<String>> paths) {
  public static final AnonymousAccess EVERYWHERE = new AnonymousAccess(Optional.empty());

  public AnonymousAccess {
    paths = paths.map(Set::copyOf);
  }

  public boolean admits(String path) {
    return paths.isEmpty() || paths.get().contains(path);
  }
}
