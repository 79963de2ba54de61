package dev.mooring.depwebhook.race;

/** Hears what the race register decided, for metrics. Thread-safe. */
public interface RaceListener {
  /** Hears nothing. */
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

  /** Leases were deleted whose records no longer mattered. */
  void swept(int leases);
}
