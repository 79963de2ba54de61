package dev.mooring.syncagent;

import static dev.mooring.syncagent.TwoClusters.CERTIFICATES;
import static dev.mooring.syncagent.TwoClusters.SECRETS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.syncagent.GoAgentWorld.Where;
import dev.mooring.syncagent.published.SyncMarks;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the Go agent made, as it leaves it, under an agent that has never seen it. */
@Tag("full")
class TakeOverIT {
  private static final ResourceType CONFIG_MAPS = ResourceType.core("configmaps");

  @RegisterExtension static final TwoClusters clusters = TwoClusters.withAgent();
  private static Certificates certificates;

  @BeforeAll
  static void start() throws IOException {
    certificates = new Certificates(clusters, "consumer-1");
  }

  @Test
  void goesOnWithWhatTheGoAgentMadeWithoutTouchingIt() {
    clusters.stopAgent();
    KubeObject source = source("web");
    var made = new GoAgentWorld(clusters, certificates.cluster());
    KubeObject copy =
        made.copy(CERTIFICATES, source, certificates.cluster(), "default-" + source.name());
    clusters
        .service()
        .patch(
            CERTIFICATES, copy.namespace(), copy.name(), Map.of("spec", Map.of("issuer", "local")));
    KubeObject state = made.states(source, Map.ofEntries(made.entry(Where.KCP, source)));
    KubeObject edited = certificates.copy("web");

    clusters.startAgent();
    certificates.order("later");
    certificates.copy("later");
    clusters.awaitCondition("certificates", "Syncing", "True");

    assertThat(certificates.source("web")).isEqualTo(source);
    assertThat(certificates.copy("web")).isEqualTo(edited);

    clusters
        .consumer("consumer-1")
        .patch(CERTIFICATES, "default", "web", Map.of("spec", Map.of("days", 30L)));

    certificates.copy(
        "web",
        changed -> {
          assertThat(changed.at("spec", "days")).isEqualTo(30L);
          assertThat(changed.at("spec", "issuer")).isEqualTo("local");
          assertThat(changed.uid()).isEqualTo(copy.uid());
        });

    TwoClusters.delete(clusters.consumer("consumer-1"), CERTIFICATES, "default", "web");

    clusters.eventuallyGone(clusters.consumer("consumer-1"), CERTIFICATES, "default", "web");
    clusters.eventuallyGone(clusters.service(), CERTIFICATES, copy.namespace(), copy.name());
    clusters.eventuallyGone(clusters.service(), SECRETS, "default", state.name());
  }

  /** The Go agent lets objects of one name overwrite each other's states. */
  @Test
  void leavesFieldsAsTheyAreWhereTheGoAgentsStateIsAnothersOrNone() {
    clusters.stopAgent();
    var made = new GoAgentWorld(clusters, certificates.cluster());
    for (String name : List.of("collided", "stateless")) {
      KubeObject source = source(name);
      made.copy(CERTIFICATES, source, certificates.cluster(), "default-" + source.name());
      clusters
          .service()
          .patch(
              CERTIFICATES,
              certificates.cluster(),
              "default-" + name,
              Map.of("spec", Map.of("issuer", "local", "days", 7L)));
    }
    KubeObject collided = certificates.source("collided");
    KubeObject namesake =
        TwoClusters.object(
            "{apiVersion: v1, kind: Secret, metadata: {namespace: default, name: collided}}");
    made.states(collided, Map.ofEntries(made.entry(Where.KCP, namesake)));

    clusters.startAgent();
    for (String name : List.of("collided", "stateless")) {
      certificates.copy(
          name, copy -> assertThat(copy.annotations()).containsKey(SyncMarks.LAST_KNOWN_STATE));

      assertThat(certificates.copy(name).map("spec"))
          .containsEntry("issuer", "local")
          .containsEntry("days", 7L);

      clusters
          .consumer("consumer-1")
          .patch(CERTIFICATES, "default", name, Map.of("spec", Map.of("days", 30L)));
      certificates.copy(
          name,
          copy ->
              assertThat(copy.map("spec"))
                  .containsEntry("issuer", "local")
                  .containsEntry("days", 30L));
    }
  }

