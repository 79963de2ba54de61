package dev.mooring.sandbox.builtin;

import dev.mooring.sandbox.api.NameRules;
import dev.mooring.sandbox.api.ResourceStrategy;
import java.util.List;

/** Roles and cluster roles: named by anything that fits a URL; a PUT makes one. */
class RoleRules implements ResourceStrategy {
  @Override
  public PutRules putRules() {
    return new PutRules(true, true);
  }

  @Override
  public List<String> validateName(String name) {
    return NameRules.pathSegment(name);
  }
}
