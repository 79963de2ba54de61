package dev.mooring.depwebhook.race;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;

/** Counts what the race register decided; outcomes are a few fixed words. */
public final class RaceMetrics {
  private static final String DELETIONS = "mooring.dependency.webhook.race.deletions";
  private static final String REFERENCES = "mooring.dependency.webhook.race.references";

  /** Of which alerts take a rate, which needs the series before its first increment. */
  private static final List<String> FROM_START = List.of("granted", "full", "too_many", "unknown");

  private final MeterRegistry meters;
  private final Counter swept;

  public RaceMetrics(MeterRegistry meters) {
    this.meters = meters;
    this.swept =
        Counter.builder("mooring.dependency.webhook.race.leases.swept")
            .description("Expired Leases of the race register that were deleted")
            .register(meters);
    for (String outcome : FROM_START) {
      counter(DELETIONS, outcome);
      counter(REFERENCES, outcome);
    }
  }

  /**
   * @param outcome {@code granted}, {@code referenced}, or a refusal's label
   */
  void deletion(String outcome) {
    counter(DELETIONS, outcome).increment();
  }

  /**
   * @param outcome {@code granted}, or a refusal's label
   */
  void reference(String outcome) {
    counter(REFERENCES, outcome).increment();
  }

  void swept(int leases) {
    swept.increment(leases);
  }

  private Counter counter(String name, String outcome) {
    String what = name.equals(DELETIONS) ? "deletions" : "references";
    return Counter.builder(name)
        .description("Decisions by the race register on " + what + ", by outcome")
        .tag("outcome", outcome)
        .register(meters);
  }
}
