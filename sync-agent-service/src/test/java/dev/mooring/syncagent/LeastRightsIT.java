package dev.mooring.syncagent;

import static dev.mooring.syncagent.TwoClusters.AGENT_USER;
import static dev.mooring.syncagent.TwoClusters.NAMESPACES;
import static dev.mooring.syncagent.TwoClusters.SCHEMAS;
import static dev.mooring.syncagent.TwoClusters.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.credentials.ConnectionOptions;
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.syncagent.agent.SyncAgent;
import dev.mooring.syncagent.published.PublishedResource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.LoggerFactory;

/**
 * An agent whose user has the rights of the shipped manifests and no others, with the features that
 * need more than the rest: what a server refuses it stands in the servers' log.
 */
class LeastRightsIT {
  private static final Path SERVICE_CLUSTER = Path.of("..", "charts", "mooring", "service-cluster");
  private static final Path KCP = Path.of("..", "charts", "mooring", "kcp");
  private static final String REFUSED = "Access denied";

  @RegisterExtension static final TwoClusters clusters = TwoClusters.withoutAgent();

  private static final Logger SERVERS = (Logger) LoggerFactory.getLogger("dev.mooring.sandbox");
  private static final CapturedLog LOG = new CapturedLog();
  private static Level before;
  private static Path service;
  private static SyncAgent agent;

  @BeforeAll
  static void startAgent() throws IOException {
    before = SERVERS.getLevel();
    SERVERS.setLevel(Level.INFO);
    LOG.setContext(SERVERS.getLoggerContext());
    LOG.start();
    SERVERS.addAppender(LOG);
    for (String file : new String[] {"", "-options"}) {
      grant(
          clusters.service(),
          manifest(SERVICE_CLUSTER.resolve("rbac-agent" + file + ".yaml"))
              .replace("[requests/status]", "[parcels/status]")
              .replace("[certificates]", "[certificates, orders, parcels, things]")
              .replace(
                  "[pki.example.corp]",
                  "[certs.example.io, rights.example.io, rights-parcels.example.io,"
                      + " rights-things.example.io]"));
    }
    for (String file : new String[] {"", "-prune"}) {
      grant(
          clusters.provider(),
          manifest(KCP.resolve("rbac-agent-workspace" + file + ".yaml"))
              .replace("[certificates.example.corp]", "[certs]"));
    }
    service = byAgent(clusters.serviceKubeconfig(), "service.kubeconfig");
    agent =
        AgentStart.between(clusters)
            .toService(service)
            .toKcp(byAgent(clusters.kcpKubeconfig(), "kcp.kubeconfig"))
            .competingAs("one")
            .start();
  }

  @AfterAll
  static void stopAgent() {
    if (agent != null) {
      agent.close();
    }
    SERVERS.detachAppender(LOG);
    SERVERS.setLevel(before);
  }

  @Test
  void areEnoughForEveryFeatureThatNeedsMore() {
    bringsTheStatusOfRelatedObjectsDownAndRemovesTheNamespaceInTheEnd();
    prunesSchemas();

    assertThat(LOG.lines()).noneMatch(LeastRightsIT::isAboutTheAgent);
    try (var connection =
        KubeConnection.fromKubeconfig(service, ConnectionOptions.of("least-rights"))) {
      assertThatExceptionOfType(KubeFailure.class)
          .isThrownBy(() -> connection.client().find(ResourceType.core("nodes"), "", "a"));
    }
    assertThat(LOG.lines()).anyMatch(LeastRightsIT::isAboutTheAgent);
  }

  private static void bringsTheStatusOfRelatedObjectsDownAndRemovesTheNamespaceInTheEnd() {
    ResourceType parcels = RelatedStage.crd(clusters, "rights-parcels", "Parcel");
    clusters
        .service()
        .create(
            PublishedResource.TYPE,
            RelatedStage.published("rights-parcels", parcels, "Parcel")
                .with(false, "spec", "synchronization", "enabled"));
    clusters.awaitCondition("rights-parcels", "Exported", "True");
    RelatedStage stage =
        RelatedStage.publish(
            clusters,
            "rights",
            published -> published.with(true, "spec", "naming", "cleanupNamespaces"),
            "{'identifier':'parcel','group':'rights-parcels.example.io','version':'v1',"
                + "'resource':'parcels','origin':'kcp','syncStatus':true,"
                + "'object':{'template':{'template':'{{ .Object.metadata.name }}'}}}");
    stage.order("p");
    stage.copy("p");
    stage
        .consumer()
        .create(
            parcels,
            object(
                "{apiVersion: %s, kind: Parcel, metadata: {namespace: default, name: p}}",
                parcels.apiVersion()));
    stage
        .consumer()
        .patchStatus(parcels, "default", "p", Map.of("status", Map.of("phase", "Sent")));
    clusters.eventually(
        stage.service(),
        parcels,
        stage.local(),
        "p",
        parcel -> assertThat(parcel.text("status", "phase")).isEqualTo("Sent"));

    stage.deleteOrder("p");
    stage.awaitOrderGone("p");

    clusters.eventuallyGone(stage.service(), NAMESPACES, "", stage.local());
  }

  private static void prunesSchemas() {
    KubeObject things = ThingCrds.things("rights-things.example.io", "v1");
    clusters.service().create(TwoClusters.CRDS, things);
    clusters
        .service()
        .create(
            PublishedResource.TYPE,
            object(
                """
                apiVersion: syncagent.kcp.io/v1alpha1
                kind: PublishedResource
                metadata: {name: rights-things}
                spec:
                  resource: {apiGroup: rights-things.example.io, kind: Thing}
                  synchronization: {enabled: true, prune: {keep: 0}}
                """));
    clusters.awaitCondition("rights-things", "Exported", "True");
    String first = schema();
    clusters
        .service()
        .patch(TwoClusters.CRDS, "", things.name(), ThingCrds.withFields(things, "color", "shape"));

    await().atMost(AgentStart.PATIENCE).until(() -> !schema().equals(first));
    clusters.eventuallyGone(clusters.provider(), SCHEMAS, "", first);
  }

  private static String schema() {
    return clusters
        .service()
        .find(PublishedResource.TYPE, "", "rights-things")
        .orElseThrow()
        .text("status", "resourceSchemaName");
  }

  private static boolean isAboutTheAgent(String line) {
    return line.contains(REFUSED) && line.contains("\"" + AGENT_USER + "\"");
  }

  private static String manifest(Path file) throws IOException {
    return Files.readString(file)
        .replace("kind: User, name: mooring:sync-agent", "kind: User, name: " + AGENT_USER);
  }

  private static void grant(KubeClient client, String manifest) {
    Arrays.stream(manifest.split("\n---\n"))
        .map(TwoClusters::object)
        .forEach(object ->
            client.create(
                new ResourceType(
                    "rbac.authorization.k8s.io",
                    "v1",
                    object.kind().toLowerCase(java.util.Locale.ROOT) + "s"),
                object));
  }

  private static Path byAgent(Path kubeconfig, String name) throws IOException {
    return Files.writeString(
        clusters.directory().resolve(name),
        Files.readString(kubeconfig).replaceAll("token: .*", "token: " + TwoClusters.AGENT_TOKEN));
  }
}
