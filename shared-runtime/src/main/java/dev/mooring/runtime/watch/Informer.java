package dev.mooring.runtime.watch;

import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeFailure.Kind;
import dev.mooring.runtime.client.WatchHandle;
import dev.mooring.runtime.client.WatchQuery;
import dev.mooring.runtime.client.WatchSink.WatchEventType;
import dev.mooring.runtime.watch.WatchSession.End;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps an {@link ObjectCache} of one type in step with one cluster, for as long as it is open:
 *
 * <ol>
 *   <li>list everything, in pages, and make the cache equal to it;
 *   <li>watch from the list's version and apply every event;
 *   <li>when the watch ends in the ordinary way, watch on from the last version received; or start
 *       over if it ended early and the {@link InformerSpec} says so;
 *   <li>when it breaks off, wait (longer each time) and watch on from the last version received;
 *   <li>when that version is too old, or the server refuses, or it breaks off again and again,
 *       start over with a list, which finds what was deleted meanwhile.
 * </ol>
 *
 * A list or watch that fails changes nothing in the cache: failure is not absence. Each informer
 * has one virtual thread of its own. Thread-safe.
 */
public final class Informer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Informer.class);

  /** Broken watches in a row after which the version itself is no longer trusted. */
  private static final int BREAKS_MAX = 3;

  /** A watch that held for so long has worked, even if nothing happened. */
  private static final Duration GOOD_WATCH = Duration.ofSeconds(10);

  /** For which a watch that the server ended, and that is opened again, counts as open. */
  private static final Duration REOPENING_MAX = Duration.ofSeconds(1);

  private final KubeClient client;
  private final InformerSpec spec;
  private final InformerTiming timing;
  private final CacheUpdates updates;
  private final CacheFreshness freshness;
  private final CompletableFuture<Void> synced = new CompletableFuture<>();
  private final CountDownLatch stop = new CountDownLatch(1);
  private final Thread thread;

  private volatile @Nullable WatchHandle open;
  private volatile @Nullable KubeFailure lastFailure;
  private volatile @Nullable Instant lastEventAt;

  /** When the server ended a watch that is being opened again; null otherwise. */
  private volatile @Nullable Instant reopening;

  /** When the server last did not answer; the own thread's. */
  private @Nullable Instant away;

  /** In a row; written by the watch's thread while the informer's own waits for it. */
  private volatile int failures;

  /** Whether the watch is to be left for a new list. */
  private volatile boolean again;

  /** Whether a watch or a list has ended since the server last answered; used by the own thread. */
  private boolean interrupted;

  /**
   * An informer that lists nothing before {@link #start()}.
   *
   * @param listener receives every object as it is first listed, and every change from then on
   */
  public Informer(
      KubeClient client, InformerSpec spec, ChangeListener listener, InformerTiming timing) {
    this.client = client;
    this.spec = spec;
    this.timing = timing;
    this.updates =
        new CacheUpdates(new ObjectCache(client.url(), spec.indexes()), spec.kept(), spec.room());
    this.updates.add(listener);
    this.freshness = new CacheFreshness(spec.maxStaleness());
    this.thread = Thread.ofVirtual().name("informer " + spec.type()).unstarted(this::run);
  }

  public static Informer start(KubeClient client, InformerSpec spec, ChangeListener listener) {
    return start(client, spec, listener, InformerTiming.system());
  }

  public static Informer start(
      KubeClient client, InformerSpec spec, ChangeListener listener, InformerTiming timing) {
    var informer = new Informer(client, spec, listener, timing);
    informer.start();
    return informer;
  }

  public void start() {
    thread.start();
  }

  public InformerSpec spec() {
    return spec;
  }

  /** Of the cluster that is followed. */
  public URI url() {
    return client.url();
  }

  public ObjectCache cache() {
    return updates.cache();
  }

  /** Adds a listener; it receives every present object, as added, before this method returns. */
  public void addListener(ChangeListener listener) {
    updates.add(listener);
  }

  /**
   * Completed once the cache has held everything; completed exceptionally if the informer was
   * closed before.
   */
  public CompletableFuture<Void> synced() {
    return synced.copy();
  }

  public boolean isSynced() {
    return synced.isDone() && !synced.isCompletedExceptionally();
  }

  /**
   * @throws KubeFailure if the cache has not held everything in time: the failure that kept it from
   *     doing so, if there was one
   */
  public void awaitSynced(Duration timeout) {
    try {
      synced.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException e) {
      throw notSynced("not listed within " + timeout, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw notSynced("interrupted", e);
    }
  }

  /** Since the last success; empty if there was none. */
  public Optional<KubeFailure> lastFailure() {
    return Optional.ofNullable(lastFailure);
  }

  /** Of the last answer, event or bookmark; empty before the first. */
  public Optional<Instant> lastEventAt() {
    return Optional.ofNullable(lastEventAt);
  }

  /** The time up to which the cache is proved to be complete; empty before the first list. */
  public Optional<Instant> lastContact() {
    return freshness.until();
  }

  /**
   * Whether a watch is open, or is just being opened again after the server ended it in the
   * ordinary way; if not, the cache may be behind.
   */
  public boolean isConnected() {
    Instant since = reopening;
    return thread.isAlive()
        && (open != null || (since != null && !since.plus(REOPENING_MAX).isBefore(now())));
  }

  /**
   * Lists everything again, for a server whose watch may have shown less than there is. Does not
   * wait for it. A list that is under way may count.
   */
  public void relist() {
    again = true;
    WatchHandle handle = open;
    if (handle != null) {
      handle.close();
    }
  }

  /**
   * Ends the watch; a call of a listener that is under way may still finish. The cache stays as it
   * was. Idempotent.
   */
  @Override
  public void close() {
    stop.countDown();
    WatchHandle handle = open;
    if (handle != null) {
      handle.close();
    }
    thread.interrupt();
    synced.completeExceptionally(new IllegalStateException("closed before it was synced"));
  }

  private void run() {
    follow();
    if (updates.isFull()) {
      LOG.info(
          "Cache of {} at {} exceeds its memory budget; closed",
          spec.type().qualified(),
          client.url());
      synced.completeExceptionally(new CacheUpdates.CacheFull());
    }
  }

  private void follow() {
    while (!over()) {
      try {
        Instant asked = now();
        String version = new FullList(client, spec).readInto(updates);
        freshness.answered(asked);
        answered();
        resumed();
        if (synced.complete(null)) {
          LOG.debug("Listed {} {} at {}", cache().size(), spec.type().qualified(), client.url());
        }
        watchFrom(version);
      } catch (CacheUpdates.CacheFull e) {
        return;
      } catch (KubeFailure e) {
        failed(e);
      } catch (RuntimeException | Error e) {
        // Objects that cannot be held, an index that fails, no memory for a moment: report it and
        // try on, as with any other failure. A thread that ends would leave a cache that looks
        // current and is not.
        String message = client.url() + ": " + spec.type().qualified() + ": " + e;
        failed(KubeFailure.unavailable(message, e));
      }
    }
  }

  /** Returns when the version is no longer good and everything has to be listed again. */
  private void watchFrom(String listed) {
    String version = listed;
    int breaks = 0;
    while (!stopped()) {
      var session = new WatchSession(updates, version, freshness, this::received);
      End end = watchOnce(session);
      interrupted = true;
      version = session.version();
      if (session.progressed()) {
        breaks = 0;
      }
      if (over() || leavesForAList()) {
        return;
      }
      switch (end) {
        case End.Early() when spec.afterWatch() == InformerSpec.AfterWatch.LIST_AGAIN -> {
          return;
        }
        case End.Early(), End.Timely(), End.Silent() -> goOn(session);
        case End.Broken(KubeFailure cause) -> {
          failed(cause);
          if (cause.kind() != Kind.UNAVAILABLE || ++breaks >= BREAKS_MAX) {
            return;
          }
        }
      }
    }
  }

  private void goOn(WatchSession session) {
    if (!session.progressed()) {
      reopening = null;
      failures = failures + 1;
      rest(timing.backoff().delay(failures, timing.chance()));
    }
  }

  private boolean over() {
    return stopped() || updates.isFull();
  }

  private boolean leavesForAList() {
    boolean leaves = again;
    again = false;
    return leaves;
  }

  private End watchOnce(WatchSession session) {
    Instant asked = now();
    Duration life = freshness.life(asked);
    End end = watchOnce(session, asked, life);
    Duration lasted = Duration.between(asked, now());
    if (lasted.compareTo(GOOD_WATCH) >= 0 || lasted.compareTo(life) >= 0) {
      session.held();
      failures = 0;
    }
    switch (end) {
      case End.Timely() when !over() && !again -> {
        freshness.answered(asked);
        reopening = now();
      }
      case End.Silent() ->
          LOG.info(
              "Watch of {} at {} is stale: no event or bookmark in time; watching again",
              spec.type().qualified(),
              client.url());
      case End.Timely(), End.Early(), End.Broken(_) -> {}
    }
    if (!(end instanceof End.Timely)) {
      freshness.brokeOff();
    }
    return end;
  }

  private End watchOnce(WatchSession session, Instant asked, Duration life) {
    var query = new WatchQuery(spec.query(), session.version(), life);
    try (WatchHandle handle = client.watch(spec.type(), query, session)) {
      open = handle;
      reopening = null;
      if (stopped() || again) {
        return new End.Early();
      }
      // Whether the version is good is not known yet, but the server is there and serves the type.
      lastFailure = null;
      resumed();
      return session.awaitEnd(asked, life, timing.clock());
    } catch (KubeFailure e) {
      return new End.Broken(e);
    } finally {
      open = null;
    }
  }

  private void received(WatchEventType type) {
    if (type == WatchEventType.BOOKMARK) {
      freshness.bookmark(now());
    }
    answered();
  }

  private void answered() {
    failures = 0;
    lastFailure = null;
    lastEventAt = now();
  }

  /** Any answer shows that the server is there. */
  private void resumed() {
    if (interrupted) {
      interrupted = false;
      updates.resumed();
    }
  }

  private void failed(KubeFailure failure) {
    if (stopped()) {
      return;
    }
    interrupted = true;
    reopening = null;
    if (failure.kind() == Kind.NOT_SERVED) {
      resumed();
    }
    failures = failures + 1;
    if (failures == 1 && failure.kind() == Kind.GONE) {
      return; // the ordinary fate of an old version: list again at once
    }
    if (lastFailure == null) {
      LOG.warn(
          "List/watch of {} failed; retrying: {}", spec.type().qualified(), failure.getMessage());
    }
    lastFailure = failure;
    if (failure.kind() == Kind.UNAVAILABLE) {
      away = now();
    }
    Duration asked = failure.retryAfter();
    Duration delay = timing.backoff().delay(Math.max(1, failures), timing.chance());
    if (isReturning() && delay.compareTo(timing.returningMax()) > 0) {
      delay = timing.returningMax();
    }
    rest(asked != null && asked.compareTo(delay) > 0 ? asked : delay);
  }

  /** A server that has just started refuses for a while what it serves afterwards. */
  private boolean isReturning() {
    return away != null && away.plus(InformerTiming.RETURNING_FOR).isAfter(now());
  }

  private void rest(Duration delay) {
    try {
      stop.await(delay.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      stop.countDown();
    }
  }

  private Instant now() {
    return timing.clock().instant();
  }

  private boolean stopped() {
    return stop.getCount() == 0;
  }

  private KubeFailure notSynced(String why, Exception cause) {
    String message = client.url() + ": " + spec.type().qualified() + " " + why;
    KubeFailure last = lastFailure;
    return last == null
        ? KubeFailure.unavailable(message, cause)
        : new KubeFailure(
            last.kind(),
            last.code(),
            last.reason(),
            message + ": " + last.getMessage(),
            null,
            last);
  }
}
