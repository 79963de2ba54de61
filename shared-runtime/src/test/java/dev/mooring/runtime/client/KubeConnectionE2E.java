package dev.mooring.runtime.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.WatchSink.WatchEventType;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The connection on a real kcp, named by {@code KCP_KUBECONFIG}. */
class KubeConnectionE2E {
  private static final ResourceType CONFIG_MAPS = ResourceType.core("configmaps");
  private static final ResourceType WORKSPACES =
      new ResourceType("tenancy.kcp.io", "v1alpha1", "workspaces");

  private static KubeConnection connection;
  private static WorkspacePath workspace;

  @BeforeAll
  static void makesWorkspace() {
    String kubeconfig = System.getenv("KCP_KUBECONFIG");
    assumeTrue(kubeconfig != null, "skipped: no kcp (KCP_KUBECONFIG is not set)");
    connection = KubeConnection.fromKubeconfig(Path.of(kubeconfig), ConnectionOptions.of("e2e"));
    KubeClient root = connection.client(WorkspacePath.ROOT);
    KubeObject made =
        root.create(
            WORKSPACES,
            KubeObject.of(
                Map.of(
                    "apiVersion",
                    WORKSPACES.apiVersion(),
                    "kind",
                    "Workspace",
                    "metadata",
                    Map.of("generateName", "rt-e2e-"))));
    workspace = WorkspacePath.ROOT.child(made.name());
    await()
        .atMost(Duration.ofMinutes(2))
        .until(() ->
            root.find(WORKSPACES, "", made.name())
                .orElseThrow()
                .text("status", "phase")
                .equals("Ready"));
  }

  @AfterAll
  static void removesWorkspace() {
    if (workspace != null) {
      connection
          .client(WorkspacePath.ROOT)
          .delete(WORKSPACES, "", workspace.name(), new DeleteCondition.Unconditional());
      connection.close();
    }
  }

  @Test
  void entersTheSameClusterByPathAndByName() {
    KubeClient byPath = connection.client(workspace);
    KubeObject namespace =
        byPath.find(ResourceType.core("namespaces"), "", "default").orElseThrow();
    LogicalCluster cluster = namespace.logicalCluster().orElseThrow();

    KubeClient byName = connection.client(cluster);

    assertThat(byName.find(ResourceType.core("namespaces"), "", "default")).contains(namespace);
  }

  @Test
  void writesUnderPreconditions() {
    KubeClient client = connection.client(workspace);
    KubeObject first = client.create(CONFIG_MAPS, configMap("guarded", "1"));
    KubeObject second =
        client.patch(CONFIG_MAPS, "default", "guarded", Map.of("data", Map.of("n", "2")));

    assertFails(KubeFailure.Kind.CONFLICT, () -> client.update(CONFIG_MAPS, first));
    assertFails(
        KubeFailure.Kind.CONFLICT,
        () ->
            client.delete(
                CONFIG_MAPS, "default", "guarded", new DeleteCondition.SameObject("another")));
    assertFails(
        KubeFailure.Kind.ALREADY_EXISTS,
        () -> client.create(CONFIG_MAPS, configMap("guarded", "3")));
    client.delete(
        CONFIG_MAPS,
        "default",
        "guarded",
        new DeleteCondition.Unchanged(second.uid(), second.resourceVersion()));
    assertThat(client.find(CONFIG_MAPS, "default", "guarded")).isEmpty();
  }

  @Test
  void tellsAMissingObjectFromAMissingTypeAndAMissingWorkspace() {
    KubeClient client = connection.client(workspace);

    assertThat(client.find(CONFIG_MAPS, "default", "absent")).isEmpty();
    assertFails(
        KubeFailure.Kind.NOT_SERVED,
        () -> client.find(new ResourceType("no.example.io", "v1", "things"), "default", "a"));
    assertFails(
        KubeFailure.Kind.NOT_SERVED,
        () -> client.find(ResourceType.core("things"), "default", "a"));
    assertFails(
        KubeFailure.Kind.NOT_SERVED,
        () ->
            connection
                .client(workspace.child("absent"))
                .find(ResourceType.core("namespaces"), "", "default"));
    assertFails(
        KubeFailure.Kind.NOT_FOUND,
        () ->
            client.create(
                CONFIG_MAPS, configMap("lost", "1").with("nowhere", "metadata", "namespace")));
  }

  @Test
  void streamsWhatHappensAfterAList() {
    KubeClient client = connection.client(workspace);
    KubeList before = client.list(CONFIG_MAPS, ListQuery.ALL);
    var seen = new CopyOnWriteArrayList<String>();
    var ended = new AtomicReference<String>();

    WatchHandle watch =
        client.watch(
            CONFIG_MAPS,
            new WatchQuery("default", "", "", before.resourceVersion()),
            new Recorder(seen, ended));
    KubeObject made = client.create(CONFIG_MAPS, configMap("streamed", "1"));
    client.patch(CONFIG_MAPS, "default", "streamed", Map.of("data", Map.of("n", "2")));
    client.delete(CONFIG_MAPS, "default", "streamed", new DeleteCondition.SameObject(made.uid()));

    await()
        .untilAsserted(() ->
            assertThat(seen)
                .containsExactly("ADDED streamed", "MODIFIED streamed", "DELETED streamed"));
    watch.close();
    assertThat(ended).hasValue("closed: null");
    assertThat(before.items())
        .allSatisfy(item -> assertThat(item.kind()).isEqualTo("ConfigMap"))
        .isNotEmpty();
  }

  private static KubeObject configMap(String name, String value) {
    return KubeObject.of(
        Map.of(
            "apiVersion",
            "v1",
            "kind",
            "ConfigMap",
            "metadata",
            Map.of("name", name, "namespace", "default"),
            "data",
            Map.of("n", value)));
  }

  private static void assertFails(KubeFailure.Kind kind, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            KubeFailure.class, failure -> assertThat(failure.kind()).isEqualTo(kind));
  }

  private record Recorder(List<String> seen, AtomicReference<String> ended) implements WatchSink {
    @Override
    public void event(WatchEventType type, KubeObject object) {
      if (type != WatchEventType.BOOKMARK && !object.name().startsWith("kube-root")) {
        seen.add(type + " " + object.name());
      }
    }

    @Override
    public void closed(KubeFailure cause) {
      ended.set("closed: " + (cause == null ? null : cause.kind() + " " + cause.getMessage()));
    }
  }
}
