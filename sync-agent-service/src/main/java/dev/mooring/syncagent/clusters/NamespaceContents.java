package dev.mooring.syncagent.clusters;

import java.util.Map;
import java.util.Set;

/** What the service cluster has in a Namespace that carries a source's mark. */
public enum NamespaceContents {
  NOTHING,
  SOMETHING,
  /** Not known: such a Namespace counts as not empty. */
  UNKNOWN;

  /**
   * @param expected the types of which there may be copies
   * @param answers what those types say that could be asked
   */
  static NamespaceContents of(
      Set<CopiedKind> expected, Map<CopiedKind, NamespaceContents> answers) {
    if (answers.containsValue(SOMETHING)) {
      return SOMETHING;
    }
    return answers.keySet().containsAll(expected) && !answers.containsValue(UNKNOWN)
        ? NOTHING
        : UNKNOWN;
  }
}
