package dev.mooring.sandbox.http.resource;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.sandbox.api.registry.ResourceDefinition.Origin;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.fault.Fault;
import dev.mooring.sandbox.http.exchange.ClientConnection;
import dev.mooring.sandbox.http.exchange.EventSink;
import dev.mooring.sandbox.storage.ListScope;
import dev.mooring.sandbox.storage.ResourceStore;
import dev.mooring.sandbox.storage.StoreEvent;
import dev.mooring.sandbox.storage.StoreList;
import dev.mooring.sandbox.storage.StoreWatch;
import dev.mooring.sandbox.storage.StoredObject;
import dev.mooring.sandbox.storage.VersionExpired;
import dev.mooring.sandbox.storage.WatchClosed;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Watches: where they start, how long they last, and when they say how far they have come. */
public final class WatchEndpoint {
  private static final Logger LOG = LoggerFactory.getLogger(WatchEndpoint.class);

  /** As the API server's {@code --min-request-timeout}; it adds a random part, we need none. */
  private static final Duration LASTS_DEFAULT = Duration.ofMinutes(30);

  private static final Duration BOOKMARK_EVERY = Duration.ofMinutes(1);

  /** A watch with a timeout gets a bookmark this long before it ends, as from Kubernetes' cache. */
  private static final Duration LAST_BOOKMARK_BEFORE = Duration.ofSeconds(2);

  private static final String INITIAL_EVENTS_END = "k8s.io/initial-events-end";

  private final ResourceStore store;
  private final Clock clock;
  private final Map<StoreWatch, Running> running = new ConcurrentHashMap<>();
  private volatile boolean ended;

  WatchEndpoint(ResourceStore store, Clock clock) {
    this.store = store;
    this.clock = clock;
  }

  /** Of what a watch tells, and when its client has been notified of the end. */
  private record Running(ListScope scope, CompletableFuture<Void> ended) {}

  /**
   * Ends all watches as if their time were over, and those that come yet.
   *
   * @return completes when the clients have been notified
   */
  public CompletableFuture<Void> end() {
    ended = true;
    running.keySet().forEach(StoreWatch::close);
    return CompletableFuture.allOf(
        running.values().stream().map(Running::ended).toArray(CompletableFuture<?>[]::new));
  }

  /** How many run at the moment. */
  public int running() {
    return running.size();
  }

  /** Ends the watches that may show objects of the cluster. */
  public void end(LogicalCluster cluster) {
    running.forEach((watch, of) -> {
      if (of.scope().cluster().filter(own -> !own.equals(cluster)).isEmpty()) {
        watch.close();
      }
    });
  }

  private ClientConnection.Observation registered(StoreWatch watch, ListScope scope) {
    var ended = new CompletableFuture<Void>();
    running.put(watch, new Running(scope, ended));
    // A client that reads nothing any more holds up the write that would tell it.
    watch.onCut(Thread.currentThread()::interrupt);
    if (this.ended) {
      watch.close();
    }
    return () -> {
      running.remove(watch);
      ended.complete(null);
    };
  }

  void answer(ResourceEndpoint.Call call, ListScope scope) throws IOException {
    ObjectRenderer rendering = ObjectRenderer.ofStream(call, clock);
    ListQuery query = ListQuery.of(call.exchange(), call.definition(), true);
    if (call.view().objects(call.definition()).isPresent()) {
      // As at kcp: over as soon as it begins.
      call.exchange().answerEvents(rendering.format(), EventSink::flush);
      return;
    }
    StoreList start = start(call, scope, query);
    rendering.requireTable();
    call.exchange()
        .answerEvents(
            rendering.format(),
            events ->
                write(
                    call, scope, query, start, events, new WatchStream(events, query, rendering)));
  }

