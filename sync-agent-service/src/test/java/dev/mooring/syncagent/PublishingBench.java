package dev.mooring.syncagent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.testing.Manifests;
import dev.mooring.runtime.testing.TestKcp;
import dev.mooring.runtime.testing.TestWorkspaces;
import dev.mooring.syncagent.published.PublishedResource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Three workspaces of any kcp: one stands for the service cluster (a workspace serves CRDs), one
 * has the APIExport {@code offers}, one binds it. The agent runs between them once it is started,
 * as a user with the rights of the shipped manifests.
 */
final class PublishingBench implements AutoCloseable {
  static final String EXPORT = "offers";

  private static final String AGENT = "mooring:sync-agent";
  private static final Path KCP_RIGHTS = Path.of("../charts/mooring/kcp");
  private static final Path SERVICE_RIGHTS =
      Path.of("../charts/mooring/service-cluster/rbac-agent.yaml");

  /** What a workspace asks for and a Kubernetes cluster does not. */
  private static final String ENTRY =
      """
      apiVersion: rbac.authorization.k8s.io/v1
      kind: ClusterRole
      metadata: {name: entry}
      rules: [{nonResourceURLs: ["/"], verbs: [access]}]
      ---
      apiVersion: rbac.authorization.k8s.io/v1
      kind: ClusterRoleBinding
      metadata: {name: entry}
      roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: entry}
      subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: "%s"}]
      """
          .formatted(AGENT);

  /** A kcp that shares two processors with others binds many types at once no faster. */
  private static final Duration BINDING_PATIENCE = Duration.ofMinutes(5);

  private static final ResourceType BINDINGS =
      new ResourceType("apis.kcp.io", "v1alpha2", "apibindings");

  private final TestWorkspaces workspaces;
  private final Path directory;
  private final WorkspacePath service;
  private final WorkspacePath provider;
  private final SortedSet<String> publishedGroups = new TreeSet<>();
  private final SortedSet<String> publishedResources = new TreeSet<>();
  private ConfigurableApplicationContext agent;

  /**
   * @param directory for kubeconfigs
   */
  PublishingBench(TestKcp kcp, Path directory) {
    this.directory = directory;
    this.workspaces = TestWorkspaces.on(kcp);
    this.service = workspaces.create("publish-service");
    this.provider = workspaces.create("publish-provider");
    establish(TwoClusters.manifest("/crds/publishedresources.syncagent.kcp.io.yaml"));
    workspaces.create(
        provider, TwoClusters.EXPORTS, TwoClusters.manifest("/publishing/export.yaml"));
    workspaces.create(service, ENTRY);
    for (String rights : List.of("rbac-agent-workspace.yaml", "rbac-agent-workspace-prune.yaml")) {
      workspaces.create(
          provider,
          text(KCP_RIGHTS.resolve(rights))
              .replace("[certificates.example.corp]", "[" + EXPORT + "]"));
    }
    grantPublished("pki.example.corp", "certificates");
  }

