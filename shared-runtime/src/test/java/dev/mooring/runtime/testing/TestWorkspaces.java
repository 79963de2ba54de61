package dev.mooring.runtime.testing;

import static dev.mooring.runtime.testing.Eventually.await;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.ListQuery;
import dev.mooring.runtime.client.credentials.ConnectionOptions;
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.sandbox.KcpSandbox;
import dev.mooring.sandbox.ServerOptions;
import dev.mooring.sandbox.security.certificate.CertificateAuthority;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.awaitility.core.ConditionFactory;

/** Workspaces of a test on whatever kcp it is given; they go when it ends. */
public final class TestWorkspaces implements AutoCloseable {
  /** A kcp that shares two processors with others may take so long. */
  public static final Duration PATIENCE = Duration.ofMinutes(2);

  private static final ResourceType WORKSPACES =
      new ResourceType("tenancy.kcp.io", "v1alpha1", "workspaces");
  private static final ResourceType LOGICAL_CLUSTERS =
      new ResourceType("core.kcp.io", "v1alpha1", "logicalclusters");
  private static final ResourceType BINDINGS =
      new ResourceType("apis.kcp.io", "v1alpha2", "apibindings");
  private static final ResourceType SHARDS = new ResourceType("core.kcp.io", "v1alpha1", "shards");

  private final Path kubeconfig;
  private final Optional<CertificateAuthority> clients;

  /** Ends with the workspaces. */
  private final Optional<TestSandbox> sandbox;

  private final KubeConnection connection;
  private final List<WorkspacePath> made = new ArrayList<>();

  private TestWorkspaces(
      Path kubeconfig, Optional<CertificateAuthority> clients, Optional<TestSandbox> sandbox) {
    this.kubeconfig = kubeconfig;
    this.clients = clients;
    this.sandbox = sandbox;
    this.connection = KubeConnection.fromKubeconfig(kubeconfig, ConnectionOptions.of("test"));
  }

  /** On a new sandbox that closes with them. */
  public static TestWorkspaces onSandbox(Path directory) {
    return onSandbox(ServerOptions.in(directory).withPort(0));
  }

  public static TestWorkspaces onSandbox(ServerOptions options) {
    TestSandbox sandbox = TestSandbox.start(options);
    TestKcp kcp = sandbox.kcp();
    return new TestWorkspaces(kcp.kubeconfig(), Optional.of(kcp.clients()), Optional.of(sandbox));
  }

  /**
   * On a kcp for which no user can be made.
   *
   * @param kubeconfig of an administrator
   */
  public static TestWorkspaces on(Path kubeconfig) {
    return new TestWorkspaces(kubeconfig, Optional.empty(), Optional.empty());
  }

  public static TestWorkspaces on(TestKcp kcp) {
    return new TestWorkspaces(kcp.kubeconfig(), Optional.of(kcp.clients()), Optional.empty());
  }

  /** Of {@link #onSandbox}. */
  public KcpSandbox sandbox() {
    return sandbox.orElseThrow().server();
  }

  /** A new workspace below root whose name begins so, ready to be used. */
  public WorkspacePath create(String prefix) {
    KubeObject workspace =
        KubeObject.of(
            Map.of(
                "apiVersion", WORKSPACES.apiVersion(),
                "kind", "Workspace",
                "metadata", Map.of("generateName", prefix + "-"),
                "spec", Map.of("type", Map.of("name", "universal", "path", "root"))));
    return ready(client(WorkspacePath.ROOT).create(WORKSPACES, workspace).name());
  }

  /** Deletes a workspace and makes another one of the same name. */
  public void recreate(WorkspacePath workspace) {
    KubeClient root = client(WorkspacePath.ROOT);
    root.delete(WORKSPACES, "", workspace.name(), new DeleteCondition.Unconditional());
    soon().until(() -> root.find(WORKSPACES, "", workspace.name()).isEmpty());
    root.create(
        WORKSPACES,
        KubeObject.of(
            Map.of(
                "apiVersion", WORKSPACES.apiVersion(),
                "kind", "Workspace",
                "metadata", Map.of("name", workspace.name()),
                "spec", Map.of("type", Map.of("name", "universal", "path", "root")))));
    ready(workspace.name());
  }

