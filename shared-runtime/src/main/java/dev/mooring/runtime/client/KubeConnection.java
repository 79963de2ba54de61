package dev.mooring.runtime.client;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.WorkspacePath;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.utils.HttpClientUtils;
import io.fabric8.kubernetes.client.utils.TokenRefreshInterceptor;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Credentials and connections for one server, kcp or Kubernetes, and clients for the clusters it
 * serves. Clients share the connections and end with them. Thread-safe.
 */
public final class KubeConnection implements AutoCloseable {
  private static final Path SERVICE_ACCOUNT =
      Path.of("/var/run/secrets/kubernetes.io/serviceaccount");
  private static final Pattern CLUSTER_URL = Pattern.compile("(?<host>.*?)/clusters/[^/]+");

  private final URI server;
  private final CredentialFiles files;
  private final HttpClient http;
  private final HttpTransport transport;

  private KubeConnection(
      Optional<Path> kubeconfig,
      Config config,
      Credentials credentials,
      ConnectionOptions options) {
    options.server().ifPresent(config::setMasterUrl);
    options
        .caFile()
        .ifPresent(file -> {
          config.setCaCertData(null);
          config.setCaCertFile(file.toString());
        });
    this.server = URI.create(withoutSlash(config.getMasterUrl()));
    // A second attempt of a write would hide that the first may have happened; callers decide.
    config.setRequestRetryBackoffLimit(0);
    config.setUserAgent(options.userAgent());
    config.setConnectionTimeout((int) options.connectTimeout().toMillis());
    ClientKeys.algorithm(config).ifPresent(config::setClientKeyAlgo);
    this.files = CredentialFiles.of(kubeconfig, config);
    this.http = http(config, credentials);
    this.transport = new HttpTransport(http, options);
  }

  private KubeConnection(KubeConnection shared, HttpTransport transport) {
    this.server = shared.server;
    this.files = shared.files;
    this.http = shared.http;
    this.transport = transport;
  }

  private HttpClient http(Config config, Credentials credentials) {
    try {
      HttpClient.Builder builder = HttpClientUtils.getHttpClientFactory().newBuilder(config);
      builder.addOrReplaceInterceptor(TokenRefreshInterceptor.NAME, credentials);
      return builder.build();
    } catch (RuntimeException e) {
      // fabric8 lets its parsers' own exceptions through.
      throw new IllegalArgumentException(
          "the certificates for " + server + " (" + files + ") cannot be used: " + e.getMessage(),
          e);
    }
  }

  /**
   * With the server and the credentials (token, token file, client certificate, user and password,
   * exec plugin) of a kubeconfig's context.
   *
   * @throws IllegalArgumentException if the file cannot be read, or has no such context, or the
   *     context has no server
   */
  public static KubeConnection fromKubeconfig(Path file, ConnectionOptions options) {
    Kubeconfig kubeconfig = Kubeconfig.read(file, options.context());
    return new KubeConnection(
        Optional.of(file), kubeconfig.config(), kubeconfig.credentials(), options);
  }

  /**
   * With the service account that Kubernetes mounts into a pod; its token is read again whenever it
   * changes.
   *
   * @throws IllegalArgumentException outside a pod
   */
  public static KubeConnection inCluster(ConnectionOptions options) {
    return inCluster(System.getenv(), SERVICE_ACCOUNT, options);
  }

  /** Whether {@link #inCluster(ConnectionOptions)} has what it needs. */
  public static boolean runsInCluster() {
    return System.getenv("KUBERNETES_SERVICE_HOST") != null
        && Files.isReadable(SERVICE_ACCOUNT.resolve("token"));
  }

  static KubeConnection inCluster(
      Map<String, String> environment, Path serviceAccount, ConnectionOptions options) {
    String host = environment.get("KUBERNETES_SERVICE_HOST");
    String port = environment.get("KUBERNETES_SERVICE_PORT");
    if (host == null || port == null) {
      throw new IllegalArgumentException(
          "not in a pod: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set; name a"
              + " kubeconfig instead");
    }
    Config config = Config.empty();
    config.setMasterUrl("https://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port);
    config.setCaCertFile(serviceAccount.resolve("ca.crt").toString());
    return new KubeConnection(
        Optional.empty(), config, Credentials.tokenFile(serviceAccount.resolve("token")), options);
  }

  /** As the context has it, path included, such as {@code https://kcp:6443/clusters/root:org}. */
  public URI server() {
    return server;
  }

  /**
   * This connection, if its context points at a workspace of kcp.
   *
   * @throws IllegalArgumentException if it points at a Kubernetes cluster or at kcp as a whole,
   *     whose URLs have no {@code /clusters/<workspace>}; the connection is closed then
   */
  public KubeConnection toWorkspace() {
    if (!CLUSTER_URL.matcher(server.toString()).lookingAt()) {
      close();
      throw new IllegalArgumentException(
          server + " is no workspace of kcp: the server's URL has to end in /clusters/<workspace>");
    }
    return this;
  }

  /**
   * Whether a file that it was made from (kubeconfig, client certificate, key, CA) has other
   * content now, so that a new connection should replace this one. A file that cannot be read at
   * the moment has not changed. Token files are read again by the connection itself.
   */
  public boolean outdated() {
    return files.changed();
  }

  /**
   * The same connection, whose clients send a write only while the condition holds; reads always.
   * One that does not hold any more is a {@link KubeFailure} of kind {@link
   * KubeFailure.Kind#UNAVAILABLE}. For whoever acts by a Lease: work that goes on after the Lease
   * was lost changes nothing then.
   *
   * @param condition is asked for each write, by the thread that writes; must not block
   */
  public KubeConnection writingWhile(BooleanSupplier condition) {
    return new KubeConnection(this, transport.writingWhile(condition));
  }

  /** What all its clients have asked for so far. */
  public RequestTally requests() {
    return transport.requests();
  }

  /** For the cluster that the context points at. */
  public KubeClient client() {
    return new HttpKubeClient(server, transport);
  }

  /** For one logical cluster of the same kcp. */
  public KubeClient client(LogicalCluster cluster) {
    return new HttpKubeClient(URI.create(host() + "/clusters/" + cluster.name()), transport);
  }

  /** For one workspace of the same kcp, by its path. */
  public KubeClient client(WorkspacePath workspace) {
    return new HttpKubeClient(URI.create(host() + "/clusters/" + workspace.value()), transport);
  }

  /**
   * For a URL that kcp gave, such as a virtual workspace's, with {@code /clusters/*} or {@code
   * /clusters/<name>} appended by the caller. The same credentials are sent there.
   *
   * @throws IllegalArgumentException unless it is an absolute URL of the server's own scheme
   */
  public KubeClient client(URI url) {
    if (url.getHost() == null || !server.getScheme().equals(url.getScheme())) {
      throw new IllegalArgumentException(
          "credentials for " + server + " are not sent to \"" + url + "\"");
    }
    return new HttpKubeClient(URI.create(withoutSlash(url.toString())), transport);
  }

  /** Ends the connections, open watches included. Idempotent. */
  @Override
  public void close() {
    http.close();
  }

  /** The server without the cluster that the context points at. */
  private String host() {
    Matcher cluster = CLUSTER_URL.matcher(server.toString());
    return cluster.matches() ? cluster.group("host") : server.toString();
  }

  private static String withoutSlash(String url) {
    return url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
  }
}
