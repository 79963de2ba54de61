package dev.mooring.depwebhook.race;

import dev.mooring.depwebhook.eligibility.EligibilityChecker;
import dev.mooring.depwebhook.lookup.DeletionGate;
import dev.mooring.depwebhook.race.decide.RaceTimings;
import dev.mooring.depwebhook.rules.ProviderPaths;
import dev.mooring.depwebhook.rules.RuleSource;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.runtime.client.KubeClient;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;

/** Race protection that a test must not use: each access to its register fails. */
public final class UnusedRegister {
  private UnusedRegister() {}

  public static RaceProtection protection(DeletionGate lookup) {
    return new RaceProtection(context(), lookup, () -> {});
  }

  public static ReferenceCheck references(RuleSource rules) {
    return new ReferenceCheck(
        rules,
        protection(query -> {
          throw new AssertionError("nothing looks for what refers to " + query.target());
        }),
        new EligibilityChecker(
            _ -> untouchable(),
            _ -> untouchable(),
            new ProviderPaths(_ -> untouchable()),
            DependencyRule.GROUP,
            Duration.ZERO,
            () -> Instant.EPOCH));
  }

  private static RaceContext context() {
    return new RaceContext(
        new RegisterStore(untouchable(), "unused", () -> Instant.EPOCH, RaceTimings.STANDARD),
        _ -> untouchable(),
        RaceTimings.STANDARD,
        () -> "id",
        () -> Instant.EPOCH,
        _ -> {},
        new RaceMetrics(new SimpleMeterRegistry()));
  }

  private static KubeClient untouchable() {
    return (KubeClient)
        Proxy.newProxyInstance(
            KubeClient.class.getClassLoader(),
            new Class<?>[] {KubeClient.class},
            (_, method, _) -> {
              throw new AssertionError("no rule wants race protection: " + method.getName());
            });
  }
}
