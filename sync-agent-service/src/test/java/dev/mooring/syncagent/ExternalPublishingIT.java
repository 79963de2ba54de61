package dev.mooring.syncagent;

import static dev.mooring.syncagent.TwoClusters.AGENT_USER;
import static dev.mooring.syncagent.TwoClusters.CERTIFICATES;
import static dev.mooring.syncagent.TwoClusters.EXPORTS;
import static dev.mooring.syncagent.TwoClusters.SCHEMAS;
import static dev.mooring.syncagent.TwoClusters.object;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.syncagent.agent.SyncAgent;
import dev.mooring.syncagent.published.ProjectedSchema;
import dev.mooring.syncagent.published.PublishedResource;
import dev.mooring.syncagent.published.SchemaProjection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.LoggerFactory;

/**
 * An agent that writes no schema and no export, with the rights of the shipped manifests for it and
 * no others; an administrator applies what would come from Git.
 */
class ExternalPublishingIT {
  private static final Path CHART = Path.of("..", "charts", "mooring");

  @RegisterExtension static final TwoClusters clusters = TwoClusters.withoutAgent();

  private static final Logger SERVERS = (Logger) LoggerFactory.getLogger("dev.mooring.sandbox");
  private static final CapturedLog LOG = new CapturedLog();
  private static Level before;
  private static SyncAgent agent;

  @BeforeAll
  static void startAgent() throws IOException {
    before = SERVERS.getLevel();
    SERVERS.setLevel(Level.INFO);
    LOG.setContext(SERVERS.getLoggerContext());
    LOG.start();
    SERVERS.addAppender(LOG);
    grant(
        clusters.service(),
        manifest(CHART.resolve("service-cluster/rbac-agent.yaml"))
            .replace("[pki.example.corp]", "[certs.example.io]"));
    grant(
        clusters.provider(),
        manifest(CHART.resolve("kcp/rbac-agent-workspace-external.yaml"))
            .replace("[certificates.example.corp]", "[certs]"));
    clusters
        .service()
        .patch(
            PublishedResource.TYPE,
            "",
            "certificates",
            Map.of("spec", Map.of("publishing", "External")));
    agent =
        AgentStart.between(clusters)
            .toService(byAgent(clusters.serviceKubeconfig(), "service.kubeconfig"))
            .toKcp(byAgent(clusters.kcpKubeconfig(), "kcp.kubeconfig"))
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
  void reportsDriftUntilWhatGitHasIsAppliedAndIsRefusedNothing() {
    clusters.awaitCondition("certificates", "SchemaUpToDate", "True");
    KubeClient consumer = clusters.consumer("consumer-1");
    consumer.create(CERTIFICATES, certificate("one"));
    awaitFinalizer(consumer, "one");
    String first = published().text("status", "resourceSchemaName");

    KubeObject crd = certificatesCrd();
    clusters.service().patch(TwoClusters.CRDS, "", crd.name(), withAnotherField(crd));

    clusters.awaitCondition("certificates", "SchemaUpToDate", "False");
    assertThat(published().text("status", "resourceSchemaName")).isEqualTo(first);
    ProjectedSchema rendered =
        SchemaProjection.project(PublishedResource.read(published()), certificatesCrd(), "");
    assertThat(message("SchemaUpToDate"))
        .contains("v1: addedLater: only on the service cluster", rendered.schemaName());
    assertThat(clusters.provider().find(SCHEMAS, "", rendered.schemaName())).isEmpty();
    consumer.create(CERTIFICATES, certificate("two"));
    awaitFinalizer(consumer, "two");

    list(rendered.schemaName());
    clusters.eventually(
        clusters.service(),
        PublishedResource.TYPE,
        "",
        "certificates",
        seen -> assertThat(seen.at("status", "conditions").toString()).contains("SchemaNotFound"));
    clusters.provider().create(SCHEMAS, rendered.schema("certs-syncagent"));

    clusters.awaitCondition("certificates", "SchemaUpToDate", "True");
    clusters.awaitCondition("certificates", "Syncing", "True");
    consumer.create(CERTIFICATES, certificate("three"));
    awaitFinalizer(consumer, "three");
    assertThat(LOG.lines())
        .noneMatch(
            line -> line.contains("Access denied") && line.contains("\"" + AGENT_USER + "\""));
  }

  private static void list(String schema) {
    KubeObject export = clusters.provider().find(EXPORTS, "", "certs").orElseThrow();
    List<Object> resources =
        export.list("spec", "resources").stream()
            .<Object>map(entry -> {
              var changed = new LinkedHashMap<>(Trees.mapOrEmpty(entry));
              changed.put("schema", schema);
              return changed;
            })
            .toList();
    clusters.provider().patch(EXPORTS, "", "certs", Map.of("spec", Map.of("resources", resources)));
  }

  private static KubeObject certificate(String name) {
    return object(
        """
        apiVersion: certs.example.io/v1
        kind: Certificate
        metadata: {namespace: default, name: %s}
        spec: {secretName: %s-tls}
        """,
        name, name);
  }

  private static void awaitFinalizer(KubeClient consumer, String name) {
    clusters.eventually(
        consumer,
        CERTIFICATES,
        "default",
        name,
        seen -> assertThat(seen.finalizers()).isNotEmpty());
  }

  private static KubeObject published() {
    return clusters.service().find(PublishedResource.TYPE, "", "certificates").orElseThrow();
  }

  private static String message(String type) {
    return published().list("status", "conditions").stream()
        .filter(condition -> type.equals(Trees.at(condition, "type")))
        .map(condition -> Trees.textOrEmpty(Trees.at(condition, "message")))
        .findFirst()
        .orElseThrow();
  }

  private static KubeObject certificatesCrd() {
    return clusters
        .service()
        .find(TwoClusters.CRDS, "", "certificates.certs.example.io")
        .orElseThrow();
  }

  private static Map<String, Object> withAnotherField(KubeObject crd) {
    List<Object> versions =
        crd.list("spec", "versions").stream()
            .<Object>map(version ->
                KubeObject.of(Trees.mapOrEmpty(version))
                    .with(
                        Map.of("type", "string"),
                        "schema",
                        "openAPIV3Schema",
                        "properties",
                        "addedLater")
                    .tree())
            .toList();
    return Map.of("spec", Map.of("versions", versions));
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
                    object.kind().toLowerCase(Locale.ROOT) + "s"),
                object));
  }

  private static Path byAgent(Path kubeconfig, String name) throws IOException {
    return Files.writeString(
        clusters.directory().resolve(name),
        Files.readString(kubeconfig).replaceAll("token: .*", "token: " + TwoClusters.AGENT_TOKEN));
  }
}
