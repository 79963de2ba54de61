package dev.mooring.sandbox.builtin.core;

import dev.mooring.sandbox.api.registry.ResourceStrategy;
import dev.mooring.sandbox.api.validation.NameRules;
import java.util.List;

/** Objects of RBAC: named by anything that fits a URL; a PUT makes one. */
abstract class RbacStrategy implements ResourceStrategy {
  @Override
  public PutRules putRules() {
    return new PutRules(true, true);
  }

  @Override
  public List<String> validateName(String name) {
    return NameRules.pathSegment(name);
  }
}
