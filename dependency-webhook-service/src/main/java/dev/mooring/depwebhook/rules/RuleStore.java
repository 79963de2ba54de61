package dev.mooring.depwebhook.rules;

import dev.mooring.depwebhook.rules.decide.RuleIndex;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.RuleReading;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.runtime.export.EndpointOverrides;
import dev.mooring.runtime.export.ExportContact;
import dev.mooring.runtime.export.ExportListener;
import dev.mooring.runtime.export.ExportState;
import dev.mooring.runtime.export.ExportTerms;
import dev.mooring.runtime.export.ExportView;
import dev.mooring.runtime.time.Scheduler;
import dev.mooring.runtime.watch.Change;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
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

  private final KubeConnection connection;
  private final String export;
  private final Duration maxStaleness;
  private final EndpointOverrides overrides;
  private final InstantSource clock;
  private final AtomicLong changes = new AtomicLong();
  private final ParsedRules parsed = new ParsedRules();
  private final ReentrantLock switching = new ReentrantLock();
  private final ReentrantLock indexing = new ReentrantLock();
  private volatile Scheduler.Scheduled freshness = () -> {};
  private Instant relisted = Instant.EPOCH;
  private volatile @Nullable ExportView view;
  private volatile @Nullable ExportView successor;
  private volatile Indexed indexed = new Indexed(null, -1, RuleIndex.EMPTY);

  /**
   * @param of the view that was read; null before the first
   * @param asOf the number of changes that it includes; there may be more already in it
   */
  private record Indexed(@Nullable ExportView of, long asOf, RuleIndex rules) {}

  private RuleStore(
      KubeConnection connection,
      String export,
      Duration maxStaleness,
      EndpointOverrides overrides,
      InstantSource clock) {
    this.overrides = overrides;
    this.connection = connection;
    this.export = export;
    this.maxStaleness = maxStaleness;
    this.clock = clock;
  }

  /**
   * @param maxStaleness age of the last event of a shard after which rules are stale
   * @param overrides by which hosts the export's endpoints are reached
   */
  public static RuleStore start(
      KubeConnection connection,
      String export,
      Duration maxStaleness,
      EndpointOverrides overrides,
      InstantSource clock) {
    var store = new RuleStore(connection, export, maxStaleness, overrides, clock);
    store.view = store.open();
    return store;
  }

  /**
   * Checks the freshness of rules periodically until this is closed, so that a stale shard is
   * relisted without a review.
   */
  public void keepFresh(Scheduler scheduler) {
    freshness = scheduler.every(RELIST_INTERVAL, "rules-freshness", this::current);
  }

  /** Relists everything, and uses that once it is complete. */
  public void resync() {
    switching.lock();
    try {
      ExportView unfinished = successor;
      successor = open();
      if (unfinished != null) {
        unfinished.close();
      }
    } finally {
      switching.unlock();
    }
    switchIfReady();
  }

  @Override
  public State current() {
    while (true) {
      ExportView followed = view;
      if (followed == null) {
        return new Loading("the service is starting");
      }
      switch (followed.state()) {
        case ExportState.Waiting(var reason) when view == followed -> {
          return new Loading(reason);
        }
        case ExportState.Ready() -> {
          RuleIndex index = index(followed);
          // A view that was replaced meanwhile may have been closed, and so read as empty.
          if (view == followed) {
            return known(followed, index);
          }
        }
        case ExportState.Waiting(_) -> {} // of a view that was replaced meanwhile
      }
    }
  }

  private State known(ExportView followed, RuleIndex index) {
    Instant now = clock.instant();
    Optional<ExportContact> stalest = followed.stalest(DependencyRule.TYPE);
    Instant soonTooLong = now.minus(maxStaleness.minus(RELIST_BEFORE));
    if (stalest.filter(contact -> contact.at().isBefore(soonTooLong)).isPresent()
        && mayRelist(now)) {
      followed.relist(DependencyRule.TYPE, soonTooLong);
    }
    return stalest
        .filter(contact -> contact.at().plus(maxStaleness).isBefore(now))
        .<State>map(contact -> new Stale(index, stale(contact, now)))
        .orElseGet(() -> new Loaded(index));
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
    return "no watch event or bookmark from "
        + contact.source()
        + " for "
        + Duration.between(contact.at(), now).toSeconds()
        + " s, so rules may have changed"
        + (contact.problem().isEmpty() ? "" : ": " + contact.problem());
  }

  /** Age of the last event of the stalest shard; zero until rules are loaded. */
  public Duration lastEventAge() {
    ExportView followed = view;
    return followed == null
        ? Duration.ZERO
        : followed
            .stalest(DependencyRule.TYPE)
            .map(contact -> Duration.between(contact.at(), clock.instant()))
            .orElse(Duration.ZERO);
  }

  /** The state of each endpoint, for operators. */
  public Map<String, Object> endpoints() {
    ExportView followed = view;
    return followed == null ? Map.of() : followed.describe();
  }

  @Override
  public void changed(ResourceType type, Change change) {
    if (type.equals(DependencyRule.TYPE)) {
      switch (change) {
        case Change.Added(_, KubeObject object) -> parse(object);
        case Change.Updated(_, KubeObject before, KubeObject after) -> {
          if (!ParsedRules.hasSameSpec(before, after)) {
            parse(after);
          }
        }
        case Change.Removed(var key, _) -> {
          changes.incrementAndGet();
          LOG.info("Rule {} was deleted", key);
        }
      }
    }
  }

  @Override
  public void stateChanged() {
    changes.incrementAndGet();
    if (successor != null) {
      Thread.ofVirtual().name("rules-switch").start(this::switchIfReady);
    }
  }

  @Override
  public void close() {
    freshness.cancel();
    switching.lock();
    try {
      if (successor != null) {
        successor.close();
      }
      if (view != null) {
        view.close();
      }
    } finally {
      switching.unlock();
    }
  }

  private ExportView open() {
    ExportView before = view;
    return ExportView.start(
        connection,
        ExportTerms.of(export, DependencyRule.TYPE)
            .knowing(before == null ? Set.of() : before.endpoints())
            .maxStaleness(maxStaleness)
            .reachedBy(overrides),
        this);
  }

  private void switchIfReady() {
    switching.lock();
    try {
      if (successor != null && successor.state() instanceof ExportState.Ready) {
        ExportView before = view;
        view = successor;
        successor = null;
        changes.incrementAndGet();
        if (before != null) {
          before.close();
        }
        LOG.info("All rules were listed again");
      }
    } finally {
      switching.unlock();
    }
  }

  private RuleIndex index(ExportView followed) {
    Indexed now = indexed;
    if (now.of() == followed && now.asOf() == changes.get()) {
      return now.rules();
    }
    indexing.lock();
    try {
      long asOf = changes.get();
      if (indexed.of() != followed || indexed.asOf() != asOf) {
        indexed =
            new Indexed(
                followed, asOf, RuleIndex.of(parsed.valid(followed.all(DependencyRule.TYPE))));
      }
      return indexed.rules();
    } finally {
      indexing.unlock();
    }
  }

  /** Parses the rule now, so that no review waits for it. */
  private void parse(KubeObject object) {
    changes.incrementAndGet();
    switch (parsed.of(object)) {
      case RuleReading.Valid(var rule) -> LOG.info("Rule {} is in force", rule.qualifiedName());
      case RuleReading.Invalid(var key, _, var problems) ->
          LOG.warn("Rule {} is invalid and protects nothing: {}", key, problems);
    }
  }
}
