package dev.mooring.depwebhook.rules;

import dev.mooring.depwebhook.rules.decide.RuleIndex;
import dev.mooring.depwebhook.rules.decide.Rules;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.RuleCache;
import dev.mooring.model.dependency.RuleReading;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.runtime.export.EndpointOverrides;
import dev.mooring.runtime.export.ExportContact;
import dev.mooring.runtime.export.ExportListener;
import dev.mooring.runtime.export.ExportState;
import dev.mooring.runtime.export.ExportView;
import dev.mooring.runtime.export.ExportWatchOptions;
import dev.mooring.runtime.log.LogFields;
import dev.mooring.runtime.time.Scheduler;
import dev.mooring.runtime.watch.Change;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rules of all providers, watched through the export's virtual workspace. The index is rebuilt
 * on the first read after a change. Thread-safe.
 */
public final class RuleStore implements RuleSource, ExportListener, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RuleStore.class);

  /**
   * So long before rules become stale, a shard without events is relisted: a late bookmark alone
   * does not make a replica deny deletions.
   */
  private static final Duration RELIST_BEFORE = Duration.ofSeconds(10);

  private static final Duration RELIST_INTERVAL = Duration.ofSeconds(5);

  private final Duration maxStaleness;
  private final InstantSource clock;
  private final ExportView view;
  private final AtomicLong changes = new AtomicLong();
  private final RuleCache rules;
  private volatile Scheduler.Scheduled freshness = () -> {};
  private Instant relisted = Instant.EPOCH;
  private volatile Indexed indexed = new Indexed(-1, RuleIndex.EMPTY);

  /**
   * @param asOf the number of changes that it includes; there may be more already in it
   */
  private record Indexed(long asOf, RuleIndex rules) {}

  /**
   * @param maxStaleness age of the last event of a shard after which rules are stale
   * @param overrides by which hosts the export's endpoints are reached
   */
  public RuleStore(
      KubeConnection connection,
      String export,
      Duration maxStaleness,
      EndpointOverrides overrides,
      InstantSource clock) {
    this.maxStaleness = maxStaleness;
    this.clock = clock;
    this.view =
        ExportView.of(
            connection,
            ExportWatchOptions.of(export, DependencyRule.TYPE)
                .maxStaleness(maxStaleness)
                .reachedBy(overrides),
            this);
    this.rules = RuleCache.asReported(() -> view.all(DependencyRule.TYPE));
  }

  /** Begins to watch, and to check periodically whether a stale shard has to be relisted. */
  public RuleStore start(Scheduler scheduler) {
    view.start();
    freshness = scheduler.every(RELIST_INTERVAL, "rules-freshness", this::current);
    return this;
  }

  /** Relists everything, and uses that once it is complete. */
  public void resync() {
    view.relist(DependencyRule.TYPE, Instant.MAX);
  }

  @Override
  public Rules<RuleIndex> current() {
    return switch (view.state()) {
      case ExportState.Waiting(var reason) -> new Rules.Loading<>(reason);
      case ExportState.Ready() -> known(index());
    };
  }

  private Rules<RuleIndex> known(RuleIndex index) {
    Instant now = clock.instant();
    Optional<ExportContact> stalest = view.stalest(DependencyRule.TYPE);
    Instant soonTooLong = now.minus(maxStaleness.minus(RELIST_BEFORE));
    if (stalest.filter(contact -> contact.at().isBefore(soonTooLong)).isPresent()
        && mayRelist(now)) {
      view.relist(DependencyRule.TYPE, soonTooLong);
    }
    return stalest
        .filter(contact -> contact.at().plus(maxStaleness).isBefore(now))
        .<Rules<RuleIndex>>map(contact -> new Rules.Stale<>(index, stale(contact, now)))
        .orElseGet(() -> new Rules.Loaded<>(index));
  }

  /** Whether the last relist is long enough ago: each lists all rules. */
  private synchronized boolean mayRelist(Instant now) {
    boolean may = !now.isBefore(relisted.plus(RELIST_INTERVAL));
    if (may) {
      relisted = now;
    }
    return may;
  }

  private static String stale(ExportContact contact, Instant now) {
    return "no watch event or bookmark from %s for %d s, so rules may have changed"
            .formatted(contact.source(), Duration.between(contact.at(), now).toSeconds())
        + (contact.problem().isEmpty() ? "" : ": " + contact.problem());
  }

  /** Age of the last event of the stalest shard; zero until rules are loaded. */
  public Duration lastEventAge() {
    return view.stalest(DependencyRule.TYPE)
        .map(contact -> Duration.between(contact.at(), clock.instant()))
        .orElse(Duration.ZERO);
  }

  /** The state of each endpoint, for operators. */
  public Map<String, Object> endpoints() {
    return view.describe();
  }

  @Override
  public void changed(ResourceType type, Change change) {
    if (type.equals(DependencyRule.TYPE)) {
      try (var _ = LogFields.NONE.rule(change.key()).open()) {
        ruleChanged(change);
      }
    }
  }

  private void ruleChanged(Change change) {
    switch (change) {
      case Change.Added(_, KubeObject object) -> parse(object);
      case Change.Updated(_, KubeObject before, KubeObject after) -> {
        if (!rules.readsTheSame(before, after)) {
          parse(after);
        }
      }
      case Change.Removed(var key, _) -> {
        changes.incrementAndGet();
        LOG.info("Rule {} was deleted", key);
      }
    }
  }

  @Override
  public void stateChanged() {
    changes.incrementAndGet();
  }

  @Override
  public void close() {
    freshness.cancel();
    view.close();
  }

  private RuleIndex index() {
    Indexed now = indexed;
    if (now.asOf() == changes.get()) {
      return now.rules();
    }
    synchronized (this) {
      long asOf = changes.get();
      if (indexed.asOf() != asOf) {
        indexed = new Indexed(asOf, RuleIndex.of(rules.valid()));
      }
      return indexed.rules();
    }
  }

  /** Parses the rule now, so that no review waits for it. */
  private void parse(KubeObject object) {
    changes.incrementAndGet();
    switch (rules.reading(object)) {
      case RuleReading.Valid(var rule) -> LOG.info("Rule {} is in force", rule.qualifiedName());
      case RuleReading.Invalid(var key, _, var problems) ->
          LOG.warn("Rule {} is invalid and protects nothing: {}", key, problems);
    }
  }
}
