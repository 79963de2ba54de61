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
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.runtime.event.EventRecorder;
import dev.mooring.runtime.spring.RuntimeMetrics;
import dev.mooring.runtime.time.Clocks;
import dev.mooring.runtime.time.Scheduler;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.springframework.beans.factory.annotation.Autowired;
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

  /** Deletions by rule and outcome: four series of each rule, until some time after the rule. */
  @Component
  static class Decisions implements DecisionListener, AutoCloseable {
    private static final Duration UPDATE = Duration.ofSeconds(10);

    private final RuleCounters counters;
    private final RuleSource rules;
    private final Scheduler.Scheduled next;

    @Autowired
    Decisions(MeterRegistry meters, RuleStore rules, Clocks clocks, Scheduler scheduler) {
      this(meters, rules, clocks.steady(), scheduler);
    }

    Decisions(MeterRegistry meters, RuleSource rules, InstantSource clock, Scheduler scheduler) {
      this.counters = new RuleCounters(meters, PREFIX + "decisions", clock);
      this.rules = rules;
      this.next = scheduler.every(UPDATE, "rule-series", this::update);
    }

    @Override
    public void close() {
      next.cancel();
    }

    /** While rules are not loaded, or are stale, no rule counts as deleted. */
    void update() {
      if (rules.current() instanceof Rules.Loaded(var index)) {
        counters.update(index.names());
      }
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
      rules.forEach(rule -> counters.count(outcome, rule));
    }
  }

  /** Rules and indexes in memory, requests to kcp, and events that were dropped. */
  @Component
  static class Holdings {
    private final MeterRegistry meters;

    Holdings(
        MeterRegistry meters,
        RuleStore rules,
        ReferenceIndexes indexes,
        KubeConnection kcp,
        EventRecorder events) {
      this.meters = meters;
      String loaded = "Rules in force; -1 while the rules of a shard are not loaded or are stale";
      gauge("rules", loaded, rules, Holdings::count);
      gauge(
          "rules.last.event.age.seconds",
          "Seconds since the last event or bookmark of the rules from the stalest shard",
          rules,
          store -> store.lastEventAge().toMillis() / 1_000.0);
      gauge("indexes", "Open indexes of dependents", indexes, of -> of.status().indexes());
      gauge("index.objects", "Dependents held in indexes", indexes, of -> of.status().objects());
      String share = "Share of the indexes' memory budget in use, from 0 to 1";
      gauge("index.fill", share, indexes, of -> of.status().fill());
      String age = "Seconds since the stalest index was last proved complete";
      gauge("index.age.seconds", age, indexes, of -> of.status().oldest().toMillis() / 1_000.0);
      String unread = "Open indexes whose consumer's APIBindings could not be read";
      gauge("index.unconfirmed", unread, indexes, of -> of.status().unconfirmed());
      RuntimeMetrics.requests(meters, "kcp", kcp, client -> Optional.of(client.requests()));
      RuntimeMetrics.events(meters, events, EventRecorder::backlog);
    }

    private <T> void gauge(String name, String description, T of, ToDoubleFunction<T> value) {
      Gauge.builder(PREFIX + name, of, value).description(description).register(meters);
    }

    private static double count(RuleStore rules) {
      return rules.current() instanceof Rules.Loaded(var index) ? index.size() : -1;
    }
  }
}
