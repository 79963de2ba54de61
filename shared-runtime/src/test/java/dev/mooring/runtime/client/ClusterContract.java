package dev.mooring.runtime.client;

import static dev.mooring.runtime.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.FieldMask;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.access.Access;
import dev.mooring.runtime.access.AccessReviewer;
import dev.mooring.runtime.client.WatchSink.WatchEventType;
import dev.mooring.runtime.event.EventNote;
import dev.mooring.runtime.event.EventRecorder;
import dev.mooring.runtime.lease.LeaderListener;
import dev.mooring.runtime.lease.LeaderLock;
import dev.mooring.runtime.lease.LeaseTerms;
import dev.mooring.runtime.testing.TestWorkspaces;
import dev.mooring.runtime.time.SystemTime;
import dev.mooring.runtime.watch.Informer;
import dev.mooring.runtime.watch.InformerSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the runtime relies on in one cluster: a workspace, or a plain Kubernetes API server. */
abstract class ClusterContract {
  static final ResourceType NAMESPACES = ResourceType.core("namespaces");
  private static final ResourceType CONFIG_MAPS = ResourceType.core("configmaps");
  private static final ResourceType EVENTS = ResourceType.core("events");

  private static final String HOME = "runtime-contract";

  /** An administrator's. */
  abstract KubeClient client();

  @BeforeEach
  void settles() {
    if (client().find(NAMESPACES, "", HOME).isEmpty()) {
      client().create(NAMESPACES, namespace(HOME));
    }
  }

  @Test
  void scansWhatItLists() {
    KubeClient client = client();
    for (int i = 0; i < 5; i++) {
      client.create(CONFIG_MAPS, configMap("scanned-" + i, "1"));
    }
    ListQuery query = ListQuery.ALL.inNamespace(HOME).withLimit(2);
    var scanned = new ArrayList<String>();
    String token = "";
    do {
      token =
          client
              .scan(
                  CONFIG_MAPS,
                  query.after(token),
                  FieldMask.of(List.of(List.of("metadata", "name"))),
                  object -> scanned.add(object.name()))
              .orElseThrow()
              .continueToken();
    } while (!token.isEmpty());

    assertThat(scanned)
        .isEqualTo(
            client.list(CONFIG_MAPS, ListQuery.ALL.inNamespace(HOME)).items().stream()
                .map(KubeObject::name)
                .toList())
        .contains("scanned-0", "scanned-4");
  }

  @Test
  void writesUnderPreconditions() {
    KubeClient client = client();
    KubeObject first = client.create(CONFIG_MAPS, configMap("guarded", "1"));
    KubeObject second =
        client.patch(CONFIG_MAPS, HOME, "guarded", Map.of("data", Map.of("n", "2")));

    assertFails(KubeFailure.Kind.CONFLICT, () -> client.update(CONFIG_MAPS, first));
    assertFails(
        KubeFailure.Kind.CONFLICT,
        () ->
            client.delete(CONFIG_MAPS, HOME, "guarded", new DeleteCondition.SameObject("another")));
    assertFails(
        KubeFailure.Kind.ALREADY_EXISTS,
        () -> client.create(CONFIG_MAPS, configMap("guarded", "3")));
    client.delete(CONFIG_MAPS, HOME, "guarded", new DeleteCondition.DryRun());
    assertThat(client.find(CONFIG_MAPS, HOME, "guarded")).isPresent();
    client.delete(
        CONFIG_MAPS,
        HOME,
        "guarded",
        new DeleteCondition.Unchanged(second.uid(), second.resourceVersion()));
    assertThat(client.find(CONFIG_MAPS, HOME, "guarded")).isEmpty();
  }

  @Test
  void tellsAMissingObjectFromAMissingTypeAndAMissingNamespace() {
    KubeClient client = client();

    assertThat(client.find(CONFIG_MAPS, HOME, "absent")).isEmpty();
    assertFails(
        KubeFailure.Kind.NOT_SERVED,
        () -> client.find(new ResourceType("no.example.io", "v1", "things"), HOME, "a"));
    assertFails(
        KubeFailure.Kind.NOT_SERVED, () -> client.find(ResourceType.core("things"), HOME, "a"));
    assertFails(
        KubeFailure.Kind.NOT_FOUND,
        () ->
            client.create(
                CONFIG_MAPS, configMap("lost", "1").with("nowhere", "metadata", "namespace")));
  }

