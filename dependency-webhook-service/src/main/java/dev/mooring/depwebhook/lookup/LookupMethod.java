package dev.mooring.depwebhook.lookup;

/** How one dependent type was searched. */
public enum LookupMethod {
  /** An index, kept by a watch. */
  INDEX("index"),
  /** A list with a field selector. */
  SELECTOR("selector"),
  /** A list of versions, compared with the last whole list. */
  VERSIONS("versions"),
  /** A list of all objects. */
  LIST("list");

  private final String label;

  LookupMethod(String label) {
    this.label = label;
  }

  /** For metrics. */
  public String label() {
    return label;
  }
}
