package dev.mooring.runtime.spring;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/** {@code mooring.certificate.expiry.seconds{certificate}}; NaN while there is no certificate. */
final class CertificateMetrics implements MeterBinder {
  private final List<CertificateWatch> watches;
  private final InstantSource clock;

  CertificateMetrics(List<CertificateWatch> watches, InstantSource clock) {
    this.watches = List.copyOf(watches);
    this.clock = clock;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    for (CertificateWatch watch : watches) {
      Gauge.builder("mooring.certificate.expiry.seconds", watch, this::seconds)
          .description("Seconds until a certificate in use expires; negative afterwards")
          .tag("certificate", watch.name())
          .register(registry);
    }
  }

  private double seconds(CertificateWatch watch) {
    return watch
        .certificate()
        .get()
        .map(certificate ->
            (double)
                Duration.between(clock.instant(), certificate.getNotAfter().toInstant())
                    .toSeconds())
        .orElse(Double.NaN);
  }
}
