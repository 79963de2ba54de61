package dev.mooring.depwebhook.endpoint;

import org.apache.coyote.AbstractProtocol;
import org.springframework.boot.tomcat.TomcatWebServer;
import org.springframework.boot.web.server.servlet.context.ServletWebServerInitializedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * The open connections by which reviews come. Where they are at their limit a new one is accepted
 * when another is closed: were idle ones kept then, one API server could keep out all others.
 * Thread-safe.
 */
@Component
class Connections {
  private volatile AbstractProtocol<?> protocol;

  /** Whether a connection had better be closed after its review, to make room. */
  boolean crowded() {
    AbstractProtocol<?> reviews = protocol;
    return reviews != null && reviews.getConnectionCount() > reviews.getMaxConnections() / 2;
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
