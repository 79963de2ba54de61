package dev.mooring.depwebhook.race;

/** Receives the decisions of race protection, for metrics. Thread-safe; must not block. */
public interface RaceListener {
  /** Ignores all. */
  RaceListener NONE =
      new RaceListener() {
        @Override
        public void deletion(String outcome) {}

        @Override
        public void reference(String outcome) {}

        @Override
        public void swept(int leases) {}
      };

  /**
   * @param outcome {@code granted}, {@code referenced}, or a refusal's label
   */
  void deletion(String outcome);

  /**
   * @param outcome {@code granted}, or a refusal's label
   */
  void reference(String outcome);

  /** Expired Leases were deleted. */
  void swept(int leases);
}
