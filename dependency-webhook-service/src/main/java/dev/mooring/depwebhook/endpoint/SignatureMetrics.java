package dev.mooring.depwebhook.endpoint;

import dev.mooring.depwebhook.signature.SignatureCheck;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.stereotype.Component;

/** Counts reviews whose URL carries no valid signature. */
@Component
class SignatureMetrics {
  private final Counter accepted;
  private final Counter refused;

  SignatureMetrics(MeterRegistry meters, SignatureCheck signatures) {
    this.accepted = counter(meters, "accepted");
    this.refused = counter(meters, "refused");
    Gauge.builder(
            "mooring.dependency.webhook.signatures.required",
            signatures,
            check -> check.required() ? 1 : 0)
        .description("1 if reviews without a valid signature are refused, else 0")
        .register(meters);
  }

  void accepted() {
    accepted.increment();
  }

  void refused() {
    refused.increment();
  }

  private static Counter counter(MeterRegistry meters, String outcome) {
    return Counter.builder("mooring.dependency.webhook.reviews.unsigned")
        .description("Reviews without a valid signature, by outcome")
        .tag("outcome", outcome)
        .register(meters);
  }
}
