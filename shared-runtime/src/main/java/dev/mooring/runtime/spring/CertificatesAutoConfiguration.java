package dev.mooring.runtime.spring;

import dev.mooring.runtime.time.SystemTime;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/** Health {@code certificates} and its metric, of every {@link CertificateWatch}. */
@AutoConfiguration
public class CertificatesAutoConfiguration {
  @Bean
  HealthIndicator certificatesHealthIndicator(ObjectProvider<CertificateWatch> watches) {
    return new CertificatesHealth(watches.orderedStream().toList(), SystemTime.clock());
  }

  @Bean
  MeterBinder certificateMetrics(ObjectProvider<CertificateWatch> watches) {
    return new CertificateMetrics(watches.orderedStream().toList(), SystemTime.clock());
  }
}
