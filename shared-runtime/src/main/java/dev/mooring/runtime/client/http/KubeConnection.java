package dev.mooring.runtime.client.http;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.credentials.ConnectionOptions;
import dev.mooring.runtime.client.credentials.CredentialFiles.FileState;
import dev.mooring.runtime.client.credentials.ServerAccess;
import dev.mooring.runtime.time.Scheduler;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
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

  private final ServerAccess made;
  private final HttpClientGenerations lines;
  private final HttpTransport transport;

  private KubeConnection(Supplier<ServerAccess> source, ConnectionOptions options) {
    this.made = source.get();
    this.lines = new HttpClientGenerations(source, made);
    this.transport = new HttpTransport(lines, options);
  }

  private KubeConnection(KubeConnection shared, HttpTransport transport) {
    this.made = shared.made;
    this.lines = shared.lines;
    this.transport = transport;
  }

  /**
   * With the server and the credentials (token, token file, client certificate, user and password,
   * exec plugin) of a kubeconfig's context.
   *
   * @throws IllegalArgumentException if the file cannot be read, or has no such context, or the
   *     context has no server
   */
  public static KubeConnection fromKubeconfig(Path file, ConnectionOptions options) {
    return new KubeConnection(() -> ServerAccess.ofKubeconfig(file, options), options);
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
    return new KubeConnection(
        () -> ServerAccess.ofPod(environment, serviceAccount, options), options);
  }

  /** As the context has it, path included, such as {@code https://kcp:6443/clusters/root:org}. */
  public URI server() {
    return made.server();
  }

  /**
   * This connection, if its context points at a workspace of kcp.
   *
   * @throws IllegalArgumentException if it points at a Kubernetes cluster or at kcp as a whole,
   *     whose URLs have no {@code /clusters/<workspace>}; the connection is closed then
   */
  public KubeConnection toWorkspace() {
    if (!CLUSTER_URL.matcher(server().toString()).lookingAt()) {
      close();
      throw new IllegalArgumentException(
          server()
              + " is no workspace of kcp: the server's URL has to end in /clusters/<workspace>");
    }
    return this;
  }

  /**
   * Whether a file that it was made from has other content now. For owners that replace the whole
   * connection, also where its server is another one now; the others have it {@link #keptRenewed}.
   * A file that cannot be read at the moment has not changed.
   */
  public boolean outdated() {
    return made.files().compare() instanceof FileState.Changed;
  }

  /**
   * This connection, which from now on takes up a renewed client certificate, key, CA or kubeconfig
   * by itself, within seconds. What is under way goes on for five minutes at most. Files that
   * cannot be used (yet), or that lead to another server, change nothing.
   */
  public KubeConnection keptRenewed(Scheduler scheduler) {
    lines.keepRenewed(scheduler);
    return this;
  }

  /**
   * The same connection, whose clients send a write only while the condition holds, such as that
   * this process leads; else they fail with {@link KubeFailure.Kind#UNAVAILABLE}.
   *
   * @param condition is asked for each write, by the thread that writes; must not block
   */
  public KubeConnection writingWhile(BooleanSupplier condition) {
    return new KubeConnection(this, transport.writingWhile(condition));
  }

  /** The client certificate that new requests show; empty with other credentials. */
  public Optional<X509Certificate> clientCertificate() {
    return lines.certificate();
  }

  /** What all its clients have asked for so far. */
  public RequestCounters requests() {
    return transport.requests();
  }

  /** For the cluster that the context points at. */
  public KubeClient client() {
    return new HttpKubeClient(server(), transport);
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
    if (url.getHost() == null || !server().getScheme().equals(url.getScheme())) {
      throw new IllegalArgumentException(
          "credentials for " + server() + " are not sent to \"" + url + "\"");
    }
    return new HttpKubeClient(URI.create(ServerAccess.withoutSlash(url.toString())), transport);
  }

  /** Ends the connections, open watches included. Idempotent. */
  @Override
  public void close() {
    lines.close();
  }

  /** How many sets of connections are open: more than one while a former one ends. */
  int linesOpen() {
    return lines.open();
  }

  /** The server without the cluster that the context points at. */
  private String host() {
    Matcher cluster = CLUSTER_URL.matcher(server().toString());
    return cluster.matches() ? cluster.group("host") : server().toString();
  }
}
