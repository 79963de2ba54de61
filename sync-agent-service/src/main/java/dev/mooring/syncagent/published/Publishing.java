package dev.mooring.syncagent.published;

import java.util.Optional;

/** Who writes the APIResourceSchema of a type, and lists it in the APIExport. */
public enum Publishing {
  /** The agent. */
  MANAGED,
  /** Others, such as Argo CD or Flux from Git. The agent reads both and writes neither. */
  EXTERNAL;

  /**
   * Throws {@link InvalidPublishedResource} for other words.
   *
   * @return empty where the agent's default holds
   */
  static Optional<Publishing> of(String text) {
    return switch (text) {
      case "" -> Optional.empty();
      case "Managed" -> Optional.of(MANAGED);
      case "External" -> Optional.of(EXTERNAL);
      default ->
          throw InvalidPublishedResource.unknown("spec.publishing", text, "Managed or External");
    };
  }
}
