package dev.mooring.depwebhook.endpoint;

import static java.util.stream.Collectors.toSet;

import dev.mooring.runtime.time.Clocks;
import dev.mooring.runtime.time.Scheduler;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.tomcat.TomcatWebServer;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.server.servlet.context.ServletWebServerInitializedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * The open connections by which reviews come. Where they are at their limit a new one is accepted
 * when another is closed: were all kept then, API servers that have one could keep out the others.
 * Were each closed after its review, every review would begin with a handshake, which costs as much
 * as the review itself: a webhook that has fallen behind would stay behind.
 *
 * <p>An API server sends a review at once when it has connected. A connection without one is closed
 * after {@link #REVIEW_MAX}, however slowly its client sends, and earlier where all connections are
 * taken and such ones are more than half of them: so clients without a key keep out no API server.
 * Thread-safe.
 */
@Component
class Connections
    implements WebServerFactoryCustomizer<TomcatServletWebServerFactory>, AutoCloseable {
  /** Of the reviews answered while all connections are taken, one in so many is its last. */
  static final int CLOSED_EVERY = 8;

  /** For the handshake and the first head: API servers wait for a review no longer by default. */
  private static final Duration REVIEW_MAX = Duration.ofSeconds(10);

  private static final Duration PERIOD = Duration.ofMillis(500);

  private final AtomicInteger answered = new AtomicInteger();
  private final InstantSource clock;
  private final Scheduler.Scheduled sweeps;

  /** By the connection's id. */
  private final Map<String, Instant> withoutReview = new ConcurrentHashMap<>();

  private final Set<String> withReview = ConcurrentHashMap.newKeySet();
  private volatile @Nullable ReviewProtocol protocol;

  Connections(Clocks clocks, Scheduler scheduler) {
    this.clock = clocks.steady();
    this.sweeps = scheduler.every(PERIOD, "connections", this::sweep);
  }

  @Override
  public void customize(TomcatServletWebServerFactory factory) {
    factory.setProtocol(ReviewProtocol.class.getName());
  }

  /** The connection has brought a review that is accepted. */
  void brought(HttpServletRequest review) {
    withReview.add(review.getServletConnection().getConnectionId());
  }

  /** Whether a connection is to be closed after its review, to make room; asked once for each. */
  boolean makesRoom() {
    ReviewProtocol reviews = protocol;
    return reviews != null
        && reviews.getConnectionCount() >= reviews.getMaxConnections()
        && Math.floorMod(answered.incrementAndGet(), CLOSED_EVERY) == 0;
  }

  private void sweep() {
    ReviewProtocol reviews = protocol;
    if (reviews == null) {
      return;
    }
    Set<SocketWrapperBase<NioChannel>> open = reviews.open();
    Set<String> ids = open.stream().map(Connections::id).collect(toSet());
    withReview.retainAll(ids);
    withoutReview.keySet().retainAll(ids);
    Instant now = clock.instant();
    List<SocketWrapperBase<NioChannel>> idle =
        open.stream()
            .filter(connection -> !withReview.contains(id(connection)))
            .sorted(Comparator.comparing(connection -> since(connection, now)))
            .toList();
    int max = reviews.getMaxConnections();
    long excess = open.size() < max ? 0 : idle.size() - (max + 1) / 2;
    for (int i = 0; i < idle.size(); i++) {
      if (i < excess || since(idle.get(i), now).plus(REVIEW_MAX).isBefore(now)) {
        end(idle.get(i));
      }
    }
  }

  private Instant since(SocketWrapperBase<NioChannel> connection, Instant now) {
    return withoutReview.computeIfAbsent(id(connection), _ -> now);
  }

  /** As if its client had closed it: Tomcat closes it on the thread that serves it. */
  private static void end(SocketWrapperBase<NioChannel> connection) {
    try {
      connection.getSocket().getIOChannel().shutdownInput();
    } catch (IOException e) {
      // It is closed.
    }
  }

  private static String id(SocketWrapperBase<NioChannel> connection) {
    return connection.getServletConnection("http/1.1", "").getConnectionId();
  }

  @EventListener
  void started(ServletWebServerInitializedEvent event) {
    boolean ofReviews = event.getApplicationContext().getServerNamespace() == null;
    if (ofReviews
        && event.getWebServer() instanceof TomcatWebServer tomcat
        && tomcat.getTomcat().getConnector().getProtocolHandler() instanceof ReviewProtocol p) {
      protocol = p;
    }
  }

  @Override
  public void close() {
    sweeps.cancel();
  }
}
