package dev.mooring.depwebhook.endpoint;

import dev.mooring.depwebhook.race.RaceListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.stereotype.Component;

/** Counts what the race register decided; outcomes are a few fixed words. */
@Component
class RaceMetrics implements RaceListener {
  private final MeterRegistry meters;
  private final Counter swept;

  RaceMetrics(MeterRegistry meters) {
    this.meters = meters;
    this.swept =
        Counter.builder("mooring.dependency.webhook.race.leases.swept")
            .description("Expired Leases of the race register that were deleted")
            .register(meters);
  }

  @Override
  public void deletion(String outcome) {
    count("mooring.dependency.webhook.race.deletions", outcome);
  }

  @Override
  public void reference(String outcome) {
    count("mooring.dependency.webhook.race.references", outcome);
  }

  @Override
  public void swept(int leases) {
    swept.increment(leases);
  }

  private void count(String name, String outcome) {
    Counter.builder(name)
        .description("Decisions by the race register, by outcome")
        .tag("outcome", outcome)
        .register(meters)
        .increment();
  }
}
