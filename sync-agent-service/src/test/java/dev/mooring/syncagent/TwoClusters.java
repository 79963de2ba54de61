package dev.mooring.syncagent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.credentials.ConnectionOptions;
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.runtime.testing.ManagementContract;
import dev.mooring.sandbox.KcpSandbox;
import dev.mooring.sandbox.ServerOptions;
import dev.mooring.sandbox.codec.YamlText;
import dev.mooring.sandbox.kube.KubeOptions;
import dev.mooring.sandbox.kube.KubeSandbox;
import dev.mooring.syncagent.agent.SyncAgent;
import dev.mooring.syncagent.published.PublishedResource;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * A service cluster that publishes certificates, a kcp with a provider's workspace and two
 * consumers' that have bound its export, and the agent between them. As a static extension it
 * stands for all tests of a class.
 */
final class TwoClusters implements BeforeAllCallback, AfterAllCallback {
  static final ResourceType CRDS =
      new ResourceType("apiextensions.k8s.io", "v1", "customresourcedefinitions");
  static final ResourceType CERTIFICATES =
      new ResourceType("certs.example.io", "v1", "certificates");
  static final ResourceType WIDGETS = new ResourceType("shop.example.io", "v1", "widgets");
  static final ResourceType SECRETS = ResourceType.core("secrets");
  static final ResourceType NAMESPACES = ResourceType.core("namespaces");
  static final ResourceType EXPORTS = new ResourceType("apis.kcp.io", "v1alpha2", "apiexports");
  static final ResourceType SCHEMAS =
      new ResourceType("apis.kcp.io", "v1alpha1", "apiresourceschemas");

  /** In kcp somebody without any rights, by this token. */
  static final String AGENT_USER = "agent";

  static final String AGENT_TOKEN = "agent-token";

  /** Somebody else than the tests themselves who may do everything on both sides, by this token. */
  static final String ROBOT_USER = "robot";

  static final String ROBOT_TOKEN = "robot-token";
  static final ResourceType BINDINGS = new ResourceType("apis.kcp.io", "v1alpha2", "apibindings");
  private static final ResourceType WORKSPACES =
      new ResourceType("tenancy.kcp.io", "v1alpha1", "workspaces");
  private static final WorkspacePath PROVIDER = WorkspacePath.ROOT.child("provider");

  /** Far longer than anything takes; only failing tests wait for it. */
  private static final Duration PATIENCE = Duration.ofSeconds(150);

  private final int shards;
  private final boolean agentStays;
  private Path directory;
  private KcpSandbox kcpServer;
  private KubeSandbox serviceServer;
  private KubeConnection kcp;
  private KubeConnection serviceConnection;
  private Path providerKubeconfig;
  private ConfigurableApplicationContext agent;

  private TwoClusters(int shards, boolean agentStays) {
    this.shards = shards;
    this.agentStays = agentStays;
  }

  /** With everything bound, and the agent running. */
  static TwoClusters withAgent() {
    return new TwoClusters(1, true);
  }

  /** With everything published and bound by an agent that was stopped again. */
  static TwoClusters withoutAgent() {
    return new TwoClusters(1, false);
  }

  /** As {@link #withoutAgent}, with a kcp of several shards. */
  static TwoClusters withShards(int shards) {
    return new TwoClusters(shards, false);
  }

  @Override
  public void beforeAll(ExtensionContext context) throws IOException {
    open(Files.createTempDirectory("two-clusters"));
  }

  @Override
  public void afterAll(ExtensionContext context) throws IOException {
    close();
    try (Stream<Path> files = Files.walk(directory)) {
      files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
    }
  }

  private void open(Path root) throws IOException {
    directory = root;
    Path users =
        Files.writeString(
            root.resolve("users.csv"),
            AGENT_TOKEN
                + ","
                + AGENT_USER
                + ",agent-uid\n"
                + ROBOT_TOKEN
                + ","
                + ROBOT_USER
                + ",robot-uid,system:masters\n"
                + ManagementContract.USERS);
    kcpServer =
        KcpSandbox.start(
            ServerOptions.in(root.resolve("kcp")).withTokenFile(users).withShards(shards));
    serviceServer = KubeSandbox.start(KubeOptions.in(root.resolve("service")).withTokenFile(users));
    kcp = KubeConnection.fromKubeconfig(kcpServer.kubeconfigFile(), options());
    serviceConnection = KubeConnection.fromKubeconfig(serviceServer.kubeconfigFile(), options());
    providerKubeconfig =
        Files.writeString(
            root.resolve("provider.kubeconfig"),
            kcpServer.kubeconfig().replace("/clusters/root", "/clusters/" + PROVIDER));
    publish();
    if (agentStays) {
      startAgent();
      bindConsumers();
    } else {
      // Not as a whole application, which would take seconds to begin with.
      try (var _ = AgentStart.between(this).start()) {
        bindConsumers();
      }
    }
  }

  private void bindConsumers() {
    bind("consumer-1");
    bind("consumer-2");
    awaitCondition("certificates", "Syncing", "True");
  }

  private static ConnectionOptions options() {
    return ConnectionOptions.of("sync-agent-test");
  }

  private void publish() {
    createWorkspace("provider");
    provider().create(EXPORTS, manifest("/clusters/export.yaml"));
    createCrd("/crds/publishedresources.syncagent.kcp.io.yaml");
    createCrd("/clusters/certificate-crd.yaml");
    service().create(PublishedResource.TYPE, manifest("/clusters/published-certificates.yaml"));
  }

