package dev.mooring.model.dependency;

/** What a rule does when it finds a blocker. */
public enum Mode implements Named {
  /** The deletion is denied. */
  DENY("Deny"),
  /** The deletion is allowed; the caller gets a warning. */
  WARN("Warn"),
  /** The deletion is allowed; an event and a metric record it. */
  AUDIT("Audit");

  private final String text;

  Mode(String text) {
    this.text = text;
  }

  @Override
  public String text() {
    return text;
  }
}
