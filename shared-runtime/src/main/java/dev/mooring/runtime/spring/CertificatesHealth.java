package dev.mooring.runtime.spring;

import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Until when the certificates in use are valid. Always up: a replica that is not ready renews
 * nothing, and a certificate that ends tomorrow works today. Each has a detail, with a {@code
 * warning} if it should have been renewed by now.
 */
final class CertificatesHealth implements HealthIndicator {
  private final List<CertificateWatch> watches;
  private final InstantSource clock;

  CertificatesHealth(List<CertificateWatch> watches, InstantSource clock) {
    this.watches = List.copyOf(watches);
    this.clock = clock;
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
    Instant end = certificate.getNotAfter().toInstant();
    details.put("validUntil", end.toString());
    if (!now.isBefore(end)) {
      details.put("warning", "expired at " + end + "; renew it");
    } else if (CertificateWatch.isEnding(certificate, now)) {
      details.put("warning", "expires at " + end + " and was not renewed yet; renew it");
    }
    return details;
  }
}
