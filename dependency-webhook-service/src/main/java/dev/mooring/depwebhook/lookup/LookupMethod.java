package dev.mooring.depwebhook.lookup;

import java.util.Locale;

/** How one dependent type was searched. */
public enum LookupMethod {
  /** An index, kept by a watch. */
  INDEX,
  /** A list with a field selector. */
  SELECTOR,
  /** A list of all objects. */
  LIST;

  /** For metrics. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
