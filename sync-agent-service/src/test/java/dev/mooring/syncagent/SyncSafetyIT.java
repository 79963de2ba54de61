package dev.mooring.syncagent;

import static dev.mooring.syncagent.TwoClusters.SECRETS;
import static dev.mooring.syncagent.TwoClusters.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.credentials.ConnectionOptions;
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.runtime.export.ExportListener;
import dev.mooring.runtime.export.ExportView;
import dev.mooring.runtime.export.ExportWatchOptions;
import dev.mooring.runtime.export.MultiShardInformer;
import dev.mooring.runtime.time.SystemTime;
import dev.mooring.runtime.watch.Change;
import dev.mooring.syncagent.published.SyncMarks;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.LoggerFactory;

/** What others made stays theirs, and what is secret stays so; each test has a kind of its own. */
class SyncSafetyIT {
  private static final ResourceType SLICES =
      new ResourceType("apis.kcp.io", "v1alpha1", "apiexportendpointslices");
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @RegisterExtension static final TwoClusters clusters = TwoClusters.withAgent();

  @Test
  void adoptsAnUnmarkedObjectByStampingItAndReleasesItLater() {
    var orders = OrderedKind.publish(clusters, "adopting", named("adopting"));
    stranger(orders, "adopting", "a");
    orders.order("a");

    KubeObject copy = orders.copy("a");
    assertThat(copy.at("spec", "size")).isEqualTo(99L);
    assertThat(copy.annotations()).containsEntry(SyncMarks.ADOPTED, "true");
    orders.delete("a");
    orders.awaitGone("a");

    KubeObject released = clusters.service().find(orders.target(), "adopting", "a").orElseThrow();
    assertThat(released.deleting()).isFalse();
    assertThat(released.labels().keySet()).noneMatch(key -> key.startsWith(SyncMarks.GROUP));
    assertThat(released.annotations().keySet()).noneMatch(key -> key.startsWith(SyncMarks.GROUP));
  }

  @Test
  void leavesAnotherTenantsCopyOfTheSameNameAlone() {
    var first = OrderedKind.publish(clusters, "colliding", named("colliding"));
    var second = first.of("consumer-2");
    first.order("a");
    first.copy("a", copy -> assertThat(copy.annotations()).containsKey(SyncMarks.SOURCE_NAME));
    KubeObject copy = first.copy("a");

    second.order("a");

    second.awaitEvent("a", "NameCollision");
    second.delete("a");
    second.awaitGone("a");
    KubeObject after = first.copy("a");
    assertThat(after.uid()).isEqualTo(copy.uid());
    assertThat(after.at("spec")).isEqualTo(copy.at("spec"));
    assertThat(after.labels()).isEqualTo(copy.labels());
  }

  @Test
  void syncsLabelsAndAnnotationsButNoReservedOnes() {
    var orders = OrderedKind.publish(clusters, "labelled");
    orders.order("a", Map.of("team", "blue", "stage", "test"));
    KubeObject copy = orders.copy("a");
    clusters
        .service()
        .patch(
            orders.target(),
            copy.namespace(),
            copy.name(),
            Map.of("metadata", Map.of("labels", Map.of("operators", "own"))));

    orders.patchMetadata(
        "a",
        Map.of(
            "annotations",
            Map.of(
                "example.io/note",
                "kept",
                "kubectl.kubernetes.io/last-applied-configuration",
                "{}",
                SyncMarks.SOURCE_NAME,
                "forged")));
    orders.label("a", "stage", null);

    KubeObject after =
        orders.copy("a", seen -> assertThat(seen.labels()).doesNotContainKey("stage"));
    assertThat(after.labels()).containsEntry("team", "blue").containsEntry("operators", "own");
    assertThat(after.annotations())
        .containsEntry("example.io/note", "kept")
        .containsEntry(SyncMarks.SOURCE_NAME, "a")
        .doesNotContainKey("kubectl.kubernetes.io/last-applied-configuration");
  }

  @Test
  void doesNotLetAConsumerDetachACopyByLabels() {
    var orders = OrderedKind.publish(clusters, "detached");
    orders.order("a");
    orders.copy("a");

    orders.patchMetadata(
        "a", Map.of("labels", Map.of(SyncMarks.AGENT_NAME, "nobody", "mine", "kept")));

    KubeObject copy =
        orders.copy("a", seen -> assertThat(seen.labels()).containsEntry("mine", "kept"));
    assertThat(copy.labels()).containsEntry(SyncMarks.AGENT_NAME, "certs-syncagent");
    orders.delete("a");
    orders.awaitGone("a");
    assertThat(orders.copies("default", "a")).isEmpty();
  }

