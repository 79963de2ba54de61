package dev.mooring.sandbox.api.registry;

/** What a client sent cannot be read as an object of its kind. */
public final class UnreadableObject extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String why;
  private final String whyFromMap;

  /**
   * @param message for the one who sent the object
   * @param why as Go's JSON decoder words it, for the one who sent a patch of it
   * @param whyFromMap as Kubernetes' converter from maps words it, for a strategic merge patch
   */
  public UnreadableObject(String message, String why, String whyFromMap) {
    super(message, null, false, false);
    this.why = why;
    this.whyFromMap = whyFromMap;
  }

  /** An object that fits its kind, but not the fields that the kind has. */
  public static UnreadableObject of(String kind, String version, String why, String whyFromMap) {
    return new UnreadableObject(
        "%s in version \"%s\" cannot be handled as a %s: %s".formatted(kind, version, kind, why),
        why,
        whyFromMap);
  }

  public String why() {
    return why;
  }

  public String whyFromMap() {
    return whyFromMap;
  }
}