  public KubeClient client(WorkspacePath workspace) {
    return connection.client(workspace);
  }

  /** Also of one whose workspace is going. */
  public KubeClient client(LogicalCluster cluster) {
    return connection.client(cluster);
  }

  public LogicalCluster cluster(WorkspacePath workspace) {
    return new LogicalCluster(
        client(WorkspacePath.ROOT)
            .find(WORKSPACES, "", workspace.name())
            .orElseThrow()
            .text("spec", "cluster"));
  }

  /** On which of its shards kcp keeps a workspace, as its LogicalCluster says. */
  public String shard(WorkspacePath workspace) {
    return client(workspace)
        .find(LOGICAL_CLUSTERS, "", "cluster")
        .orElseThrow()
        .annotation("core.kcp.io/shard")
        .orElse("");
  }

  /**
   * Deletes all objects of a type with one request, as scripts and kcp's own controllers do.
   *
   * @throws KubernetesClientException with what the server said, if it refused
   */
  public void deleteCollection(WorkspacePath in, ResourceType type, String namespace) {
    String scope = namespace.isEmpty() ? "" : "namespaces/" + namespace + "/";
    String url = client(in).url() + "/" + type.apiPath() + "/" + scope + type.resource();
    try (KubernetesClient client =
        new KubernetesClientBuilder()
            .withConfig(Config.fromKubeconfig(kubeconfig.toFile()))
            .build()) {
      client.raw(url, "DELETE", null);
    }
  }

  /** Creates every document of a file. */
  public void create(WorkspacePath in, Path manifest) {
    Manifests.read(manifest).forEach(object -> create(in, object));
  }

  /** Creates every document. */
  public void create(WorkspacePath in, String yaml) {
    Manifests.parse(yaml).forEach(object -> create(in, object));
  }

  public KubeObject create(WorkspacePath in, KubeObject object) {
    return create(in, Manifests.typeOf(object), object);
  }

  /** Tries on while kcp does not serve the type yet. */
  public KubeObject create(WorkspacePath in, ResourceType type, KubeObject object) {
    return soon()
        .ignoreExceptionsMatching(TestWorkspaces::passes)
        .until(() -> client(in).create(type, object), created -> true);
  }

  /** Binds an export, once its provider has it, and waits until it is bound. */
  public void bind(WorkspacePath in, KubeObject binding) {
    create(in, binding);
    soon()
        .ignoreExceptionsMatching(TestWorkspaces::passes)
        .until(() ->
            client(in)
                .find(BINDINGS, "", binding.name())
                .orElseThrow()
                .text("status", "phase")
                .equals("Bound"));
  }

  public void patch(
      WorkspacePath in,
      ResourceType type,
      String namespace,
      String name,
      Map<String, Object> patch) {
    client(in).patch(type, namespace, name, patch);
  }

  public void delete(WorkspacePath in, ResourceType type, String namespace, String name) {
    client(in).delete(type, namespace, name, new DeleteCondition.Unconditional());
  }

  /** As the administrator, in this workspace. */
  public KubeConnection connect(WorkspacePath workspace) {
    return connect(file -> kubeconfigFor(workspace, file), "test");
  }

  /** As a user who logs in with a client certificate; a service is named for it. */
  public KubeConnection connect(WorkspacePath workspace, String user, String... groups) {
    return connect(
        file -> kubeconfigFor(workspace, file, user, groups),
        user.substring(user.indexOf(':') + 1));
  }