  @Test
  void streamsWhatHappensAfterAList() {
    KubeClient client = client();
    KubeList before = client.list(CONFIG_MAPS, ListQuery.ALL);
    var seen = new CopyOnWriteArrayList<String>();
    var ended = new AtomicReference<String>();

    WatchHandle watch =
        client.watch(
            CONFIG_MAPS,
            new WatchQuery(
                ListQuery.ALL.inNamespace(HOME), before.resourceVersion(), WatchQuery.LIFE),
            new Recorder(seen, ended));
    KubeObject made = client.create(CONFIG_MAPS, configMap("streamed", "1"));
    client.patch(CONFIG_MAPS, HOME, "streamed", Map.of("data", Map.of("n", "2")));
    client.delete(CONFIG_MAPS, HOME, "streamed", new DeleteCondition.SameObject(made.uid()));

    await()
        .untilAsserted(() ->
            assertThat(seen)
                .containsExactly("ADDED streamed", "MODIFIED streamed", "DELETED streamed"));
    watch.close();
    assertThat(ended).hasValue("closed: null");
    assertThat(client.list(NAMESPACES, ListQuery.ALL).items())
        .allSatisfy(item -> assertThat(item.kind()).isEqualTo("Namespace"))
        .isNotEmpty();
  }

  @Test
  void followsThousandsOfObjects() throws InterruptedException {
    int count = 1_000;
    KubeClient client = client();
    client.create(NAMESPACES, namespace("crowd"));
    InformerSpec spec = InformerSpec.of(CONFIG_MAPS).inNamespace("crowd").withLabels("crowd=yes");
    try (Informer early = Informer.start(client, spec, _ -> {})) {
      early.awaitSynced(TestWorkspaces.PATIENCE);
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

      await().until(() -> early.cache().size() == count);
      try (Informer late = Informer.start(client, spec, _ -> {})) {
        late.awaitSynced(TestWorkspaces.PATIENCE);
        await().untilAsserted(() -> assertThat(late.cache().all()).isEqualTo(early.cache().all()));
        assertThat(late.cache().all())
            .allSatisfy(object -> assertThat(object.kind()).isEqualTo("ConfigMap"));
      }
    }
  }

  @Test
  void electsOneLeaderAndAnotherWhenItGoes() {
    KubeClient client = client();
    var turns = new CopyOnWriteArrayList<String>();
    LeaderLock first = lock(client, "first", turns);
    await().until(first::leads);
    LeaderLock second = lock(client, "second", turns);
    await().until(() -> second.holder().equals("first"));
    assertThat(second.leads()).isFalse();

    first.close();

    await().until(second::leads);
    assertThat(first.leads()).isFalse();
    second.close();
    assertThat(turns)
        .containsExactly("first leads", "first follows", "second leads", "second follows");
  }

  @Test
  void recordsEventsThatAreThereToBeRead() {
    KubeClient client = client();
    KubeObject about = client.create(CONFIG_MAPS, configMap("noted", "1"));
    try (EventRecorder recorder = EventRecorder.start("mooring-test", "here")) {
      recorder.record(client, EventNote.normal(about, "Noted", "a test looks at it"));

      await()
          .until(() ->
              client.list(EVENTS, ListQuery.ALL.inNamespace(HOME)).items().stream()
                  .anyMatch(event -> event.text("involvedObject", "uid").equals(about.uid())));
      assertThat(recorder.backlog().dropped()).isZero();
    }
  }

  @Test
  void tellsAForgedTokenFromItsOwn() {
    var reviewer = new AccessReviewer(client(), SystemTime.clock());

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
            Map.of("name", name, "namespace", HOME),
            "data",
            Map.of("n", value)));
  }

  private static KubeObject namespace(String name) {
    return KubeObject.of(
        Map.of("apiVersion", "v1", "kind", "Namespace", "metadata", Map.of("name", name)));
  }

  private static LeaderLock lock(KubeClient client, String identity, List<String> turns) {
    var terms =
        new LeaseTerms(
            HOME,
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
          public void follows(Duration grace) {
            turns.add(identity + " follows");
          }
        },
        SystemTime.clock());
  }

  static void assertFails(KubeFailure.Kind kind, ThrowingCallable call) {
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
