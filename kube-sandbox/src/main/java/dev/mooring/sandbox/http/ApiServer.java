package dev.mooring.sandbox.http;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.sandbox.http.exchange.Exchange;
import dev.mooring.sandbox.http.resource.ResourceEndpoint;
import dev.mooring.sandbox.security.authentication.RequestAuthenticator;
import dev.mooring.sandbox.security.certificate.ClientAuthorities;
import dev.mooring.sandbox.security.certificate.ServerIdentity;
import dev.mooring.sandbox.security.user.UserInfo;
import dev.mooring.sandbox.storage.ResourceStore;
import dev.mooring.sandbox.strategy.WritePipeline;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketOption;
import java.net.URI;
import java.nio.ByteBuffer;
import java.security.KeyStore;
import java.security.cert.CRL;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.TrustManager;
import jdk.net.ExtendedSocketOptions;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.DetectorConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory.X509ExtendedTrustManagerWrapper;
import org.eclipse.jetty.util.thread.VirtualThreadPool;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The HTTPS side of the sandbox: one connector for HTTP/1.1 and HTTP/2, a virtual thread a request.
 */
public final class ApiServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ApiServer.class);

  // Longer than any watch lasts; only unused connections reach it.
  private static final Duration IDLE = Duration.ofMinutes(40);
  // As many watches as a client may want on one connection.
  private static final int STREAMS_MAX = 2_000;
  private static final int STREAM_WINDOW = 1 << 20;
  // Of URL and headers together, as in Go.
  private static final int HEADERS_MAX = 1 << 20;
  // Requests without an answer this long after the end began are cut off: as long as an admission
  // webhook may take if its configuration says nothing.
  private static final Duration ANSWERED_WITHIN = Duration.ofSeconds(10);

  private final Server server;
  private final ServerConnector connector;
  private final String host;
  private URI url;
  private @Nullable ResourceEndpoint resources;
  private @Nullable GracefulHandler requests;
  private volatile @Nullable RequestRouter router;
  private volatile @Nullable RequestAuthenticator users;

  /** Answers requests. Thread-safe. */
  @FunctionalInterface
  public interface RequestRouter {
    /** Throws {@code ApiFailure}. */
    void answer(Exchange exchange) throws IOException;
  }

  /**
   * @param clients whose certificates clients are asked for; if empty, none are
   * @param address to listen on
   * @param host in the URL
   * @param port 0 for any free one
   */
  public ApiServer(
      ServerIdentity identity,
      Optional<ClientAuthorities> clients,
      String address,
      String host,
      int port) {
    this.host = host;
    this.url = URI.create("https://" + host + ":" + port);
    var threads = new VirtualThreadPool();
    threads.setName("api");
    // The default of 200 would let 199 watches use it up.
    threads.setMaxConcurrentTasks(0);
    server = new Server(threads);
    server.setErrorHandler(ApiServer::answerMalformed);
    connector = connector(identity, clients, address, port);
    server.addConnector(connector);
  }

  private ServerConnector connector(
      ServerIdentity identity, Optional<ClientAuthorities> clients, String address, int port) {
    var configuration = new HttpConfiguration();
    configuration.setSendServerVersion(false);
    configuration.setRequestHeaderSize(HEADERS_MAX);
    configuration.setUriCompliance(UriCompliance.LEGACY);
    configuration.addCustomizer(new SecureRequestCustomizer(false));
    configuration.setIdleTimeout(IDLE.toMillis());
    var http1 = new HttpConnectionFactory(configuration);
    var http2 = new HTTP2ServerConnectionFactory(configuration);
    http2.setMaxConcurrentStreams(STREAMS_MAX);
    http2.setInitialStreamRecvWindow(STREAM_WINDOW);
    http2.setStreamIdleTimeout(IDLE.toMillis());
    var alpn = new ALPNServerConnectionFactory();
    alpn.setDefaultProtocol(http1.getProtocol());
    // Keeps the key store in memory; the password protects nothing.
    String password = UUID.randomUUID().toString();
    var tls = new AskingClients(clients);
    tls.setKeyStore(identity.keyStore(password.toCharArray()));
    tls.setKeyStorePassword(password);
    tls.setSniRequired(false);
    var made =
        new ProbingConnector(
            server,
            new HttpsOnly(new SslConnectionFactory(tls, alpn.getProtocol())),
            alpn,
            http2,
            http1);
    made.setHost(address);
    made.setPort(port);
    made.setIdleTimeout(IDLE.toMillis());
    made.setAcceptQueueSize(1_024);
    return made;
  }

  /** Answers what cannot be read as a request, as Go does. */
  private static boolean answerMalformed(Request request, Response response, Callback callback) {
    int status =
        response.getStatus() == HttpStatus.URI_TOO_LONG_414
            ? HttpStatus.REQUEST_HEADER_FIELDS_TOO_LARGE_431
            : response.getStatus();
    response.setStatus(status);
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/plain; charset=utf-8");
    Content.Sink.write(response, true, status + " " + HttpStatus.getMessage(status), callback);
    return true;
  }

  /** Says so to clients of plain HTTP, as Go does. */
  private static final class HttpsOnly extends DetectorConnectionFactory {
    private static final String REFUSAL =
        "HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n";

    private HttpsOnly(SslConnectionFactory tls) {
      super(tls);
    }

    @Override
    protected void nextProtocol(Connector connector, EndPoint endPoint, ByteBuffer read) {
      endPoint.write(Callback.from(endPoint::close), BufferUtil.toBuffer(REFUSAL));
    }
  }

  /** Has the system ask idle clients whether they are still there: some leave without a word. */
  private static final class ProbingConnector extends ServerConnector {
    /** After so many seconds without a packet, and as long between two questions. */
    private static final int PROBE_SECONDS = 5;

    private static final int PROBES_MAX = 3;

    private ProbingConnector(Server server, ConnectionFactory... factories) {
      super(server, factories);
    }

    @Override
    protected void configure(Socket socket) {
      super.configure(socket);
      try {
        socket.setKeepAlive(true);
        set(socket, ExtendedSocketOptions.TCP_KEEPIDLE, PROBE_SECONDS);
        set(socket, ExtendedSocketOptions.TCP_KEEPINTERVAL, PROBE_SECONDS);
        set(socket, ExtendedSocketOptions.TCP_KEEPCOUNT, PROBES_MAX);
      } catch (IOException closedAlready) {
        LOG.debug("a connection has ended before it began", closedAlready);
      }
    }

    private static void set(Socket socket, SocketOption<Integer> option, int value)
        throws IOException {
      if (socket.supportedOptions().contains(option)) {
        socket.setOption(option, value);
      }
    }
  }

  /**
   * Asks clients for a certificate of these authorities and takes what comes: as in Kubernetes, it
   * is the authenticator that verifies it, so that a wrong one is answered with 401.
   */
  private static final class AskingClients extends SslContextFactory.Server {
    private final Optional<ClientAuthorities> clients;

    private AskingClients(Optional<ClientAuthorities> clients) {
      this.clients = clients;
      setWantClientAuth(clients.isPresent());
    }

    @Override
    protected TrustManager[] getTrustManagers(
        KeyStore trustStore, Collection<? extends CRL> revoked) throws Exception {
      return clients.isPresent()
          ? new TrustManager[] {
            new X509ExtendedTrustManagerWrapper(null) {
              @Override
              public X509Certificate[] getAcceptedIssuers() {
                return clients.get().accepted();
              }
            }
          }
          : super.getTrustManagers(trustStore, revoked);
    }
  }

  /** Takes the port, without answering yet; throws {@link IOException} if it is taken. */
  public void bind() throws IOException {
    connector.open();
    url = URI.create("https://" + host + ":" + connector.getLocalPort());
  }

  /** Valid once bound. */
  public URI url() {
    return url;
  }

  /** Answers requests, also those that came since the port was bound. */
  public void start(ServerConfig config, ResourceStore store, WritePipeline pipeline, Clock clock) {
    resources = new ResourceEndpoint(store, pipeline, clock);
    users = config.authenticator();
    start(new Router(config, resources, new HealthChecks(store::isWritable)));
  }

  /** Answers requests in another way, such as by forwarding them to other servers. */
  public void start(RequestRouter answering) {
    router = answering;
    requests = new GracefulHandler(new RequestHandler(answering));
    server.setHandler(requests);
    try {
      server.start();
    } catch (Exception e) {
      throw new IllegalStateException("cannot start the HTTPS server at " + url(), e);
    }
  }

  /** Answers a request that came to a front proxy. */
  public void forward(Exchange exchange) throws IOException {
    Objects.requireNonNull(router, "the server has not started").answer(exchange);
  }

  /** The user of a request that came to a front proxy. */
  public UserInfo user(Exchange exchange) {
    return Objects.requireNonNull(users, "the server has not started")
        .authenticate(exchange.credentials());
  }

  /** Ends the watches that may show objects of the cluster, those of all clusters as well. */
  public void endWatches(LogicalCluster cluster) {
    if (resources != null) {
      resources.watches().end(cluster);
    }
  }

  /** Cuts all connections off, as the end of the process would. */
  public void kill() {
    connector.close();
    connector.getConnectedEndPoints().forEach(EndPoint::close);
    if (resources != null) {
      // Those that came through a front proxy.
      resources.watches().end();
    }
    stop();
  }

  /** Lets watches end and other requests be answered, for a moment. */
  @Override
  public void close() {
    if (requests != null) {
      endRequests(requests);
    }
    connector.close();
    stop();
  }

  private void stop() {
    try {
      server.stop();
    } catch (Exception e) {
      throw new IllegalStateException("cannot stop the HTTPS server at " + url(), e);
    }
  }

  private void endRequests(GracefulHandler handler) {
    CompletableFuture<Void> answered = handler.shutdown();
    if (resources != null) {
      answered = CompletableFuture.allOf(answered, resources.watches().end());
    }
    try {
      answered.get(ANSWERED_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException cutOff) {
      LOG.debug("requests are cut off at {}", url(), cutOff);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
