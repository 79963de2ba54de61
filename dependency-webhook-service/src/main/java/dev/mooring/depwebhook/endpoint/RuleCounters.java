package dev.mooring.depwebhook.endpoint;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counters by rule and outcome, of each rule from its start: a rate needs the series before its
 * first increment. A deleted rule's series are removed some time after it, so that rules under ever
 * new names leave none behind. Thread-safe.
 */
final class RuleCounters {
  static final List<String> OUTCOMES = List.of("denied", "warned", "audited", "bypassed");

  /** Several scrape intervals, so that the last values of a rule are collected. */
  static final Duration KEPT = Duration.ofMinutes(10);

  private final MeterRegistry meters;
  private final String name;
  private final InstantSource clock;

  /** When each rule last existed or was counted. */
  private final ConcurrentHashMap<String, Instant> seen = new ConcurrentHashMap<>();

  RuleCounters(MeterRegistry meters, String name, InstantSource clock) {
    this.meters = meters;
    this.name = name;
    this.clock = clock;
  }

  /**
   * @param outcome of {@link #OUTCOMES}
   */
  void count(String outcome, String rule) {
    seen.compute(
        rule,
        (_, _) -> {
          all(rule);
          counter(outcome, rule).increment();
          return clock.instant();
        });
  }

  /**
   * Adds the series of new rules, and removes those of rules that were deleted {@link #KEPT} ago.
   *
   * @param existing all rules
   */
  void update(Set<String> existing) {
    Instant now = clock.instant();
    for (String rule : existing) {
      seen.compute(
          rule,
          (_, before) -> {
            if (before == null) {
              all(rule);
            }
            return now;
          });
    }
    for (String rule : seen.keySet()) {
      seen.computeIfPresent(
          rule,
          (_, last) -> {
            if (now.isBefore(last.plus(KEPT))) {
              return last;
            }
            all(rule).forEach(meters::remove);
            return null;
          });
    }
  }

  private List<Counter> all(String rule) {
    return OUTCOMES.stream().map(outcome -> counter(outcome, rule)).toList();
  }

  private Counter counter(String outcome, String rule) {
    return Counter.builder(name)
        .description("Deletions by rule and outcome")
        .tags("outcome", outcome, "rule", rule)
        .register(meters);
  }
}
