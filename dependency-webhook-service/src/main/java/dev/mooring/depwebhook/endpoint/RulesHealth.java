package dev.mooring.depwebhook.endpoint;

import dev.mooring.depwebhook.rules.RuleSource;
import dev.mooring.depwebhook.rules.RuleStore;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/**
 * Ready once the rules of every shard are loaded, while they are not stale; otherwise every
 * protected deletion is denied.
 */
@Component("rules")
class RulesHealth implements HealthIndicator {
  private final RuleStore rules;

  RulesHealth(RuleStore rules) {
    this.rules = rules;
  }

  @Override
  public Health health() {
    return switch (rules.current()) {
      case RuleSource.Loaded(var index) ->
          Health.up()
              .withDetail("rules", index.size())
              .withDetail("lastEventAgeSeconds", rules.lastEventAge().toSeconds())
              .build();
      case RuleSource.Stale(var index, var problem) ->
          Health.outOfService()
              .withDetail("rules", index.size())
              .withDetail("lastEventAgeSeconds", rules.lastEventAge().toSeconds())
              .withDetail("waitingFor", problem)
              .build();
      case RuleSource.Loading(var reason) ->
          Health.outOfService().withDetail("waitingFor", reason).build();
    };
  }
}
