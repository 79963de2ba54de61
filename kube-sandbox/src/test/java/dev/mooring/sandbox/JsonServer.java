package dev.mooring.sandbox;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import dev.mooring.model.json.KubeJson;
import dev.mooring.sandbox.security.certificate.CertificateAuthority;
import dev.mooring.sandbox.security.certificate.ClientIdentity;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.function.BiFunction;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.TrustManagerFactory;

/** An https server on a free port of the loopback interface that answers with JSON. */
public final class JsonServer implements AutoCloseable {
  private final CertificateAuthority authority;
  private final HttpsServer server;
  private final Set<String> clients = ConcurrentHashMap.newKeySet();

  /**
   * @param directory for its certificate
   * @param answers from a path and the body of a request
   */
  JsonServer(Path directory, BiFunction<String, byte[], Map<String, Object>> answers)
      throws IOException, GeneralSecurityException {
    authority = CertificateAuthority.in(directory, Instant.now());
    server = listening(authority);
    server.createContext("/", exchange -> answer(exchange, answers));
    server.start();
  }

  /** An https server with a certificate of the authority; it answers nothing and is not started. */
  public static HttpsServer listening(CertificateAuthority authority)
      throws IOException, GeneralSecurityException {
    char[] password = "password".toCharArray();
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(authority.serverIdentity(Set.of(), Instant.now()).keyStore(password), password);
    KeyStore known = KeyStore.getInstance("PKCS12");
    known.load(null, null);
    known.setCertificateEntry("ca", authority.serverIdentity(Set.of(), Instant.now()).authority());
    TrustManagerFactory clients =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    clients.init(known);
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(keys.getKeyManagers(), clients.getTrustManagers(), null);
    HttpsServer server =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(
        new HttpsConfigurator(tls) {
          @Override
          public void configure(HttpsParameters parameters) {
            SSLParameters asking = tls.getDefaultSSLParameters();
            asking.setWantClientAuth(true);
            parameters.setSSLParameters(asking);
          }
        });
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    return server;
  }

  private void answer(
      HttpExchange exchange, BiFunction<String, byte[], Map<String, Object>> answers)
      throws IOException {
    try (exchange) {
      remember((HttpsExchange) exchange);
      byte[] answer =
          KubeJson.write(
              answers.apply(
                  exchange.getRequestURI().getPath(), exchange.getRequestBody().readAllBytes()));
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(200, answer.length);
      exchange.getResponseBody().write(answer);
    }
  }

  private void remember(HttpsExchange exchange) {
    try {
      clients.add(exchange.getSSLSession().getPeerPrincipal().getName());
    } catch (SSLPeerUnverifiedException withoutCertificate) {
      clients.add("");
    }
  }

  /** The names in the certificates with which clients have come; an empty one for none. */
  Set<String> clients() {
    return Set.copyOf(clients);
  }

  /** A certificate that the server accepts, and its key. */
  ClientIdentity client(String name) {
    return authority.clientIdentity(name, List.of(), Instant.now());
  }

  /** No slash at the end. */
  String url() {
    return "https://127.0.0.1:" + server.getAddress().getPort();
  }

  /** PEM of who signed its certificate. */
  String authority() {
    return authority.certificatePem();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
