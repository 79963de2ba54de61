package dev.mooring.depwebhook.endpoint;

import java.util.Set;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.SocketWrapperBase;

/** Tomcat's, and shows its connections. Tomcat creates it by its name. */
public final class ReviewProtocol extends Http11NioProtocol {
  Set<SocketWrapperBase<NioChannel>> open() {
    return getEndpoint().getConnections();
  }
}