  @Test
  void goesOnWithRelatedCopiesThatTheGoAgentMadeWithoutTouchingThem() {
    RelatedStage stage =
        RelatedStage.publish(
            clusters,
            "inherited",
            "{'identifier':'login','origin':'service','kind':'Secret','cleanup':true,"
                + "'object':{'template':{'template':'{{ .Object.metadata.name }}-login'}}}",
            "{'identifier':'settings','origin':'kcp','kind':'ConfigMap',"
                + "'object':{'template':{'template':'{{ .Object.metadata.name }}-settings'}}}");
    clusters.stopAgent();
    KubeClient consumer = stage.consumer();
    KubeClient service = stage.service();
    stage.order("a");
    var made = new GoAgentWorld(clusters, stage.local());
    GoAgentWorld.hold(consumer, stage.type(), stage.kind().read("a"));
    KubeObject source = stage.kind().read("a");
    KubeObject copy = made.copy(stage.type(), source, stage.local(), "a");
    KubeObject login = stage.secret(service, stage.local(), "a-login", "c2VjcmV0");
    KubeObject loginCopy = stage.secret(consumer, "default", "a-login", "bXkgb3du");
    KubeObject settings = settings(consumer, "default", "'1'");
    GoAgentWorld.hold(consumer, CONFIG_MAPS, settings);
    KubeObject settingsCopy = settings(service, stage.local(), "local");
    made.states(
        source,
        Map.ofEntries(
            made.entry(Where.KCP, source),
            made.entry(Where.SERVICE, login),
            made.entry(Where.KCP, settings)));

    clusters.startAgent();
    clusters.awaitCondition("inherited", "Syncing", "True");
    await()
        .atMost(Duration.ofSeconds(120))
        .untilAsserted(() -> assertThat(recordedAsMade(stage, "a")).isEqualTo(2));

    assertThat(stage.copy("a")).isEqualTo(copy);
    assertThat(consumer.find(SECRETS, "default", "a-login")).contains(loginCopy);
    assertThat(service.find(CONFIG_MAPS, stage.local(), "a-settings")).contains(settingsCopy);

    consumer.patch(CONFIG_MAPS, "default", "a-settings", Map.of("data", Map.of("b", "2")));
    clusters.eventually(
        service,
        CONFIG_MAPS,
        stage.local(),
        "a-settings",
        seen -> assertThat(seen.map("data")).isEqualTo(Map.of("a", "local", "b", "2")));
    stage.deleteOrder("a");
    stage.awaitOrderGone("a");

    assertThat(consumer.find(SECRETS, "default", "a-login")).isEmpty();
    assertThat(service.find(CONFIG_MAPS, stage.local(), "a-settings")).isEmpty();
    assertThat(consumer.find(CONFIG_MAPS, "default", "a-settings"))
        .hasValueSatisfying(left -> assertThat(left.finalizers()).isEmpty());
    assertThat(stage.records("a")).isEmpty();
  }

  @Test
  void forgetsWhatTheGoAgentSaidOfACopyOnceThatIsGone() {
    RelatedStage stage =
        RelatedStage.publish(
            clusters,
            "disowned",
            "{'identifier':'login','origin':'service','kind':'Secret','cleanup':true,"
                + "'object':{'template':{'template':'{{ .Object.metadata.name }}-login'}}}");
    clusters.stopAgent();
    stage.order("b");
    var made = new GoAgentWorld(clusters, stage.local());
    GoAgentWorld.hold(stage.consumer(), stage.type(), stage.kind().read("b"));
    KubeObject source = stage.kind().read("b");
    made.copy(stage.type(), source, stage.local(), "b");
    KubeObject login = stage.secret(stage.service(), stage.local(), "b-login", "c2VjcmV0");
    stage.secret(stage.consumer(), "default", "b-login", "bXkgb3du");
    made.states(
        source, Map.ofEntries(made.entry(Where.KCP, source), made.entry(Where.SERVICE, login)));
    clusters.startAgent();
    await()
        .atMost(Duration.ofSeconds(120))
        .untilAsserted(() -> assertThat(recordedAsMade(stage, "b")).isEqualTo(1));

    TwoClusters.delete(stage.service(), SECRETS, stage.local(), "b-login");
    stage.awaitNoSecret(stage.consumer(), "default", "b-login");
    await().atMost(Duration.ofSeconds(120)).until(() -> stage.records("b").isEmpty());
    KubeObject stranger = stage.secret(stage.consumer(), "default", "b-login", "c3RyYW5nZXI=");
    stage.secret(stage.service(), stage.local(), "b-login", "c2VjcmV0");
    await()
        .atMost(Duration.ofSeconds(120))
        .untilAsserted(() -> assertThat(stage.records("b")).hasSize(1));

    assertThat(recordedAsMade(stage, "b")).isZero();
    stage.deleteOrder("b");
    stage.awaitOrderGone("b");
    assertThat(stage.consumer().find(SECRETS, "default", "b-login")).contains(stranger);
  }

  private static KubeObject settings(KubeClient client, String namespace, String a) {
    return client.create(
        CONFIG_MAPS,
        TwoClusters.object(
            "{apiVersion: v1, kind: ConfigMap, metadata: {namespace: %s, name: a-settings},"
                + " data: {a: %s}}",
            namespace, a));
  }

  /** Copies that the agent says it has made, and not adopted. */
  private static long recordedAsMade(RelatedStage stage, String order) {
    return stage.records(order).stream()
        .map(secret ->
            new String(
                Base64.getDecoder().decode(secret.text("data", "record")), StandardCharsets.UTF_8))
        .filter(record -> record.contains("\"ownership\":\"MADE\""))
        .count();
  }

  private static KubeObject source(String name) {
    certificates.order(name);
    GoAgentWorld.hold(clusters.consumer("consumer-1"), CERTIFICATES, certificates.source(name));
    return certificates.source(name);
  }
}
