package dev.mooring.syncagent;

import static dev.mooring.syncagent.TwoClusters.NAMESPACES;
import static dev.mooring.syncagent.TwoClusters.SCHEMAS;
import static dev.mooring.syncagent.TwoClusters.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.credentials.ConnectionOptions;
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.syncagent.agent.SyncAgent;
import dev.mooring.syncagent.published.PublishedResource;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * An agent whose user has the rights of the shipped manifests and no others, with the features that
 * need more than the rest: what a server refuses it stands in the servers' log.
 */
class LeastRightsIT {
  @RegisterExtension static final TwoClusters clusters = TwoClusters.withoutAgent();

  @RegisterExtension static final ShippedRights rights = new ShippedRights();

  private static SyncAgent agent;

  @BeforeAll
  static void startAgent() throws IOException {
    for (String file : new String[] {"", "-options"}) {
      ShippedRights.grant(
          clusters.service(),
          "service-cluster/rbac-agent" + file + ".yaml",
          "[requests/status]",
          "[parcels/status]",
          "[certificates]",
          "[certificates, orders, parcels, things]",
          "[pki.example.corp]",
          "[certs.example.io, rights.example.io, rights-parcels.example.io,"
              + " rights-things.example.io]");
    }
    for (String file : new String[] {"", "-prune"}) {
      ShippedRights.grant(
          clusters.provider(),
          "kcp/rbac-agent-workspace" + file + ".yaml",
          "[certificates.example.corp]",
          "[certs]");
    }
    agent = ShippedRights.agent(clusters).sharingAs("one").start();
  }

  @AfterAll
  static void stopAgent() {
    if (agent != null) {
      agent.close();
    }
  }

  @Test
  void areEnoughForEveryFeatureThatNeedsMore() throws IOException {
    bringsTheStatusOfRelatedObjectsDownAndRemovesTheNamespaceInTheEnd();
    prunesSchemas();

    assertThat(rights.refusals()).isEmpty();
    try (var connection =
        KubeConnection.fromKubeconfig(
            ShippedRights.serviceKubeconfig(clusters), ConnectionOptions.of("least-rights"))) {
      assertThatExceptionOfType(KubeFailure.class)
          .isThrownBy(() -> connection.client().find(ResourceType.core("nodes"), "", "a"));
    }
    assertThat(rights.refusals()).isNotEmpty();
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
}
