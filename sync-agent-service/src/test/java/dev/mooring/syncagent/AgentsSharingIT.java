package dev.mooring.syncagent;

import static dev.mooring.syncagent.TwoClusters.SECRETS;
import static dev.mooring.syncagent.TwoClusters.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.syncagent.agent.SyncAgent;
import dev.mooring.syncagent.published.PublishedResource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Two agents of one namespace, each with an export of its own, and one consumer of both. */
class AgentsSharingIT {
  private static final String PROVIDER = "second-provider";
  private static final String VALUE = "b25l";
  private static final String SHARED =
      "{'identifier':'credentials','origin':'kcp','kind':'Secret',"
          + "'object':{'template':{'template':'shared'}}}";

  @RegisterExtension static final TwoClusters clusters = TwoClusters.withoutAgent();

  @Test
  void keepsACopyThatAnotherAgentNeedsUntilTheLastPrimaryGoes() throws IOException {
    RelatedStage apples = publish("apples");
    RelatedStage berries = publish("berries");
    AgentStart start = AgentStart.between(clusters);
    try (SyncAgent ofApples = start.called("certs-syncagent", "of=apples").start();
        SyncAgent ofBerries =
            start
                .toKcp(ofSecondProvider())
                .following("berries")
                .called("berries-agent", "of=berries")
                .start()) {
      bindBoth(apples);
      AgentStart.awaitReady(ofApples);
      AgentStart.awaitReady(ofBerries);
      apples.secret(apples.consumer(), "default", "shared", VALUE);
      apples.order("a1");
      berries.order("b1");
      awaitRecorded(apples, "a1");
      awaitRecorded(berries, "b1");
      String copy = apples.awaitSecret(apples.service(), apples.local(), "shared", VALUE).uid();

      apples.deleteOrder("a1");
      apples.awaitOrderGone("a1");

      assertThat(apples.service().find(SECRETS, apples.local(), "shared"))
          .hasValueSatisfying(left -> assertThat(left.uid()).isEqualTo(copy));
      assertThat(heldBy(apples)).hasSize(2);
      assertThat(apples.records("a1")).isEmpty();

      berries.deleteOrder("b1");
      berries.awaitOrderGone("b1");
      berries.awaitNoSecret(berries.service(), berries.local(), "shared");
      assertThat(heldBy(berries)).isEmpty();
      assertThat(berries.records("b1")).isEmpty();
    }
  }

  private static RelatedStage publish(String id) {
    ResourceType type = RelatedStage.crd(clusters, id, "Order");
    clusters
        .service()
        .create(
            PublishedResource.TYPE,
            RelatedStage.published(id, type, "Order", SHARED)
                .with(Map.of("of", id), "metadata", "labels"));
    return new RelatedStage(clusters, type);
  }

  private static Path ofSecondProvider() throws IOException {
    clusters.createWorkspace(PROVIDER);
    clusters
        .consumer(PROVIDER)
        .create(
            TwoClusters.EXPORTS,
            object(
                "{apiVersion: apis.kcp.io/v1alpha2, kind: APIExport, metadata: {name: berries}}"));
    return Files.writeString(
        clusters.directory().resolve("second.kubeconfig"),
        Files.readString(clusters.kcpKubeconfig())
            .replace("/clusters/root:provider", "/clusters/root:" + PROVIDER));
  }

  private static void bindBoth(RelatedStage ofCerts) {
    clusters.awaitCondition("apples", "Exported", "True");
    clusters.awaitCondition("berries", "Exported", "True");
    ofCerts.acceptClaims("consumer-1");
    clusters
        .consumer("consumer-1")
        .create(
            TwoClusters.BINDINGS,
            TwoClusters.manifest("/clusters/binding.yaml")
                .with("berries", "metadata", "name")
                .with("root:" + PROVIDER, "spec", "reference", "export", "path")
                .with("berries", "spec", "reference", "export", "name"));
    clusters.awaitCondition("apples", "Syncing", "True");
    clusters.awaitCondition("berries", "Syncing", "True");
  }

  private static void awaitRecorded(RelatedStage stage, String order) {
    await()
        .atMost(AgentStart.PATIENCE)
        .untilAsserted(() ->
            assertThat(stage.records(order))
                .singleElement()
                .satisfies(secret ->
                    assertThat(
                            new String(
                                Base64.getDecoder().decode(secret.text("data", "record")),
                                StandardCharsets.UTF_8))
                        .contains("\"MADE\"")));
  }

  private static List<String> heldBy(RelatedStage stage) {
    return stage.consumer().find(SECRETS, "default", "shared").orElseThrow().finalizers();
  }
}
