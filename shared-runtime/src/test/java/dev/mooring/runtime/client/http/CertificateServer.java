package dev.mooring.runtime.client.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import dev.mooring.sandbox.security.certificate.ServerIdentity;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import javax.net.ssl.TrustManagerFactory;

/**
 * A TLS server that lets one client certificate in: at each handshake, and again at each request,
 * as API servers do. Its watch goes on until the test ends it.
 */
final class CertificateServer implements AutoCloseable {
  private static final char[] PASSWORD = "server".toCharArray();
  private static final String END = "";

  private final HttpsServer https;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
  private final AtomicReference<SSLContext> context = new AtomicReference<>();
  private volatile X509Certificate admitted;
  private volatile X509Certificate shown;

  CertificateServer(ServerIdentity identity, X509Certificate client) {
    try {
      https = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    now(identity, client);
    https.setHttpsConfigurator(new Configurator(new ReplaceableContext(context)));
    https.setExecutor(threads);
    https.createContext("/", this::handle);
    https.start();
  }

  /**
   * From the next handshake and request on; what is under way goes on. With another identity of its
   * own it cuts off what asks by a connection from before.
   */
  void now(ServerIdentity identity, X509Certificate client) {
    admitted = client;
    shown = identity.certificate();
    context.set(context(identity, client));
  }

  /** To the oldest watch. */
  void event(String configMap) {
    events.add(
        """
        {"type":"ADDED","object":{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"%s","resourceVersion":"2"}}}
        """
            .formatted(configMap));
  }

  void endWatch() {
    events.add(END);
  }

  String url() {
    return "https://127.0.0.1:" + https.getAddress().getPort();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      SSLSession session = ((HttpsExchange) exchange).getSSLSession();
      if (!session.getLocalCertificates()[0].equals(shown)) {
        return; // cut off, as by a server that was started anew
      }
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      if (!session.getPeerCertificates()[0].equals(admitted)) {
        exchange.sendResponseHeaders(401, -1);
      } else if (String.valueOf(exchange.getRequestURI().getQuery()).contains("watch=true")) {
        exchange.sendResponseHeaders(200, 0);
        tell(exchange.getResponseBody());
      } else {
        exchange.sendResponseHeaders(200, 2);
        exchange.getResponseBody().write("{}".getBytes(StandardCharsets.UTF_8));
      }
    }
  }

  private void tell(OutputStream out) throws IOException {
    try (out) {
      out.flush();
      for (String event = events.take(); !event.equals(END); event = events.take()) {
        out.write(event.getBytes(StandardCharsets.UTF_8));
        out.flush();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static SSLContext context(ServerIdentity identity, X509Certificate client) {
    try {
      KeyManagerFactory keys =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(identity.keyStore(PASSWORD), PASSWORD);
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, PASSWORD);
      store.setCertificateEntry("client", client);
      TrustManagerFactory trusted =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trusted.init(store);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), trusted.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static final class Configurator extends HttpsConfigurator {
    Configurator(SSLContext context) {
      super(context);
    }

    @Override
    public void configure(HttpsParameters parameters) {
      SSLParameters asked = getSSLContext().getDefaultSSLParameters();
      asked.setNeedClientAuth(true);
      parameters.setSSLParameters(asked);
    }
  }

  @Override
  public void close() {
    https.stop(0);
    threads.shutdownNow();
  }
}