  /** Lets the agent write one more type on the service cluster. */
  void grantPublished(String group, String resource) {
    publishedGroups.add(group);
    publishedResources.add(resource);
    workspaces.apply(
        service,
        Manifests.parse(
            text(SERVICE_RIGHTS)
                .replace("[pki.example.corp]", publishedGroups.toString())
                .replace("[certificates]", publishedResources.toString())));
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  KubeClient service() {
    return workspaces.client(service);
  }

  /**
   * The service cluster serves a type that has no CRD there: another workspace exports it.
   *
   * @param export of the name that its only resource has
   * @return the other workspace
   */
  WorkspacePath serveWithoutCrd(KubeObject schema, KubeObject export) {
    grantPublished(schema.text("spec", "group"), schema.text("spec", "names", "plural"));
    WorkspacePath other = workspaces.create("publish-other");
    workspaces.create(other, TwoClusters.SCHEMAS, schema);
    workspaces.create(other, TwoClusters.EXPORTS, export);
    workspaces.bind(
        service,
        KubeObject.of(
            Map.of(
                "apiVersion",
                BINDINGS.apiVersion(),
                "kind",
                "APIBinding",
                "metadata",
                Map.of("name", export.name()),
                "spec",
                Map.of(
                    "reference",
                    Map.of("export", Map.of("path", other.value(), "name", export.name()))))));
    return other;
  }

  KubeClient provider() {
    return workspaces.client(provider);
  }

  /** Makes a workspace that has bound the export and accepted the usual claims. */
  WorkspacePath bindConsumer() {
    WorkspacePath consumer = workspaces.create("publish-consumer");
    workspaces.bind(consumer, binding());
    return consumer;
  }

  KubeClient consumer(WorkspacePath consumer) {
    return workspaces.client(consumer);
  }

  private KubeObject binding() {
    List<Object> claims = new ArrayList<>();
    for (String resource : List.of("events", "namespaces", "secrets")) {
      claims.add(
          Map.of(
              "group",
              "",
              "resource",
              resource,
              "verbs",
              List.of("*"),
              "state",
              "Accepted",
              "selector",
              Map.of("matchAll", true)));
    }
    return KubeObject.of(
        Map.of(
            "apiVersion", BINDINGS.apiVersion(),
            "kind", "APIBinding",
            "metadata", Map.of("name", EXPORT),
            "spec",
                Map.of(
                    "reference",
                    Map.of("export", Map.of("path", provider.value(), "name", EXPORT)),
                    "permissionClaims",
                    claims)));
  }

  /** On the service cluster, and waits until it is served. */
  KubeObject createCrd(KubeObject crd) {
    grantPublished(crd.text("spec", "group"), crd.text("spec", "names", "plural"));
    return establish(crd);
  }

  private KubeObject establish(KubeObject crd) {
    workspaces.create(service, TwoClusters.CRDS, crd);
    eventually(
        service(),
        TwoClusters.CRDS,
        crd.name(),
        seen -> assertThat(TwoClusters.condition(seen, "Established")).isEqualTo("True"));
    return crd;
  }

  KubeObject publish(String name, String spec) {
    return publish(
        TwoClusters.object(
            """
            apiVersion: syncagent.kcp.io/v1alpha1
            kind: PublishedResource
            metadata:
              name: %s
            spec:
            %s
            """,
            name, spec.indent(2)));
  }

  KubeObject publish(KubeObject published) {
    return workspaces.create(service, PublishedResource.TYPE, published);
  }

  /**
   * @param spec of the merge patch, in YAML
   */
  void patchPublished(String name, String spec) {
    service().patch(PublishedResource.TYPE, "", name, TwoClusters.object("spec: %s", spec).tree());
  }

  /** Creates it as soon as its type is served in the workspace. */
  KubeObject create(WorkspacePath in, ResourceType type, KubeObject object) {
    return await()
        .atMost(BINDING_PATIENCE)
        .until(() -> attempt(in, type, object), Optional::isPresent)
        .orElseThrow();
  }

  /** Empty where it is worth another try. */
  private Optional<KubeObject> attempt(WorkspacePath in, ResourceType type, KubeObject object) {
    try {
      return Optional.of(workspaces.client(in).create(type, object));
    } catch (KubeFailure e) {
      return switch (e.kind()) {
        case NOT_SERVED, NOT_FOUND, FORBIDDEN, UNAVAILABLE, CONFLICT -> Optional.empty();
        // An earlier attempt, whose answer was lost.
        case ALREADY_EXISTS -> workspaces.client(in).find(type, object.namespace(), object.name());
        case INVALID, UNAUTHORIZED, GONE, TOO_LARGE -> throw e;
      };
    }
  }

  void startAgent(String... properties) {
    var arguments = new ArrayList<String>(List.of(properties));
    arguments.add("--server.port=0");
    arguments.add("--logging.level.dev.mooring=info");
    arguments.add("--mooring.sync-agent.kubeconfig=" + kubeconfig("service", service));
    arguments.add("--mooring.sync-agent.kcp-kubeconfig=" + kubeconfig("provider", provider));
    arguments.add("--mooring.sync-agent.apiexportendpointslice-ref=" + EXPORT);
    agent =
        new SpringApplicationBuilder(SyncAgentApplication.class)
            .profiles("local")
            .run(arguments.toArray(String[]::new));
  }

  void stopAgent() {
    if (agent != null) {
      agent.close();
      agent = null;
    }
  }

  <T> T agentBean(Class<T> type) {
    return agent.getBean(type);
  }

  private Path kubeconfig(String name, WorkspacePath workspace) {
    return workspaces.kubeconfigFor(workspace, directory.resolve(name + ".kubeconfig"), AGENT);
  }

  KubeObject export() {
    return provider().find(TwoClusters.EXPORTS, "", EXPORT).orElseThrow();
  }

  KubeObject published(String name) {
    return service().find(PublishedResource.TYPE, "", name).orElseThrow();
  }

  /** Status of the condition, then its reason: {@code False InvalidSpec}. */
  static String condition(KubeObject object, String type) {
    return object.list("status", "conditions").stream()
        .filter(condition -> type.equals(Trees.at(condition, "type")))
        .map(condition -> Trees.at(condition, "status") + " " + Trees.at(condition, "reason"))
        .findFirst()
        .orElse("");
  }

  KubeObject awaitPublished(String name, Consumer<KubeObject> expected) {
    return eventually(service(), PublishedResource.TYPE, name, expected);
  }

  /** The cluster-scoped object, once it is there as expected. */
  KubeObject eventually(
      KubeClient client, ResourceType type, String name, Consumer<KubeObject> expected) {
    return eventually(client, type, "", name, expected);
  }

  /** The object, once it is there as expected. */
  KubeObject eventually(
      KubeClient client,
      ResourceType type,
      String namespace,
      String name,
      Consumer<KubeObject> expected) {
    await()
        .atMost(TestWorkspaces.PATIENCE)
        .ignoreException(KubeFailure.class)
        .untilAsserted(
            () -> assertThat(client.find(type, namespace, name)).hasValueSatisfying(expected));
    return client.find(type, namespace, name).orElseThrow();
  }

  @Override
  public void close() {
    stopAgent();
    workspaces.close();
  }
}
