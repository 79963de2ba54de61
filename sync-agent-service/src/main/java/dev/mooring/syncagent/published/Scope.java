package dev.mooring.syncagent.published;

/** Whether objects of a type live in namespaces. */
public enum Scope {
  CLUSTER,
  NAMESPACED;

  /** As it stands in a CRD. */
  public String text() {
    return FieldValues.word(this);
  }

  /** Throws {@link InvalidPublishedResource} for anything but the two words. */
  public static Scope of(String text) {
    return FieldValues.read(Scope.class, text, "not a scope: ");
  }
}
