package dev.mooring.depwebhook.config;

import dev.mooring.depwebhook.admission.ReferenceCheck;
import dev.mooring.depwebhook.eligibility.EligibilityChecker;
import dev.mooring.depwebhook.race.DeletionRace;
import dev.mooring.depwebhook.race.RaceContext;
import dev.mooring.depwebhook.race.RaceListener;
import dev.mooring.depwebhook.race.ReferenceRace;
import dev.mooring.depwebhook.race.RegisterStore;
import dev.mooring.depwebhook.race.RegisterSweep;
import dev.mooring.depwebhook.race.decide.RaceTimings;
import dev.mooring.depwebhook.rules.RuleStore;
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.runtime.time.Ids;
import dev.mooring.runtime.time.SystemTime;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Wires race protection. */
@Configuration(proxyBeanMethods = false)
class RaceConfiguration {
  /** An index is believed as long as the register expects it to be. */
  @Bean
  RaceTimings raceTimings(WebhookProperties properties) {
    return new RaceTimings(
        RaceTimings.STANDARD.commit(),
        properties.index().silenceMax(),
        RaceTimings.STANDARD.skew());
  }

  @Bean
  RegisterStore raceRegister(
      KubeConnection kcp, WebhookProperties properties, RaceTimings timings) {
    return new RegisterStore(
        kcp.client(), properties.raceRegisterNamespace(), SystemTime.clock(), timings);
  }

  @Bean(destroyMethod = "close")
  RegisterSweep raceSweep(RegisterStore register, RaceListener listener) {
    return RegisterSweep.start(register, SystemTime.scheduler(), SystemTime.random(), listener);
  }

  @Bean
  RaceContext raceContext(
      RegisterStore register, KubeConnection kcp, RaceTimings timings, RaceListener listener) {
    return new RaceContext(
        register,
        cluster -> WebhookConfiguration.patient(kcp.client(cluster)),
        timings,
        Ids.random(),
        SystemTime.clock(),
        SystemTime.steadyClock(),
        SystemTime.pause(),
        listener);
  }

  @Bean
  DeletionRace deletionRace(RaceContext context) {
    return new DeletionRace(context);
  }

  @Bean
  ReferenceCheck referenceCheck(RuleStore rules, RaceContext context, EligibilityChecker checker) {
    return new ReferenceCheck(rules, new ReferenceRace(context), checker);
  }
}
