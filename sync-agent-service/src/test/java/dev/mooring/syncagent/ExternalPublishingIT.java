package dev.mooring.syncagent;

import static dev.mooring.syncagent.TwoClusters.CERTIFICATES;
import static dev.mooring.syncagent.TwoClusters.EXPORTS;
import static dev.mooring.syncagent.TwoClusters.SCHEMAS;
import static dev.mooring.syncagent.TwoClusters.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.syncagent.agent.SyncAgent;
import dev.mooring.syncagent.published.ProjectedSchema;
import dev.mooring.syncagent.published.PublishedResource;
import dev.mooring.syncagent.published.SchemaProjection;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * An agent that writes no schema and no export, with the rights of the shipped manifests for it and
 * no others; an administrator applies what would come from Git.
 */
class ExternalPublishingIT {
  @RegisterExtension static final TwoClusters clusters = TwoClusters.withoutAgent();

  @RegisterExtension static final ShippedRights rights = new ShippedRights();

  private static SyncAgent agent;

  @BeforeAll
  static void startAgent() throws IOException {
    ShippedRights.grant(
        clusters.service(),
        "service-cluster/rbac-agent.yaml",
        "[pki.example.corp]",
        "[certs.example.io]");
    ShippedRights.grant(
        clusters.provider(),
        "kcp/rbac-agent-workspace-external.yaml",
        "[certificates.example.corp]",
        "[certs]");
    clusters
        .service()
        .patch(
            PublishedResource.TYPE,
            "",
            "certificates",
            Map.of("spec", Map.of("publishing", "External")));
    agent = ShippedRights.agent(clusters).start();
  }

  @AfterAll
  static void stopAgent() {
    if (agent != null) {
      agent.close();
    }
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
    assertThat(rights.refusals()).isEmpty();
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
}
