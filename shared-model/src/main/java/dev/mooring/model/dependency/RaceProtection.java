package dev.mooring.model.dependency;

import java.util.Locale;

/** Whether new references are checked against deletions under way. */
public enum RaceProtection implements Named {
  /** References are not checked. */
  NONE,
  /** A reference and the deletion of what it refers to never both succeed. */
  STRICT;

  @Override
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
