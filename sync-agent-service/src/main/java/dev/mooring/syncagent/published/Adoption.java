package dev.mooring.syncagent.published;

/** What happens when the name of a new copy is taken already. */
public enum Adoption {
  /** No existing object is adopted. */
  NEVER,
  /** Only an object whose remaining marks name this very source. */
  MARKED,
  /** Also an object that carries no source's and no agent's mark. */
  UNCLAIMED,
  /** Any existing object, as the Go agent does. */
  ALWAYS;

  /** Throws {@link InvalidPublishedResource} for anything but the four words. */
  static Adoption of(String text) {
    return switch (text) {
      case "Never" -> NEVER;
      case "Marked" -> MARKED;
      case "Unclaimed" -> UNCLAIMED;
      case "Always" -> ALWAYS;
      default ->
          throw InvalidPublishedResource.unknown(
              "spec.synchronization.adoption", text, "Never, Marked, Unclaimed or Always");
    };
  }
}
