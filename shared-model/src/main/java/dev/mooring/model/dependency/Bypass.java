package dev.mooring.model.dependency;

/** How a protected object can be deleted all the same. */
public enum Bypass implements Named {
  /** Whoever may annotate it; decided by the API server, so it works while the webhook is away. */
  ANNOTATION("Annotation"),
  /** Whoever may also {@code bypass} the rule in the workspace of the target's provider. */
  REQUIRE_PERMISSION("RequirePermission");

  private final String text;

  Bypass(String text) {
    this.text = text;
  }

  @Override
  public String text() {
    return text;
  }
}
