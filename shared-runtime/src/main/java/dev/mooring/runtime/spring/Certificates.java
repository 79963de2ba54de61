package dev.mooring.runtime.spring;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Until when the certificates in use are valid, as details of health and as {@code
 * mooring.certificate.expiry.seconds{certificate}}, NaN while there is none. Health is always up: a
 * replica that is not ready renews nothing, and a certificate that ends tomorrow works today.
 */
record Certificates(List<CertificateWatch> watches, InstantSource clock)
    implements HealthIndicator, MeterBinder {
  /** Certificates that live long are warned of so long before their end. */
  private static final Duration WARNED_BEFORE = Duration.ofDays(7);

  /** Others in the last part of their life: cert-manager renews at two thirds. */
  private static final int WARNED_PART = 5;

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
        .map(
            certificate -> (double) Duration.between(clock.instant(), end(certificate)).toSeconds())
        .orElse(Double.NaN);
  }

  @Override
  public Health health() {
    Instant now = clock.instant();
    var health = Health.up();
    for (CertificateWatch watch : watches) {
      watch
          .certificate()
          .get()
          .ifPresent(certificate -> health.withDetail(watch.name(), details(certificate, now)));
    }
    return health.build();
  }

  private static Object details(X509Certificate certificate, Instant now) {
    var details = new LinkedHashMap<String, Object>();
    Instant end = end(certificate);
    Duration part =
        Duration.between(certificate.getNotBefore().toInstant(), end).dividedBy(WARNED_PART);
    Instant warned = end.minus(part.compareTo(WARNED_BEFORE) < 0 ? part : WARNED_BEFORE);
    details.put("validUntil", end.toString());
    if (!now.isBefore(end)) {
      details.put("warning", "expired at " + end + "; renew it");
    } else if (!now.isBefore(warned)) {
      details.put("warning", "expires at " + end + " and was not renewed yet; renew it");
    }
    return details;
  }

  private static Instant end(X509Certificate certificate) {
    return certificate.getNotAfter().toInstant();
  }
}
