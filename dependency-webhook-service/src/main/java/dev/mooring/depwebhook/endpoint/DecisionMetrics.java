package dev.mooring.depwebhook.endpoint;

import dev.mooring.depwebhook.admission.DecisionListener;
import dev.mooring.depwebhook.admission.Review;
import dev.mooring.depwebhook.admission.decide.AdmissionDecision;
import dev.mooring.depwebhook.index.ReferenceIndexes;
import dev.mooring.depwebhook.lookup.LookupListener;
import dev.mooring.depwebhook.lookup.LookupMethod;
import dev.mooring.depwebhook.rules.RuleSource;
import dev.mooring.depwebhook.rules.RuleStore;
import dev.mooring.depwebhook.rules.decide.Rules;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.runtime.event.EventRecorder;
import dev.mooring.runtime.spring.RuntimeMetrics;
import dev.mooring.runtime.time.Clocks;
import dev.mooring.runtime.time.Scheduler;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** What the webhook decides and how, as meters. */
final class DecisionMetrics {
  private static final String PREFIX = "mooring.dependency.webhook.";

  private DecisionMetrics() {}

  /** How long lookups take. */
  @Component
  static class Lookups implements LookupListener {
    private final MeterRegistry meters;

    Lookups(MeterRegistry meters) {
      this.meters = meters;
      Stream.of(LookupMethod.values()).forEach(this::timer);
    }

    private Timer timer(LookupMethod path) {
      return Timer.builder(PREFIX + "lookup")
          .description("Duration of dependent lookups, by method")
          .tag("path", path.label())
          .publishPercentileHistogram()
          .register(meters);
    }

    @Override
    public void looked(LookupMethod path, Duration took) {
      timer(path).record(took);
    }
  }

  /**
   * Deletions by rule and outcome. A rule has all its series from its start: a rate needs the
   * series before its first increment. They are removed some time after the rule, so that rules
   * under ever new names leave none behind.
   */
  @Component
  static class Decisions implements DecisionListener, AutoCloseable {
    /** Several scrape intervals, so that the last values of a rule are collected. */
    static final Duration KEPT = Duration.ofMinutes(10);

    private static final List<String> OUTCOMES = List.of("denied", "warned", "audited", "bypassed");
    private static final Duration UPDATE = Duration.ofSeconds(10);

    private final MeterRegistry meters;
    private final RuleSource rules;
    private final InstantSource clock;
    private final Scheduler.Scheduled next;

    /** When each rule last existed or was counted. */
    private final ConcurrentHashMap<String, Instant> seen = new ConcurrentHashMap<>();

    Decisions(MeterRegistry meters, RuleSource rules, Clocks clocks, Scheduler scheduler) {
      this.meters = meters;
      this.rules = rules;
      this.clock = clocks.steady();
      this.next = scheduler.every(UPDATE, "rule-series", this::update);
    }

    @Override
    public void close() {
      next.cancel();
    }

    /** While rules are not loaded, or are stale, no rule counts as deleted. */
    void update() {
      if (rules.current() instanceof Rules.Loaded(var index)) {
        Instant now = clock.instant();
        for (DependencyRule rule : index.rules()) {
          seen.compute(
              rule.qualifiedName(),
              (name, before) -> {
                if (before == null) {
                  all(name);
                }
                return now;
              });
        }
        seen.keySet().forEach(rule -> seen.computeIfPresent(rule, (_, at) -> kept(rule, at, now)));
      }
    }

    /** Null if the series of a rule were removed. */
    private @Nullable Instant kept(String rule, Instant last, Instant now) {
      if (now.isBefore(last.plus(KEPT))) {
        return last;
      }
      all(rule).forEach(meters::remove);
      return null;
    }

    @Override
    public void decided(Review.Deletion review, AdmissionDecision decision) {
      switch (decision) {
        case AdmissionDecision.Denied(_, _, var rules) -> count("denied", rules);
        case AdmissionDecision.Allowed(_, var warnings, var audits, var bypassed) -> {
          warnings.forEach(warning -> count("warned", warning.rules()));
          audits.forEach(audit -> count("audited", audit.rules()));
          count("bypassed", bypassed);
        }
      }
    }

    private void count(String outcome, Collection<String> rules) {
      for (String rule : rules) {
        seen.compute(
            rule,
            (_, _) -> {
              all(rule);
              counter(outcome, rule).increment();
              return clock.instant();
            });
      }
    }

    private List<Counter> all(String rule) {
      return OUTCOMES.stream().map(outcome -> counter(outcome, rule)).toList();
    }

    private Counter counter(String outcome, String rule) {
      return Counter.builder(PREFIX + "decisions")
          .description("Deletions by rule and outcome")
          .tags("outcome", outcome, "rule", rule)
          .register(meters);
    }
  }

  /** Rules and indexes in memory, requests to kcp, and events that were dropped. */
  @Component
  record Holdings(
      RuleStore rules, ReferenceIndexes indexes, KubeConnection kcp, EventRecorder events)
      implements MeterBinder {
    @Override
    public void bindTo(MeterRegistry meters) {
      String loaded = "Rules in force; -1 while the rules of a shard are not loaded or are stale";
      gauge(meters, "rules", loaded, rules, Holdings::count);
      gauge(
          meters,
          "rules.last.event.age.seconds",
          "Seconds since the last event or bookmark of the rules from the stalest shard",
          rules,
          store -> store.lastEventAge().toMillis() / 1_000.0);
      gauge(meters, "indexes", "Open indexes of dependents", indexes, of -> of.status().indexes());
      gauge(
          meters,
          "index.objects",
          "Dependents held in indexes",
          indexes,
          of -> of.status().objects());
      String share = "Share of the indexes' memory budget in use, from 0 to 1";
      gauge(meters, "index.fill", share, indexes, of -> of.status().fill());
      String age = "Seconds since the stalest index was last proved complete";
      gauge(
          meters,
          "index.age.seconds",
          age,
          indexes,
          of -> of.status().oldest().toMillis() / 1_000.0);
      String unread = "Open indexes whose consumer's APIBindings could not be read";
      gauge(meters, "index.unconfirmed", unread, indexes, of -> of.status().unconfirmed());
      RuntimeMetrics.requests(meters, "kcp", kcp, client -> Optional.of(client.requests()));
      RuntimeMetrics.events(meters, events, EventRecorder::backlog);
    }

    private static <T> void gauge(
        MeterRegistry meters, String name, String description, T of, ToDoubleFunction<T> value) {
      Gauge.builder(PREFIX + name, of, value).description(description).register(meters);
    }

    private static double count(RuleStore rules) {
      return rules.current() instanceof Rules.Loaded(var index) ? index.size() : -1;
    }
  }
}
