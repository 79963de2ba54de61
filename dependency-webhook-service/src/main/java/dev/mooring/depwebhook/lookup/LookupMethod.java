package dev.mooring.depwebhook.lookup;

/** How an answer about one dependent type was come by. */
public enum LookupMethod {
  /** From watches. */
  INDEX("index"),
  /** By a list that the server narrowed. */
  SELECTOR("selector"),
  /** By a list of all objects. */
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
