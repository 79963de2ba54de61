package dev.mooring.depwebhook.race;

/** Receives the decisions of race protection, for metrics. Thread-safe; must not block. */
public interface RaceListener {
  /**
   * @param outcome {@code granted}, {@code referenced}, or a refusal's label
   */
  default void deletion(String outcome) {}

  /**
   * @param outcome {@code granted}, or a refusal's label
   */
  default void reference(String outcome) {}

  /** Expired Leases were deleted. */
  default void swept(int leases) {}
}
