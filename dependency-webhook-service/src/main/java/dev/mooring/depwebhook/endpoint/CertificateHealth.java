package dev.mooring.depwebhook.endpoint;

import dev.mooring.depwebhook.certificate.CertificateSource;
import dev.mooring.depwebhook.certificate.CertificateState;
import dev.mooring.runtime.time.Clocks;
import java.time.InstantSource;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/** Ready while the webhook serves a valid certificate that API servers trust. */
@Component("certificate")
class CertificateHealth implements HealthIndicator {
  private final CertificateSource source;
  private final InstantSource clock;

  CertificateHealth(CertificateSource source, Clocks clocks) {
    this.source = source;
    this.clock = clocks.wall();
  }

  @Override
  public Health health() {
    return switch (source.state()) {
      case CertificateState.Mounted() -> Health.up().build();
      case CertificateState.Served(var until) ->
          (clock.instant().isBefore(until) ? Health.up() : Health.outOfService())
              .withDetail("validUntil", until.toString())
              .build();
      case CertificateState.Pending(var reason) ->
          Health.outOfService().withDetail("waitingFor", reason).build();
    };
  }
}
