package dev.mooring.depwebhook.endpoint;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.KeyStore;
import java.time.Duration;
import javax.net.SocketFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.ssl.NoSuchSslBundleException;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.ssl.SslStoreBundle;
import org.springframework.boot.web.server.servlet.context.ServletWebServerInitializedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** The port at which reviews come, for this process as its own client. Thread-safe. */
@Component
class OwnPort {
  /** Each makes later handshakes faster, until the JVM has compiled them, and readiness later. */
  static final int CONNECTIONS = 10;

  private static final Duration ANSWER_MAX = Duration.ofSeconds(1);

  /** Is answered without being counted, and the connection closed. */
  private static final byte[] REQUEST =
      "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n".getBytes(US_ASCII);

  private final SslBundles bundles;
  private final String bundle;
  private final InetAddress address;
  private volatile int port;

  OwnPort(
      SslBundles bundles,
      @Value("${server.ssl.bundle:}") String bundle,
      @Value("${server.address:}") String address)
      throws IOException {
    this.bundles = bundles;
    this.bundle = bundle;
    this.address =
        address.isEmpty() ? InetAddress.getLoopbackAddress() : InetAddress.getByName(address);
  }

  @EventListener
  void opened(ServletWebServerInitializedEvent event) {
    if (event.getApplicationContext().getServerNamespace() == null) {
      port = event.getWebServer().getPort();
    }
  }

  boolean isOpen() {
    return port != 0;
  }

  /** A few times, with a handshake and a request each. */
  void connect() throws IOException {
    SocketFactory sockets = sockets();
    for (int i = 0; i < CONNECTIONS; i++) {
      try (Socket socket = sockets.createSocket()) {
        socket.setSoTimeout((int) ANSWER_MAX.toMillis());
        socket.connect(new InetSocketAddress(address, port), (int) ANSWER_MAX.toMillis());
        socket.getOutputStream().write(REQUEST);
        socket.getInputStream().readAllBytes();
      }
    }
  }

  /** They trust the webhook's own certificate. */
  private SocketFactory sockets() throws IOException {
    try {
      KeyStore own = bundles.getBundle(bundle).getStores().getKeyStore();
      SslStoreBundle trusted = SslStoreBundle.of(null, null, own);
      return SslBundle.of(trusted).createSslContext().getSocketFactory();
    } catch (NoSuchSslBundleException e) {
      throw new IOException(e);
    }
  }
}
