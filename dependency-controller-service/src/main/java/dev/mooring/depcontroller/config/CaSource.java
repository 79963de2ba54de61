package dev.mooring.depcontroller.config;

/** Where the certificates come from that API servers check the webhook's with. */
interface CaSource {
  /**
   * As they stand in a webhook configuration: Base64 of PEM; empty to trust what API servers trust.
   *
   * @throws IllegalStateException saying what keeps them from being known
   */
  String base64();

  /** Looks whether they are to change; called again and again. */
  default void look() {}
}
