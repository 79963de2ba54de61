package dev.mooring.model.dependency;

/** What a rule does when it finds a blocker. */
public enum Mode implements Named {
  /** The deletion is denied. */
  DENY,
  /** The deletion is allowed; the caller gets a warning. */
  WARN,
  /** The deletion is allowed; an event and a metric record it. */
  AUDIT
}
