package dev.mooring.syncagent.published;

/** What happens when the name of a new copy is taken already. */
public enum Adoption {
  /** No existing object is adopted. */
  NEVER("Never"),
  /** Only an object whose remaining marks name this very source. */
  MARKED("Marked"),
  /** Also an object that carries no source's and no agent's mark. */
  UNCLAIMED("Unclaimed"),
  /** Any existing object, as the Go agent does. */
  ALWAYS("Always");

  private final String text;

  Adoption(String text) {
    this.text = text;
  }

  /** Throws {@link InvalidPublishedResource} for anything but the four words. */
  public static Adoption of(String text) {
    for (Adoption adoption : values()) {
      if (adoption.text.equals(text)) {
        return adoption;
      }
    }
    throw new InvalidPublishedResource(
        InvalidPublishedResource.Reason.INVALID_SPEC,
        "spec.synchronization.adoption: unknown value \""
            + text
            + "\"; use Never, Marked, Unclaimed or Always");
  }
}
