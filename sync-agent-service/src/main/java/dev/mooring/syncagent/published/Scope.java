package dev.mooring.syncagent.published;

/** Whether objects of a type live in namespaces. */
public enum Scope {
  NAMESPACED,
  CLUSTER;

  /** As it stands in a CRD. */
  public String text() {
    return Words.word(this);
  }

  /** Throws {@link IllegalArgumentException} for anything but the two words. */
  public static Scope of(String text) {
    for (Scope scope : values()) {
      if (scope.text().equals(text)) {
        return scope;
      }
    }
    throw new IllegalArgumentException("not a scope: \"" + text + "\"");
  }
}
