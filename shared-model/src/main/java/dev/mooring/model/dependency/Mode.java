package dev.mooring.model.dependency;

/** What a rule does when it finds a blocker. */
public enum Mode implements Named {
  /** The deletion is refused. */
  DENY("Deny"),
  /** The deletion goes ahead; whoever asked for it gets a warning. */
  WARN("Warn"),
  /** The deletion goes ahead; an event and a metric tell of it. */
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
