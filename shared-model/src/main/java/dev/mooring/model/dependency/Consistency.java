package dev.mooring.model.dependency;

/** How current the knowledge of dependents has to be. */
public enum Consistency implements Named {
  /** As current as kcp's store. */
  STRICT("strict"),
  /** As current as a live watch; without one, as {@link #STRICT}. */
  INDEXED("indexed");

  private final String text;

  Consistency(String text) {
    this.text = text;
  }

  @Override
  public String text() {
    return text;
  }
}
