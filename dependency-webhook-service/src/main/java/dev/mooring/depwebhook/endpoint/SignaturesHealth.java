package dev.mooring.depwebhook.endpoint;

import dev.mooring.depwebhook.signature.KeyState;
import dev.mooring.depwebhook.signature.SignatureCheck;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/**
 * Ready once the webhook knows whether reviews have to be signed. A webhook that may not read the
 * keys is ready and names the missing permission: it evaluates every review, as with the Go
 * controller.
 */
@Component("signatures")
class SignaturesHealth implements HealthIndicator {
  private final SignatureCheck signatures;

  SignaturesHealth(SignatureCheck signatures) {
    this.signatures = signatures;
  }

  @Override
  public Health health() {
    return (signatures.state() instanceof KeyState.Pending ? Health.outOfService() : Health.up())
        .withDetail("signatures", signatures.summary())
        .build();
  }
}
