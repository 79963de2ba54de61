package dev.mooring.depwebhook.config;

import dev.mooring.depwebhook.eligibility.EligibilityChecker;
import dev.mooring.depwebhook.lookup.DependentLookup;
import dev.mooring.depwebhook.race.RaceListener;
import dev.mooring.depwebhook.race.RaceProtection;
import dev.mooring.depwebhook.race.ReferenceCheck;
import dev.mooring.depwebhook.rules.RuleStore;
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.runtime.time.Clocks;
import dev.mooring.runtime.time.Ids;
import dev.mooring.runtime.time.SystemTime;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Wires race protection. */
@Configuration(proxyBeanMethods = false)
class RaceConfiguration {
  @Bean(destroyMethod = "close")
  RaceProtection raceProtection(
      KubeConnection kcp,
      WebhookProperties properties,
      Clocks clocks,
      RaceListener listener,
      DependentLookup lookup) {
    return RaceProtection.start(
        kcp.client(),
        properties.raceRegisterNamespace(),
        cluster -> WebhookConfiguration.patient(kcp.client(cluster)),
        properties.index().maxStaleness(),
        new RaceProtection.Machine(
            clocks, SystemTime.scheduler(), SystemTime.random(), SystemTime.pause(), Ids.random()),
        listener,
        lookup);
  }

  @Bean
  ReferenceCheck referenceCheck(RuleStore rules, RaceProtection race, EligibilityChecker checker) {
    return new ReferenceCheck(rules, race, checker);
  }
}
