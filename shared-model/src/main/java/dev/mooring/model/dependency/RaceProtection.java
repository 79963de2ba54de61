package dev.mooring.model.dependency;

/** Whether new references are checked against deletions under way. */
public enum RaceProtection implements Named {
  /** References are not checked. */
  NONE("none"),
  /** A reference and the deletion of what it refers to never both succeed. */
  STRICT("strict");

  private final String text;

  RaceProtection(String text) {
    this.text = text;
  }

  @Override
  public String text() {
    return text;
  }
}
