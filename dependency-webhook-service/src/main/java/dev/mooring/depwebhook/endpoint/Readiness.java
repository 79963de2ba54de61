package dev.mooring.depwebhook.endpoint;

import dev.mooring.depwebhook.rules.RuleStore;
import dev.mooring.depwebhook.rules.decide.Rules;
import dev.mooring.depwebhook.signature.KeyState;
import dev.mooring.depwebhook.signature.SignatureCheck;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What makes a replica ready, in addition to its rights. */
@Configuration(proxyBeanMethods = false)
class Readiness {
  /**
   * Ready once the rules of every shard are loaded, while they are not stale; otherwise every
   * protected deletion is denied.
   */
  @Bean("rules")
  HealthIndicator rules(RuleStore rules) {
    return () ->
        switch (rules.current()) {
          case Rules.Loaded(var index) ->
              Health.up()
                  .withDetail("rules", index.size())
                  .withDetail("lastEventAgeSeconds", rules.lastEventAge().toSeconds())
                  .build();
          case Rules.Stale(var index, var problem) ->
              Health.outOfService()
                  .withDetail("rules", index.size())
                  .withDetail("lastEventAgeSeconds", rules.lastEventAge().toSeconds())
                  .withDetail("waitingFor", problem)
                  .build();
          case Rules.Loading(var reason) ->
              Health.outOfService().withDetail("waitingFor", reason).build();
        };
  }

  /**
   * Ready once the webhook knows whether reviews have to be signed. A webhook that may not read the
   * keys is ready and names the missing permission: it evaluates every review, as with the Go
   * controller.
   */
  @Bean("signatures")
  HealthIndicator signatures(SignatureCheck signatures) {
    return () ->
        (signatures.state() instanceof KeyState.Pending ? Health.outOfService() : Health.up())
            .withDetail("signatures", signatures.summary())
            .build();
  }
}
