package dev.mooring.depwebhook.endpoint;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counters by rule and outcome. A deleted rule's series are removed some time after it, so that
 * rules under ever new names leave none behind. Thread-safe.
 */
final class RuleCounters {
  /** Several scrape intervals, so that the last values of a rule are collected. */
  static final Duration KEPT = Duration.ofMinutes(10);

  private final MeterRegistry meters;
  private final String name;
  private final InstantSource clock;
  private final ConcurrentHashMap<String, OfRule> rules = new ConcurrentHashMap<>();

  /**
   * @param seen when the rule last existed or was counted
   */
  private record OfRule(Map<String, Counter> byOutcome, Instant seen) {}

  RuleCounters(MeterRegistry meters, String name, InstantSource clock) {
    this.meters = meters;
    this.name = name;
    this.clock = clock;
  }

  void count(String outcome, String rule) {
    rules.compute(
        rule,
        (_, held) -> {
          Map<String, Counter> counters = held == null ? new HashMap<>() : held.byOutcome();
          counters
              .computeIfAbsent(outcome, _ -> meters.counter(name, "outcome", outcome, "rule", rule))
              .increment();
          return new OfRule(counters, clock.instant());
        });
  }

  /**
   * Removes the series of rules that were deleted {@link #KEPT} ago.
   *
   * @param there all rules that exist
   */
  void keepOnly(Set<String> there) {
    Instant now = clock.instant();
    for (String rule : rules.keySet()) {
      rules.computeIfPresent(
          rule,
          (_, held) -> {
            if (there.contains(rule)) {
              return new OfRule(held.byOutcome(), now);
            }
            if (now.isBefore(held.seen().plus(KEPT))) {
              return held;
            }
            held.byOutcome().values().forEach(meters::remove);
            return null;
          });
    }
  }
}
