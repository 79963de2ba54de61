package dev.mooring.model.dependency;

import java.util.Locale;

/** How current the knowledge of dependents has to be. */
public enum Consistency implements Named {
  /** As current as kcp's store. */
  STRICT,
  /** As current as a live watch; without one, as {@link #STRICT}. */
  INDEXED;

  @Override
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
