package dev.mooring.syncagent;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import dev.mooring.sandbox.security.certificate.ServerIdentity;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/**
 * A TLS proxy in front of a server of this machine, as a load balancer is: with a certificate of
 * its own, and its own idea of who may come in. Where the server names itself in an answer, the
 * answer names the proxy instead.
 */
final class TlsProxy implements AutoCloseable {
  private static final char[] PASSWORD = "proxy".toCharArray();
  private static final List<String> PASSED_ON =
      List.of("Authorization", "Content-Type", "Accept", "User-Agent");

  private final URI server;
  private final URI shown;
  private final Rules rules;
  private final HttpClient client;
  private final HttpsServer https;

  /** Who may come in, and what fails. */
  interface Rules {
    /** Empty if everybody may, by the server's own rules. */
    default Optional<X509Certificate> clientCertificate() {
      return Optional.empty();
    }

    /**
     * What the server is told for this request; empty to refuse it with 401.
     *
     * @param header as it came; empty if there was none
     */
    default Optional<String> authorization(String header) {
      return Optional.of(header);
    }

    /** Whether the proxy answers 503 itself: what is behind it is down. */
    default boolean unavailable(String path) {
      return false;
    }
  }

  /**
   * @param server without a path
   * @param authority that signed the server's certificate
   * @param shown by what URL the proxy is reached
   */
  TlsProxy(URI server, X509Certificate authority, URI shown, ServerIdentity identity, Rules rules) {
    this.server = server;
    this.shown = shown;
    this.rules = rules;
    try {
      this.client =
          HttpClient.newBuilder()
              .version(HttpClient.Version.HTTP_1_1)
              .sslContext(context(null, trusting(authority)))
              .build();
      this.https =
          HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      https.setHttpsConfigurator(new Configurator(rules.clientCertificate(), identity));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
    https.createContext("/", this::handle);
    https.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    https.start();
  }

  int port() {
    return https.getAddress().getPort();
  }

  private static final class Configurator extends HttpsConfigurator {
    private final boolean clientsHaveCertificates;

    Configurator(Optional<X509Certificate> client, ServerIdentity identity)
        throws IOException, GeneralSecurityException {
      super(context(keys(identity), client.isPresent() ? trusting(client.get()) : null));
      this.clientsHaveCertificates = client.isPresent();
    }

    @Override
    public void configure(HttpsParameters parameters) {
      SSLParameters asked = getSSLContext().getDefaultSSLParameters();
      asked.setNeedClientAuth(clientsHaveCertificates);
      parameters.setSSLParameters(asked);
    }
  }

  private static SSLContext context(KeyManager[] keys, TrustManager[] trusted)
      throws GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys, trusted, null);
    return context;
  }

  private static KeyManager[] keys(ServerIdentity identity) throws GeneralSecurityException {
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(identity.keyStore(PASSWORD), PASSWORD);
    return factory.getKeyManagers();
  }

  private static TrustManager[] trusting(X509Certificate certificate)
      throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, PASSWORD);
    store.setCertificateEntry("trusted", certificate);
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    return factory.getTrustManagers();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      String path = exchange.getRequestURI().getPath();
      String header =
          Optional.ofNullable(exchange.getRequestHeaders().getFirst("Authorization")).orElse("");
      Optional<String> authorization = rules.authorization(header);
      if (authorization.isEmpty()) {
        refuse(exchange, 401, "Unauthorized");
      } else if (rules.unavailable(path)) {
        refuse(exchange, 503, "ServiceUnavailable");
      } else {
        passOn(exchange, body, authorization.get());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void refuse(HttpExchange exchange, int code, String reason) throws IOException {
    byte[] status =
        """
        {"kind": "Status", "apiVersion": "v1", "status": "Failure", "message": "%1$s", "reason": "%1$s", "code": %2$d}
        """
            .formatted(reason, code)
            .getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(code, status.length);
    exchange.getResponseBody().write(status);
  }

  private void passOn(HttpExchange exchange, byte[] body, String authorization)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(server.toString() + exchange.getRequestURI()))
            .method(
                exchange.getRequestMethod(),
                body.length == 0
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofByteArray(body));
    for (String name : PASSED_ON) {
      String value = exchange.getRequestHeaders().getFirst(name);
      if (value != null) {
        request.setHeader(name, value);
      }
    }
    if (!authorization.isEmpty()) {
      request.setHeader("Authorization", authorization);
    }
    HttpResponse<InputStream> answer =
        client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
    for (String name : List.of("Content-Type", "Retry-After")) {
      answer
          .headers()
          .firstValue(name)
          .ifPresent(value -> exchange.getResponseHeaders().set(name, value));
    }
    exchange.sendResponseHeaders(answer.statusCode(), 0);
    try (InputStream in = answer.body();
        OutputStream out = exchange.getResponseBody()) {
      copy(in, out);
    }
  }

  /** Line by line: an event of a watch is one, and is due at once. */
  private void copy(InputStream in, OutputStream out) throws IOException {
    out.flush(); // that the head is known is what whoever begins a watch waits for
    var line = new ByteArrayOutputStream();
    var chunk = new byte[16 * 1024];
    for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
      for (int i = 0; i < read; i++) {
        line.write(chunk[i]);
        if (chunk[i] == '\n') {
          tell(line, out);
        }
      }
      out.flush();
    }
    tell(line, out);
  }

  private void tell(ByteArrayOutputStream line, OutputStream out) throws IOException {
    String text = line.toString(StandardCharsets.UTF_8);
    out.write(text.replace(server.toString(), shown.toString()).getBytes(StandardCharsets.UTF_8));
    line.reset();
  }

  @Override
  public void close() {
    https.stop(0);
    client.shutdownNow();
  }
}