  /**
   * @param start the objects that the watch begins with, and the version after which it tells
   *     events
   */
  private void write(
      ResourceEndpoint.Call call,
      ListScope scope,
      ListQuery query,
      StoreList start,
      EventSink events,
      WatchStream stream)
      throws IOException {
    try (StoreWatch watch = opened(call, scope, query, start.version());
        ClientConnection.Observation _ = registered(watch, scope);
        ClientConnection.Observation _ = events.onClientLeft(watch::close)) {
      for (StoredObject object : start.items()) {
        stream.initial(object);
      }
      if (query.replays() && query.bookmarks()) {
        stream.bookmark(start.version(), Optional.of(INITIAL_EVENTS_END));
      }
      events.flush();
      follow(call, scope, query, start.version(), watch, stream);
    } catch (VersionExpired expired) {
      stream.error(ApiFailure.expired(String.valueOf(expired.getMessage())));
    } catch (ApiFailure unconverted) {
      stream.error(unconverted);
    } catch (InterruptedException cut) {
      LOG.debug("A watch ends: its client is too slow");
    } finally {
      // A cut that came too late is not about the connection's next request.
      boolean late = Thread.interrupted();
      LOG.trace("A watch has ended, interrupted: {}", late);
    }
  }

  private StoreList start(ResourceEndpoint.Call call, ListScope scope, ListQuery query) {
    long asked = query.version().orElse(0);
    if (!query.replays()) {
      return new StoreList(asked == 0 ? store.version() : asked, List.of());
    }
    if (asked > 0) {
      ListEndpoint.requireNotAhead(asked, store.version());
    }
    StoreList now = store.list(scope);
    return new StoreList(
        now.version(),
        now.items().stream()
            .filter(object -> ListEndpoint.isVisible(call, object, query))
            .toList());
  }

  /** Throws {@link VersionExpired}. */
  private StoreWatch opened(
      ResourceEndpoint.Call call, ListScope scope, ListQuery query, long after) {
    if (query.version().orElse(0) > 0 && call.exchange().injected(Fault.EXPIRED)) {
      throw new VersionExpired(after, store.version());
    }
    return store.watch(scope, after);
  }

  /**
   * Bookmarks come from where the type's last event came from, and like all events only after the
   * version from which a watch starts: a type that has not changed since gets none.
   */
  private void follow(
      ResourceEndpoint.Call call,
      ListScope scope,
      ListQuery query,
      long after,
      StoreWatch watch,
      WatchStream stream)
      throws IOException, InterruptedException {
    Duration lasting =
        query.timeoutSeconds() == 0 ? LASTS_DEFAULT : Duration.ofSeconds(query.timeoutSeconds());
    Instant end = Instant.now(clock).plus(lasting);
    Instant bookmark = query.bookmarks() ? nextBookmark(end) : end;
    try {
      for (Instant now = Instant.now(clock); now.isBefore(end); now = Instant.now(clock)) {
        if (query.bookmarks() && !now.isBefore(bookmark)) {
          long reached = Math.min(watch.progress(), lastEvent(call, scope));
          if (reached > after) {
            stream.bookmark(reached, Optional.empty());
          }
          bookmark = nextBookmark(end);
        }
        Duration wait = Duration.between(now, bookmark);
        Optional<StoreEvent> event = watch.next(wait.isNegative() ? Duration.ZERO : wait);
        if (event.isPresent()) {
          if (call.exchange().injected(Fault.DROPPED_WATCH)) {
            return;
          }
          call.exchange().injected(Fault.SLOW);
          stream.drain(watch, event.get());
        }
      }
    } catch (WatchClosed closed) {
      LOG.debug("A watch ends: {}", closed.getMessage());
    }
  }

  /**
   * kcp keeps built-in types of all workspaces together, and bound ones, but not each one's own.
   */
  private long lastEvent(ResourceEndpoint.Call call, ListScope scope) {
    boolean isOwn =
        call.definition().origin() == Origin.CUSTOM && scope.resourceKey().identity().isEmpty();
    return store.lastEvent(scope.resourceKey(), isOwn ? scope.cluster() : Optional.empty());
  }

  /** No later than the end. */
  private Instant nextBookmark(Instant end) {
    Instant now = Instant.now(clock);
    Instant last = end.minus(LAST_BOOKMARK_BEFORE);
    Instant regular = now.plus(BOOKMARK_EVERY);
    if (regular.isBefore(last)) {
      return regular;
    }
    return last.isAfter(now) ? last : end;
  }
}