  private static KubeConnection connect(UnaryOperator<Path> written, String service) {
    try {
      Path file = Files.createTempFile("test-", ".kubeconfig");
      try {
        return KubeConnection.fromKubeconfig(written.apply(file), ConnectionOptions.of(service));
      } finally {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A kubeconfig like the administrator's whose current context is this workspace. */
  public Path kubeconfigFor(WorkspacePath workspace, Path file) {
    try {
      String text = Files.readString(kubeconfig);
      String server = connection.server().toString();
      String moved = server.replaceFirst("(/clusters/[^/]+)?$", "/clusters/" + workspace.value());
      return Files.writeString(
          file, text.replaceAll("(?m)server: " + Pattern.quote(server) + "$", "server: " + moved));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * A kubeconfig whose current context is this workspace and whose user logs in with a client
   * certificate.
   *
   * @param groups besides {@code system:authenticated}
   */
  public Path kubeconfigFor(WorkspacePath workspace, Path file, String user, String... groups) {
    Map<String, Object> credentials =
        clients
            .orElseThrow(() -> new IllegalStateException("no client CA of this kcp is known"))
            .clientIdentity(user, List.of(groups), Instant.now())
            .kubeconfigUser();
    KubeObject config = Manifests.read(kubeconfigFor(workspace, file)).getFirst();
    List<Map<String, Object>> users =
        config.list("users").stream()
            .map(entry -> Map.of("name", Trees.at(entry, "name"), "user", credentials))
            .toList();
    try {
      return Files.writeString(file, Serialization.asYaml(config.with(users, "users").tree()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Creates what a manifest describes, or has what is there say the same. */
  public void apply(WorkspacePath in, List<KubeObject> manifest) {
    apply(client(in), manifest);
  }

  /** The same in {@code system:admin} of every shard, where rights count in all its workspaces. */
  public void applyOnShards(List<KubeObject> manifest) {
    try (var shards = connect(WorkspacePath.ROOT, "shard-admin", "system:masters")) {
      for (KubeObject shard : client(WorkspacePath.ROOT).list(SHARDS, ListQuery.ALL).items()) {
        String url = shard.text("spec", "baseURL") + "/clusters/system:admin";
        apply(shards.client(URI.create(url)), manifest);
      }
    }
  }

  private static void apply(KubeClient client, List<KubeObject> manifest) {
    for (KubeObject object : manifest) {
      ResourceType type = Manifests.typeOf(object);
      if (client.find(type, object.namespace(), object.name()).isPresent()) {
        client.patch(type, object.namespace(), object.name(), object.tree());
      } else {
        client.create(type, object);
      }
    }
  }

  @Override
  public void close() {
    KubeClient root = client(WorkspacePath.ROOT);
    for (WorkspacePath workspace : made) {
      try {
        root.delete(WORKSPACES, "", workspace.name(), new DeleteCondition.Unconditional());
      } catch (KubeFailure failure) {
        if (failure.kind() != KubeFailure.Kind.NOT_FOUND) {
          throw failure;
        }
      }
    }
    connection.close();
    sandbox.ifPresent(TestSandbox::close);
  }

  private WorkspacePath ready(String name) {
    WorkspacePath path = WorkspacePath.ROOT.child(name);
    if (!made.contains(path)) {
      made.add(path);
    }
    KubeClient root = client(WorkspacePath.ROOT);
    soon()
        .until(() ->
            root.find(WORKSPACES, "", name).orElseThrow().text("status", "phase").equals("Ready"));
    return path;
  }

  /** Tries at once: most of what is made can be made then. */
  private static ConditionFactory soon() {
    return await()
        .pollDelay(Duration.ZERO)
        .pollInterval((polled, last) -> Duration.ofMillis(Math.min(10L * polled, 100)));
  }

  /** What a workspace that was just made, or a type that was just bound, answers for a while. */
  private static boolean passes(Throwable failure) {
    return failure instanceof KubeFailure kube
        && switch (kube.kind()) {
          case NOT_SERVED, NOT_FOUND, FORBIDDEN, UNAVAILABLE, CONFLICT -> true;
          case ALREADY_EXISTS, INVALID, UNAUTHORIZED, GONE, TOO_LARGE -> false;
        };
  }
}
