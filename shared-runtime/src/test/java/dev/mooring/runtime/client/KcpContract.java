package dev.mooring.runtime.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.access.Access;
import dev.mooring.runtime.access.AccessReviewer;
import dev.mooring.runtime.client.WatchSink.WatchEventType;
import dev.mooring.runtime.event.EventNote;
import dev.mooring.runtime.event.EventRecorder;
import dev.mooring.runtime.lease.LeaderListener;
import dev.mooring.runtime.lease.LeaderLock;
import dev.mooring.runtime.lease.LeaseTerms;
import dev.mooring.runtime.time.SystemTime;
import dev.mooring.runtime.watch.Informer;
import dev.mooring.runtime.watch.InformerSpec;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** What the runtime relies on, on whatever kcp a subclass starts or finds. */
abstract class KcpContract {
  private static final ResourceType CONFIG_MAPS = ResourceType.core("configmaps");
  private static final ResourceType EVENTS = ResourceType.core("events");
  private static final ResourceType NAMESPACES = ResourceType.core("namespaces");
  private static final ResourceType WORKSPACES =
      new ResourceType("tenancy.kcp.io", "v1alpha1", "workspaces");
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private static Path kubeconfig;
  private static KubeConnection connection;
  private static WorkspacePath workspace;

  /** To be called before all tests. */
  static void enter(Path adminKubeconfig) {
    kubeconfig = adminKubeconfig;
    connection = KubeConnection.fromKubeconfig(kubeconfig, options());
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
                    Map.of("generateName", "rt-"))));
    workspace = WorkspacePath.ROOT.child(made.name());
    await().atMost(PATIENCE).until(() -> phase(root, made.name()).equals("Ready"));
  }

  @AfterAll
  static void leave() {
    if (workspace != null) {
      connection
          .client(WorkspacePath.ROOT)
          .delete(WORKSPACES, "", workspace.name(), new DeleteCondition.Unconditional());
      connection.close();
    }
  }

  private static ConnectionOptions options() {
    return ConnectionOptions.of("runtime-test");
  }

  private static String phase(KubeClient root, String name) {
    return root.find(WORKSPACES, "", name).orElseThrow().text("status", "phase");
  }

  @Test
  void entersTheSameClusterByPathAndByName() {
    KubeClient byPath = connection.client(workspace);
    KubeObject namespace = byPath.find(NAMESPACES, "", "default").orElseThrow();

    KubeClient byName = connection.client(cluster(byPath));

    assertThat(byName.find(NAMESPACES, "", "default")).contains(namespace);
  }

  @Test
  void entersAnyClusterFromAContextThatNamesNone() {
    try (KubeConnection base =
        KubeConnection.fromKubeconfig(kubeconfig, options().inContext("base"))) {
      assertThat(base.server().getPath()).isEmpty();
      assertThat(base.client(workspace).url()).isEqualTo(connection.client(workspace).url());
      assertThat(base.client(workspace).find(NAMESPACES, "", "default")).isPresent();
    }
  }

  @Test
  void keepsObjectsOfAllClustersApartOnAWildcard() {
    LogicalCluster here = cluster(connection.client(workspace));
    LogicalCluster root = cluster(connection.client(WorkspacePath.ROOT));
    try (KubeConnection admin =
        KubeConnection.fromKubeconfig(kubeconfig, options().inContext("shard-base"))) {
      KubeClient everywhere = admin.client(URI.create(admin.server() + "/clusters/*"));
      var spec = InformerSpec.of(NAMESPACES).withLabels("kubernetes.io/metadata.name=default");
      try (Informer informer = Informer.start(everywhere, spec, _ -> {})) {
        informer.awaitSynced(PATIENCE);

        assertThat(informer.cache().keys())
            .contains(new ObjectKey(here, "", "default"), new ObjectKey(root, "", "default"));
        assertThat(informer.cache().inCluster(here)).hasSize(1);
      }
    }
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
        () -> connection.client(workspace.child("absent")).find(NAMESPACES, "", "default"));
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

  @Test
  void followsThousandsOfObjects() throws InterruptedException {
    int count = 1_000;
    KubeClient client = connection.client(workspace);
    client.create(NAMESPACES, namespace("crowd"));
    InformerSpec spec = InformerSpec.of(CONFIG_MAPS).inNamespace("crowd").withLabels("crowd=yes");
    try (Informer early = Informer.start(client, spec, _ -> {})) {
      early.awaitSynced(PATIENCE);
      assertThat(early.cache().size()).isZero();

      try (var creators = Executors.newFixedThreadPool(8)) {
        for (int i = 0; i < count; i++) {
          KubeObject one =
              configMap("one-" + i, "v")
                  .with("crowd", "metadata", "namespace")
                  .with("yes", "metadata", "labels", "crowd");
          creators.submit(() -> client.create(CONFIG_MAPS, one));
        }
      }

      await().atMost(PATIENCE).until(() -> early.cache().size() == count);
      try (Informer late = Informer.start(client, spec, _ -> {})) {
        late.awaitSynced(PATIENCE);
        await().untilAsserted(() -> assertThat(late.cache().all()).isEqualTo(early.cache().all()));
        assertThat(late.cache().all())
            .allSatisfy(object -> assertThat(object.kind()).isEqualTo("ConfigMap"));
      }
    }
  }

  @Test
  void electsOneLeaderAndAnotherWhenItGoes() {
    KubeClient client = connection.client(workspace);
    var turns = new CopyOnWriteArrayList<String>();
    LeaderLock first = lock(client, "first", turns);
    await().atMost(PATIENCE).until(first::leads);
    LeaderLock second = lock(client, "second", turns);
    await().atMost(PATIENCE).until(() -> second.holder().equals("first"));
    assertThat(second.leads()).isFalse();

    first.close();

    await().atMost(PATIENCE).until(second::leads);
    assertThat(first.leads()).isFalse();
    second.close();
    assertThat(turns)
        .containsExactly("first leads", "first follows", "second leads", "second follows");
  }

  @Test
  void recordsEventsThatAreThereToBeRead() {
    KubeClient client = connection.client(workspace);
    KubeObject about = client.create(CONFIG_MAPS, configMap("noted", "1"));
    try (EventRecorder recorder = EventRecorder.start("mooring-test", "here")) {
      recorder.record(client, EventNote.normal(about, "Noted", "a test looks at it"));

      await()
          .atMost(PATIENCE)
          .until(() ->
              client.list(EVENTS, ListQuery.ALL.inNamespace("default")).items().stream()
                  .anyMatch(event -> event.text("involvedObject", "uid").equals(about.uid())));
      assertThat(recorder.dropped()).isZero();
    }
  }

  @Test
  void tellsAForgedTokenFromItsOwn() {
    var reviewer = new AccessReviewer(connection.client(workspace), SystemTime.clock());

    assertThat(reviewer.review("forged", "/actuator/status", "get"))
        .isEqualTo(new Access.Unauthenticated());
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

  private static LogicalCluster cluster(KubeClient client) {
    return client.find(NAMESPACES, "", "default").flatMap(KubeObject::logicalCluster).orElseThrow();
  }

  private static KubeObject namespace(String name) {
    return KubeObject.of(
        Map.of("apiVersion", "v1", "kind", "Namespace", "metadata", Map.of("name", name)));
  }

  private static LeaderLock lock(KubeClient client, String identity, List<String> turns) {
    var terms =
        new LeaseTerms(
            "default",
            "election",
            identity,
            Duration.ofSeconds(60),
            Duration.ofSeconds(50),
            Duration.ofMillis(200));
    return LeaderLock.start(
        client,
        terms,
        new LeaderListener() {
          @Override
          public void leads() {
            turns.add(identity + " leads");
          }

          @Override
          public void follows() {
            turns.add(identity + " follows");
          }
        },
        SystemTime.clock());
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
