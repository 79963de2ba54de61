package dev.mooring.depwebhook.endpoint;

import java.util.concurrent.atomic.AtomicInteger;
import org.apache.coyote.AbstractProtocol;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.tomcat.TomcatWebServer;
import org.springframework.boot.web.server.servlet.context.ServletWebServerInitializedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * The open connections by which reviews come. Where they are at their limit a new one is accepted
 * when another is closed: were all kept then, API servers that have one could keep out the others.
 * Were each closed after its review, every review would begin with a handshake, which costs as much
 * as the review itself: a webhook that has fallen behind would stay behind. Thread-safe.
 */
@Component
class Connections {
  /** Of the reviews answered while all connections are taken, one in so many is its last. */
  static final int CLOSED_EVERY = 8;

  private final AtomicInteger answered = new AtomicInteger();
  private volatile @Nullable AbstractProtocol<?> protocol;

  /** Whether a connection is to be closed after its review, to make room; asked once for each. */
  boolean makesRoom() {
    AbstractProtocol<?> reviews = protocol;
    return reviews != null
        && reviews.getConnectionCount() >= reviews.getMaxConnections()
        && Math.floorMod(answered.incrementAndGet(), CLOSED_EVERY) == 0;
  }

  @EventListener
  void started(ServletWebServerInitializedEvent event) {
    boolean ofReviews = event.getApplicationContext().getServerNamespace() == null;
    if (ofReviews
        && event.getWebServer() instanceof TomcatWebServer tomcat
        && tomcat.getTomcat().getConnector().getProtocolHandler()
            instanceof AbstractProtocol<?> p) {
      protocol = p;
    }
  }
}