  @Test
  void isNotBlockedByFinalizersOfOthersAndKeepsThem() {
    var orders = OrderedKind.publish(clusters, "foreign");
    orders.order("a");
    orders.copy("a");
    orders.patchMetadata(
        "a",
        Map.of(
            "finalizers",
            List.of("example.io/theirs", SyncMarks.FINALIZER),
            "resourceVersion",
            orders.read("a").resourceVersion()));

    orders.delete("a");

    orders.awaitSource(
        "a", source -> assertThat(source.finalizers()).containsExactly("example.io/theirs"));
    assertThat(orders.copies("default", "a")).isEmpty();
    orders.patchMetadata("a", Map.of("finalizers", List.of()));
    orders.awaitGone("a");
  }

  @Test
  void writesNothingOfASecretIntoTheLog() {
    String password = "a-most-unlikely-password-4711";
    String rotated = "another-unlikely-password-0815";
    var all = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    var ours = (Logger) LoggerFactory.getLogger("dev.mooring");
    Level usually = ours.getLevel();
    var captured = new CapturedLog();
    captured.setContext(all.getLoggerContext());
    captured.start();
    all.addAppender(captured);
    ours.setLevel(Level.DEBUG);
    try {
      var stage =
          RelatedStage.publish(
              clusters,
              "quiet",
              "{'identifier':'credentials','origin':'service','kind':'Secret',"
                  + "'object':{'template':{'template':'{{ .Object.metadata.name }}-login'}}}");
      stage.order("a");
      stage.copy("a");
      stage.secret(stage.service(), stage.local(), "a-login", base64(password));
      stage.awaitSecret(stage.consumer(), "default", "a-login", base64(password));
      stage
          .service()
          .patch(
              SECRETS,
              stage.local(),
              "a-login",
              Map.of("data", Map.of("password", base64(rotated))));
      stage.awaitSecret(stage.consumer(), "default", "a-login", base64(rotated));
      stage.deleteOrder("a");
      stage.awaitOrderGone("a");
    } finally {
      ours.setLevel(usually);
      all.detachAppender(captured);
    }

    assertThat(captured.lines()).anyMatch(line -> line.contains("orders.quiet.example.io"));
    assertThat(captured.lines())
        .noneMatch(line -> line.contains(password) || line.contains(base64(password)))
        .noneMatch(line -> line.contains(rotated) || line.contains(base64(rotated)));
  }

  @Test
  void watchesTheEndpointsThatAnswerWhileAnotherDoesNot() {
    var certificates = new Certificates(clusters, "consumer-1");
    certificates.order("reachable");
    KubeObject slice = clusters.provider().find(SLICES, "", "certs").orElseThrow();
    URI alive =
        URI.create(
            Trees.textOrEmpty(Trees.at(slice.list("status", "endpoints").getFirst(), "url")));
    // Nothing listens on the discard port of this machine.
    URI dead = URI.create("https://127.0.0.1:9/services/apiexport/none/certs");
    try (var kcp =
            KubeConnection.fromKubeconfig(
                clusters.kcpKubeconfig(), ConnectionOptions.of("endpoints-test"));
        var view =
            ExportView.of(
                kcp,
                ExportWatchOptions.of("certs").knowing(Set.of(dead)),
                new ExportListener() {
                  @Override
                  public void changed(ResourceType type, Change change) {}

                  @Override
                  public void stateChanged() {}
                },
                SystemTime.steadyClock(),
                SystemTime.scheduler())) {
      MultiShardInformer objects = view.follow(TwoClusters.CERTIFICATES, _ -> {});
      assertThat(objects.isSynced()).isFalse();
      view.start();
      await().atMost(PATIENCE).until(() -> objects.lastFailure().isPresent());

      await().atMost(PATIENCE).until(() -> objects.isSynced(alive));
      var key =
          objects.keys().stream()
              .filter(each -> each.name().equals("reachable"))
              .findFirst()
              .orElseThrow();
      assertThat(objects.isSynced(key)).isTrue();
      KubeClient workspace = objects.clientFor(key).orElseThrow();
      assertThat(workspace.find(TwoClusters.CERTIFICATES, "default", "reachable")).isPresent();
      assertThat(objects.isSynced(dead)).isFalse();
    }
  }

  private static String named(String namespace) {
    return "naming: {namespace: " + namespace + ", name: $remoteName}";
  }

  private static void stranger(OrderedKind orders, String namespace, String name) {
    RelatedStage.namespace(clusters.service(), namespace);
    KubeObject stranger =
        object(
            "{apiVersion: %s, kind: Order, metadata: {namespace: %s, name: %s}, spec: {size: 99}}",
            orders.target().apiVersion(), namespace, name);
    await()
        .atMost(PATIENCE)
        .ignoreExceptionsMatching(e -> e instanceof KubeFailure)
        .until(() -> clusters.service().create(orders.target(), stranger).name().equals(name));
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }
}
