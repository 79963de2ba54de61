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
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rules of all providers, followed through the export's virtual workspace. The index is made
 * anew when something changed since it was last asked for. Thread-safe.
 */
public final class RuleStore implements RuleSource, ExportListener, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RuleStore.class);

  /**
   * So long before rules would no longer be gone by, those who are quiet are asked for all of them
   * anew: a bookmark that is late does not make a replica refuse.
   */
  private static final Duration ASKED_BEFORE = Duration.ofSeconds(10);

  private static final Duration ASKED_AGAIN = Duration.ofSeconds(5);

  private final KubeConnection connection;
  private final String export;
  private final Duration silenceMax;
  private final EndpointOverrides overrides;
  private final InstantSource clock;
  private final AtomicLong changes = new AtomicLong();
  private final AtomicReference<Instant> asked = new AtomicReference<>(Instant.EPOCH);
  private final ParsedRules readings = new ParsedRules();
  private final ReentrantLock switching = new ReentrantLock();
  private final ReentrantLock indexing = new ReentrantLock();
  private volatile boolean closed;
  private volatile ExportView view;
  private volatile ExportView successor;
  private volatile Indexed indexed = new Indexed(null, -1, RuleIndex.EMPTY);

  /**
   * @param of the view that was read; null before the first
   * @param asOf the number of changes that it includes; there may be more already in it
   */
  private record Indexed(ExportView of, long asOf, RuleIndex rules) {}

  private RuleStore(
      KubeConnection connection,
      String export,
      Duration silenceMax,
      EndpointOverrides overrides,
      InstantSource clock) {
    this.overrides = overrides;
    this.connection = connection;
    this.export = export;
    this.silenceMax = silenceMax;
    this.clock = clock;
  }

  /**
   * @param silenceMax after which rules are no longer gone by if one of those who tell of them is
   *     not heard
   */
  public static RuleStore start(
      KubeConnection connection, String export, Duration silenceMax, InstantSource clock) {
    return start(connection, export, silenceMax, EndpointOverrides.NONE, clock);
  }

  /**
   * As above.
   *
   * @param overrides by which hosts the export's endpoints are reached
   */
  public static RuleStore start(
      KubeConnection connection,
      String export,
      Duration silenceMax,
      EndpointOverrides overrides,
      InstantSource clock) {
    var store = new RuleStore(connection, export, silenceMax, overrides, clock);
    store.view = store.open();
    return store;
  }

  /**
   * Looks now and then whether rules are heard of, for as long as it is open, so that it need not
   * be the first review after a while that finds out.
   */
  public void keepHearing(Scheduler scheduler) {
    scheduler.after(
        ASKED_AGAIN,
        () -> {
          if (!closed) {
            Thread.ofVirtual().name("rules-heard").start(this::current);
            keepHearing(scheduler);
          }
        });
  }

  /** Lists everything anew, and goes by that once it is complete. */
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
    Instant soonTooLong = now.minus(silenceMax.minus(ASKED_BEFORE));
    if (stalest.filter(contact -> contact.at().isBefore(soonTooLong)).isPresent() && mayAsk(now)) {
      followed.relist(DependencyRule.TYPE, soonTooLong);
    }
    return stalest
        .filter(contact -> contact.at().plus(silenceMax).isBefore(now))
        .<State>map(contact -> new Stale(index, silent(contact, now)))
        .orElseGet(() -> new Loaded(index));
  }

  /** Whether nobody was asked for a moment: an answer takes one, and each is a whole list. */
  private boolean mayAsk(Instant now) {
    Instant before = asked.get();
    return !now.isBefore(before.plus(ASKED_AGAIN)) && asked.compareAndSet(before, now);
  }

  private static String silent(ExportContact contact, Instant now) {
    return "nothing was heard of "
        + contact.source()
        + " for "
        + Duration.between(contact.at(), now).toSeconds()
        + " s, so rules may have changed"
        + (contact.problem().isEmpty() ? "" : ": " + contact.problem());
  }

  /** How long ago the stalest of those who tell of rules was heard; zero until rules are known. */
  public Duration silence() {
    ExportView followed = view;
    return followed == null
        ? Duration.ZERO
        : followed
            .stalest(DependencyRule.TYPE)
            .map(contact -> Duration.between(contact.at(), clock.instant()))
            .orElse(Duration.ZERO);
  }

  /** For operators: what is held from each endpoint. */
  public Map<String, Object> endpoints() {
    ExportView followed = view;
    return followed == null ? Map.of() : followed.describe();
  }

  @Override
  public void changed(ResourceType type, Change change) {
    if (type.equals(DependencyRule.TYPE)) {
      switch (change) {
        case Change.Added(_, KubeObject object) -> said(object);
        case Change.Updated(_, KubeObject before, KubeObject after) -> {
          if (!ParsedRules.saysTheSame(before, after)) {
            said(after);
          }
        }
        case Change.Removed(var key, _) -> {
          changes.incrementAndGet();
          LOG.info("Rule {} is gone", key);
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
    closed = true;
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
            .maxStaleness(silenceMax)
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
        before.close();
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
                followed, asOf, RuleIndex.of(readings.valid(followed.all(DependencyRule.TYPE))));
      }
      return indexed.rules();
    } finally {
      indexing.unlock();
    }
  }

  /** Read here, so that no review has to wait for it. */
  private void said(KubeObject object) {
    changes.incrementAndGet();
    switch (readings.of(object)) {
      case RuleReading.Valid(var rule) -> LOG.info("Rule {} is in force", rule.qualifiedName());
      case RuleReading.Invalid(var key, _, var problems) ->
          LOG.warn("Rule {} protects nothing until it is corrected: {}", key, problems);
    }
  }
}
