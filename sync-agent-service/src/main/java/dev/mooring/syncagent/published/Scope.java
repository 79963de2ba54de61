package dev.mooring.syncagent.published;

/** Whether objects of a type live in namespaces. */
public enum Scope {
  NAMESPACED("Namespaced"),
  CLUSTER("Cluster");

  private final String text;

  Scope(String text) {
    this.text = text;
  }

  /** As it stands in a CRD. */
  public String text() {
    return text;
  }

  /** Throws {@link IllegalArgumentException} for anything but the two words. */
  public static Scope of(String text) {
    for (Scope scope : values()) {
      if (scope.text.equals(text)) {
        return scope;
      }
    }
    throw new IllegalArgumentException("not a scope: \"" + text + "\"");
  }
}
