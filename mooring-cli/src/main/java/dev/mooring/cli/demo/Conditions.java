package dev.mooring.cli.demo;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;

/** Reads {@code status.conditions}. */
final class Conditions {
  private Conditions() {}

  static boolean isTrue(KubeObject object, String type) {
    return "True".equals(status(object, type));
  }

  /** Empty if there is no such condition. */
  static String status(KubeObject object, String type) {
    return object.list("status", "conditions").stream()
        .filter(condition -> type.equals(Trees.at(condition, "type")))
        .map(condition -> Trees.textOrEmpty(Trees.at(condition, "status")))
        .findFirst()
        .orElse("");
  }
}
