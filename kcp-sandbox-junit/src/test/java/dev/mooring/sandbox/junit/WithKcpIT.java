package dev.mooring.sandbox.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** Runs on a real kcp as well, with {@code KCP_KUBECONFIG}. */
@WithKcp
@Workspace("shared:by-all")
class WithKcpIT {
  private static final Set<String> TREES = ConcurrentHashMap.newKeySet();

  private static String ofTheClass = "";
  private final WorkspaceTree constructed;
  private String before = "";

  WithKcpIT(WorkspaceTree constructed) {
    this.constructed = constructed;
  }

  @BeforeAll
  static void prepare(WorkspaceTree tree, KubernetesClient client) {
    ofTheClass = tree.path();
    createConfigMap(client, "of-the-class");
  }

  @BeforeEach
  void remember(WorkspaceTree tree) {
    before = tree.path();
  }

  private static void createConfigMap(KubernetesClient client, String name) {
    client
        .configMaps()
        .resource(new ConfigMapBuilder().withNewMetadata().withName(name).endMetadata().build())
        .create();
  }

  @Test
  void givesEachWorkspaceItsOwnObjects(
      @Workspace("provider") KubernetesClient provider,
      @Workspace("consumers:acme") KubernetesClient consumer) {
    createConfigMap(provider, "mine");

    assertThat(provider.configMaps().withName("mine").get()).isNotNull();
    assertThat(consumer.configMaps().withName("mine").get()).isNull();
  }

  @RepeatedTest(3)
  void givesEachTestItsOwnTree(WorkspaceTree tree, @Workspace KubernetesClient client) {
    assertThat(tree.path()).startsWith("root:with-kcp-gives-each-test").isEqualTo(before);
    assertThat(constructed.path()).isEqualTo(before);
    assertThat(tree.path()).isNotEqualTo(ofTheClass);
    assertThat(TREES.add(tree.path())).isTrue();
    createConfigMap(client, "once");
  }

  @Test
  @Workspace(type = "root:organization")
  @Workspace(value = "typed", type = "root:team")
  void createsWhatAnnotationsDeclare(WorkspaceTree tree) {
    assertThat(type(tree, "typed")).isEqualTo("team");
    assertThat(type(tree, "shared:by-all")).isEqualTo("universal");
  }

  private static String type(WorkspaceTree tree, String workspace) {
    String[] steps = tree.path(workspace).split(":(?=[^:]*$)");
    try (KubernetesClient parent = Fabric8.client(tree.connection().at(steps[0]))) {
      GenericKubernetesResource found =
          parent
              .genericKubernetesResources("tenancy.kcp.io/v1alpha1", "Workspace")
              .withName(steps[1])
              .get();
      return found.get("spec", "type", "name");
    }
  }

  @Test
  void createsFurtherWorkspaces(WorkspaceTree tree) {
    KcpConnection made = tree.create("later:and-deeper");

    assertThat(made).isEqualTo(tree.connection("later:and-deeper"));
    try (KubernetesClient client = Fabric8.client(made)) {
      createConfigMap(client, "here");
    }
    // A second time it is there already.
    assertThat(tree.create("later:and-deeper")).isEqualTo(made);
  }

  @Test
  void refusesAnotherTypeForTheSameWorkspace(WorkspaceTree tree) {
    tree.create("one");

    assertThatExceptionOfType(KcpProblem.class)
        .isThrownBy(() -> tree.create("one", "root:team"))
        .withMessageContaining("has the type root:universal already");
  }

  @Test
  void namesTheShards(KcpShards shards, WorkspaceTree tree) {
    assertThat(shards.urls()).containsKey("root");

    tree.create("somewhere");
    var root = tree.connection().at(shards.urls().get("root")).at("root");
    try (KubernetesClient client = Fabric8.client(root)) {
      assertThat(client.namespaces().withName("default").get()).isNotNull();
    }
  }

  @Test
  void connectsByAKubeconfig(@Workspace("team") KcpConnection connection, WorkspaceTree tree) {
    assertThat(connection.url().toString()).endsWith("/clusters/" + tree.path("team"));
    assertThat(connection.kubeconfig()).contains(connection.url().toString());
    assertThat(connection.credentials().toString()).endsWith("[]");
    try (KubernetesClient client = Fabric8.client(connection)) {
      client
          .namespaces()
          .resource(new NamespaceBuilder().withNewMetadata().withName("n").endMetadata().build())
          .create();
    }
  }

  /** Its default is a watch over WebSocket, which the sandbox does not serve. */
  @Test
  void watchesWithTheDefaultsOfFabric8(@Workspace KubernetesClient client) throws Exception {
    var events = new LinkedBlockingQueue<String>();
    var watcher =
        new Watcher<ConfigMap>() {
          @Override
          public void eventReceived(Action action, ConfigMap seen) {
            if (action != Action.BOOKMARK) {
              events.add(action + " " + seen.getMetadata().getName());
            }
          }

          @Override
          public void onClose(WatcherException cause) {
            events.add("closed: " + cause.getMessage());
          }
        };

    try (Watch _ = client.configMaps().inNamespace("default").withName("seen").watch(watcher)) {
      createConfigMap(client, "seen");

      assertThat(events.poll(1, TimeUnit.MINUTES)).isEqualTo("ADDED seen");
    }
  }

  @Nested
  class InANestedClass {
    @Test
    void theServerAndTheWorkspacesAreThoseOfTheClassAround(WorkspaceTree tree) {
      assertThat(type(tree, "shared:by-all")).isEqualTo("universal");
    }
  }
}