  void createCrd(String file) {
    String name = service().create(CRDS, manifest(file)).name();
    eventually(
        service(),
        CRDS,
        "",
        name,
        crd -> assertThat(condition(crd, "Established")).isEqualTo("True"));
  }

  private void bind(String consumer) {
    createWorkspace(consumer);
    bindExport(consumer);
  }

  /** In a workspace that is there. */
  void bindExport(String consumer) {
    consumer(consumer).create(BINDINGS, manifest("/clusters/binding.yaml"));
    eventually(
        consumer(consumer),
        BINDINGS,
        "",
        "certs",
        binding -> assertThat(binding.text("status", "phase")).isEqualTo("Bound"));
  }

  void createWorkspace(String name) {
    KubeClient root = kcp.client(WorkspacePath.ROOT);
    root.create(
        WORKSPACES,
        object(
            """
            apiVersion: tenancy.kcp.io/v1alpha1
            kind: Workspace
            metadata:
              name: %s
            """,
            name));
    eventually(
        root,
        WORKSPACES,
        "",
        name,
        workspace -> assertThat(workspace.text("status", "phase")).isEqualTo("Ready"));
  }

  /** Until nothing of it is left; what is in it must not be held. */
  void removeWorkspace(String name) {
    KubeClient root = kcp.client(WorkspacePath.ROOT);
    delete(root, WORKSPACES, "", name);
    eventuallyGone(root, WORKSPACES, "", name);
  }

  /** As a new process would: nothing of what an earlier one knew is left. */
  void startAgent() {
    agent =
        new SpringApplicationBuilder(SyncAgentApplication.class)
            .profiles("local")
            .run(
                "--server.port=0",
                "--logging.level.dev.mooring=info",
                "--mooring.sync-agent.kubeconfig=" + serviceServer.kubeconfigFile(),
                "--mooring.sync-agent.kcp-kubeconfig=" + providerKubeconfig,
                "--mooring.sync-agent.apiexportendpointslice-ref=certs");
  }

  void stopAgent() {
    agent.close();
    agent = null;
  }

  /** For whatever files a test needs; goes with the clusters. */
  Path directory() {
    return directory;
  }

  KcpSandbox kcpServer() {
    return kcpServer;
  }

  KubeSandbox serviceServer() {
    return serviceServer;
  }

  Path serviceKubeconfig() {
    return serviceServer.kubeconfigFile();
  }

  /** Points at the provider's workspace. */
  Path kcpKubeconfig() {
    return providerKubeconfig;
  }

  /** Where the agent itself is asked. */
  URI management(String path) {
    return URI.create(
        "http://127.0.0.1:" + agent.getEnvironment().getProperty("local.server.port") + path);
  }

  KubeClient service() {
    return serviceConnection.client();
  }

  KubeClient provider() {
    return kcp.client(PROVIDER);
  }

  KubeClient consumer(String name) {
    return kcp.client(WorkspacePath.ROOT.child(name));
  }

  /** Whose name is the namespace of the consumer's copies. */
  LogicalCluster cluster(String consumer) {
    return consumer(consumer)
        .find(NAMESPACES, "", "default")
        .flatMap(KubeObject::logicalCluster)
        .orElseThrow();
  }

  /** The object, once it is there as expected. */
  KubeObject eventually(
      KubeClient client,
      ResourceType type,
      String namespace,
      String name,
      Consumer<KubeObject> expected) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> assertThat(client.find(type, namespace, name)).hasValueSatisfying(expected));
    return client.find(type, namespace, name).orElseThrow();
  }

  void eventuallyGone(KubeClient client, ResourceType type, String namespace, String name) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(client.find(type, namespace, name)).isEmpty());
  }

  void awaitCondition(String publishedResource, String type, String status) {
    eventually(
        service(),
        PublishedResource.TYPE,
        "",
        publishedResource,
        resource -> assertThat(condition(resource, type)).isEqualTo(status));
  }

  /** Status of a condition; empty if there is none of the type. */
  static String condition(KubeObject object, String type) {
    return object.list("status", "conditions").stream()
        .filter(condition -> type.equals(Trees.at(condition, "type")))
        .map(condition -> Trees.textOrEmpty(Trees.at(condition, "status")))
        .findFirst()
        .orElse("");
  }

  static void delete(KubeClient client, ResourceType type, String namespace, String name) {
    client.delete(type, namespace, name, new DeleteCondition.Unconditional());
  }

  /** From YAML with the parameters of {@link String#format}. */
  SyncAgent agent() {
    return agent.getBean(SyncAgent.class);
  }

  static KubeObject object(String yaml, Object... parameters) {
    return KubeObject.of(Trees.mapOrEmpty(YamlText.read(yaml.formatted(parameters))));
  }

  static KubeObject manifest(String file) {
    try (InputStream in = TwoClusters.class.getResourceAsStream(file)) {
      return KubeObject.of(
          Trees.mapOrEmpty(YamlText.read(new String(in.readAllBytes(), StandardCharsets.UTF_8))));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void close() {
    if (agent != null) {
      agent.close();
    }
    // The first of them that is missing is the one that could not be started.
    Stream.of(kcp, serviceConnection, kcpServer, serviceServer)
        .filter(Objects::nonNull)
        .forEach(TwoClusters::end);
  }

  private static void end(AutoCloseable opened) {
    try {
      opened.close();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
