package dev.mooring.sandbox.http.resource;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.request.ApiView;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.fault.Fault;
import dev.mooring.sandbox.http.exchange.AcceptHeader;
import dev.mooring.sandbox.http.exchange.ClientConnection;
import dev.mooring.sandbox.http.exchange.EventSink;
import dev.mooring.sandbox.http.exchange.Exchange;
import dev.mooring.sandbox.http.render.ObjectRenderer;
import dev.mooring.sandbox.http.render.TableRenderer;
import dev.mooring.sandbox.storage.ListScope;
import dev.mooring.sandbox.storage.ResourceKey;
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
import org.eclipse.jetty.http.HttpHeader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Watches: where they start, how long they last, and when they say how far they have come. */
final class WatchEndpoint {
  private static final Logger LOG = LoggerFactory.getLogger(WatchEndpoint.class);

  /** As the API server's {@code --min-request-timeout}; it adds a random part, we need none. */
  private static final Duration LASTS_DEFAULT = Duration.ofMinutes(30);

  private static final Duration BOOKMARK_EVERY = Duration.ofMinutes(1);

  /** A watch with a timeout gets a bookmark this long before it ends, as from Kubernetes' cache. */
  private static final Duration LAST_BOOKMARK_BEFORE = Duration.ofSeconds(2);

  private static final String INITIAL_EVENTS_END = "k8s.io/initial-events-end";

  private final ObjectRenderer rendering;
  private final Clock clock;
  private final Map<StoreWatch, Running> running = new ConcurrentHashMap<>();
  private volatile boolean ended;

  WatchEndpoint(ObjectRenderer rendering, Clock clock) {
    this.rendering = rendering;
    this.clock = clock;
  }

  /** Of what a watch tells, and when its client has been notified of the end. */
  private record Running(ListScope scope, CompletableFuture<Void> ended) {}

  /**
   * Ends all watches as if their time were over, and those that come yet.
   *
   * @return completes when the clients have been notified
   */
  CompletableFuture<Void> end() {
    ended = true;
    running.keySet().forEach(StoreWatch::close);
    return CompletableFuture.allOf(
        running.values().stream().map(Running::ended).toArray(CompletableFuture<?>[]::new));
  }

  int running() {
    return running.size();
  }

  /** Ends the watches that may show objects of the cluster. */
  void end(LogicalCluster cluster) {
    running.forEach((watch, of) -> {
      Optional<LogicalCluster> own = of.scope().cluster();
      if (own.isEmpty() || own.get().equals(cluster)) {
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

  /** What a watch begins with: some objects, and all events after a version. */
  private record Start(List<StoredObject> objects, long after) {}

  /** Of what, and after which version, a watch tells. */
  private record Origin(
      ResourceStore store, ResourceDefinition definition, ListScope scope, long after) {}

  void answer(
      Exchange exchange,
      ResourceStore store,
      ApiView view,
      ResourceDefinition definition,
      ListScope scope)
      throws IOException {
    String accept = exchange.header(HttpHeader.ACCEPT);
    AcceptHeader accepted = AcceptHeader.ofStream(accept, ObjectRenderer.offer(definition, accept));
    ListQuery query = ListQuery.of(exchange, definition, true);
    if (view.objects(definition).isPresent()) {
      // As at kcp: over as soon as it begins.
      exchange.answerEvents(accepted.format(), EventSink::flush);
      return;
    }
    Start start = start(store, view, definition, scope, query);
    var included = TableRenderer.included(accepted, exchange.query("includeObject"));
    exchange.answerEvents(
        accepted.format(),
        events -> {
          var stream =
              new WatchStream(events, view, definition, query, accepted, included, rendering);
          var origin = new Origin(store, definition, scope, start.after());
          write(exchange, events, stream, query, start.objects(), origin);
        });
  }

  private void write(
      Exchange exchange,
      EventSink events,
      WatchStream stream,
      ListQuery query,
      List<StoredObject> initial,
      Origin origin)
      throws IOException {
    try (StoreWatch watch = opened(exchange, query, origin);
        ClientConnection.Observation _ = registered(watch, origin.scope());
        ClientConnection.Observation _ = events.onClientLeft(watch::close)) {
      for (StoredObject object : initial) {
        stream.initial(object);
      }
      if (replays(query) && query.bookmarks() == ListQuery.Bookmarks.SENT) {
        stream.bookmark(origin.after(), Optional.of(INITIAL_EVENTS_END));
      }
      stream.flush();
      follow(exchange, watch, stream, query, origin);
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

  /** Whether the watch begins with what is there. */
  private static boolean replays(ListQuery query) {
    return switch (query.initial()) {
      case SENT -> true;
      case NOT_SENT -> false;
      case AS_VERSION_SAYS -> query.version().orElse(0) == 0;
    };
  }

  private static Start start(
      ResourceStore store,
      ApiView view,
      ResourceDefinition definition,
      ListScope scope,
      ListQuery query) {
    long asked = query.version().orElse(0);
    if (replays(query) && asked > 0) {
      ListEndpoint.requireNotAhead(asked, store.version());
    }
    if (!replays(query)) {
      return new Start(List.of(), asked == 0 ? store.version() : asked);
    }
    StoreList now = store.list(scope);
    List<StoredObject> objects =
        now.items().stream()
            .filter(object -> ListEndpoint.isVisible(view, definition, object, query))
            .toList();
    return new Start(objects, now.version());
  }

  /** Throws {@link VersionExpired}. */
  private static StoreWatch opened(Exchange exchange, ListQuery query, Origin origin) {
    if (query.version().orElse(0) > 0 && exchange.injected(Fault.EXPIRED)) {
      throw new VersionExpired(origin.after(), origin.store().version());
    }
    return origin.store().watch(origin.scope(), origin.after());
  }

  /**
   * Bookmarks come from where the type's last event came from, and like all events only after the
   * version from which a watch starts: a type that has not changed since gets none.
   */
  private void follow(
      Exchange exchange, StoreWatch watch, WatchStream stream, ListQuery query, Origin origin)
      throws IOException, InterruptedException {
    Instant end =
        Instant.now(clock)
            .plus(
                query.timeoutSeconds() != 0
                    ? Duration.ofSeconds(query.timeoutSeconds())
                    : LASTS_DEFAULT);
    Instant bookmark = nextBookmark(end);
    try {
      while (true) {
        Instant now = Instant.now(clock);
        if (!now.isBefore(end)) {
          return;
        }
        if (query.bookmarks() == ListQuery.Bookmarks.SENT && !now.isBefore(bookmark)) {
          long reached = Math.min(watch.progress(), lastEvent(origin));
          if (reached > origin.after()) {
            stream.bookmark(reached, Optional.empty());
          }
          bookmark = nextBookmark(end);
        }
        Instant wake =
            query.bookmarks() == ListQuery.Bookmarks.SENT && bookmark.isBefore(end)
                ? bookmark
                : end;
        Duration wait = Duration.between(now, wake);
        Optional<StoreEvent> event = watch.next(wait.isNegative() ? Duration.ZERO : wait);
        if (event.isPresent()) {
          if (exchange.injected(Fault.DROPPED_WATCH)) {
            return;
          }
          exchange.injected(Fault.SLOW);
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
  private static long lastEvent(Origin origin) {
    ResourceKey resourceKey = origin.scope().resourceKey();
    boolean isOwn =
        origin.definition().origin() == ResourceDefinition.Origin.CUSTOM
            && resourceKey.identity().isEmpty();
    return origin
        .store()
        .lastEvent(resourceKey, isOwn ? origin.scope().cluster() : Optional.empty());
  }

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
