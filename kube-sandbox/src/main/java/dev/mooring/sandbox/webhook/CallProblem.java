package dev.mooring.sandbox.webhook;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Why a connection failed. */
final class CallProblem {
  private static final int HTTPS_PORT = 443;
  private static final int CAUSES_MAX = 16;

  private CallProblem() {}

  static String text(IOException failure, URI target) {
    String host = target.getHost();
    if (find(failure, UnresolvedAddressException.class) != null
        || find(failure, UnknownHostException.class) != null) {
      return "dial tcp: lookup " + host + ": no such host";
    }
    int port = target.getPort() < 0 ? HTTPS_PORT : target.getPort();
    if (find(failure, ConnectException.class) != null) {
      return "dial tcp %s:%d: connect: connection refused".formatted(host, port);
    }
    String message = String.valueOf(failure.getMessage());
    return find(failure, SSLException.class) == null
        ? message
        : "tls: failed to verify certificate: " + message;
  }

  /** Whether the server closed a kept connection before it read the request. */
  static boolean isStaleConnection(Throwable failure) {
    return find(failure, SSLException.class) == null
        && (mentions(failure, "received no bytes")
            || mentions(failure, "Connection reset")
            || mentions(failure, "Broken pipe"));
  }

  private static boolean mentions(Throwable failure, String text) {
    Throwable here = failure;
    for (int i = 0; here != null && i < CAUSES_MAX; i++) {
      if (String.valueOf(here.getMessage()).contains(text)) {
        return true;
      }
      here = here.getCause();
    }
    return false;
  }

  private static <T> @Nullable T find(Throwable failure, Class<T> wanted) {
    Throwable here = failure;
    for (int i = 0; here != null && i < CAUSES_MAX; i++) {
      if (wanted.isInstance(here)) {
        return wanted.cast(here);
      }
      here = here.getCause();
    }
    return null;
  }
}
