package dev.mooring.syncagent;

import static dev.mooring.syncagent.TwoClusters.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.syncagent.published.PublishedResource;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Related objects of types that are published by the same export, without a sync of their own. */
class SyncAgentRelatedTypesIT {
  private static final ResourceType CONFIG_MAPS = ResourceType.core("configmaps");

  @RegisterExtension static final TwoClusters clusters = TwoClusters.withAgent();

  /** Orders with a related parcel of the order's name. */
  private record Parcels(RelatedStage stage, ResourceType type) {
    static Parcels publish(String id, String more) {
      ResourceType type = RelatedStage.crd(clusters, id + "-parcels", "Parcel");
      clusters
          .service()
          .create(
              PublishedResource.TYPE,
              RelatedStage.published(id + "-parcels", type, "Parcel")
                  .with(false, "spec", "synchronization", "enabled"));
      clusters.awaitCondition(id + "-parcels", "Exported", "True");
      return new Parcels(
          RelatedStage.publish(
              clusters,
              id,
              "{'identifier':'parcel','group':'%s','version':'v1','resource':'parcels',%s'object':{'template':{'template':'{{ .Object.metadata.name }}'}}}"
                  .formatted(type.group(), more)),
          type);
    }

    void send(KubeClient client, String namespace, String name, String phase) {
      RelatedStage.namespace(client, namespace);
      client.create(
          type,
          object(
              "{apiVersion: %s, kind: Parcel, metadata: {namespace: %s, name: %s}, spec: {weight:"
                  + " 3}}",
              type.apiVersion(), namespace, name));
      report(client, namespace, name, phase);
    }

    void report(KubeClient client, String namespace, String name, String phase) {
      client.patchStatus(type, namespace, name, Map.of("status", Map.of("phase", phase)));
    }

    KubeObject awaitPhase(KubeClient client, String namespace, String name, String phase) {
      return clusters.eventually(
          client,
          type,
          namespace,
          name,
          seen -> assertThat(seen.text("status", "phase")).isEqualTo(phase));
    }
  }

  @Test
  void bringsAnObjectOfTheSameExportUp() {
    var parcels = Parcels.publish("same", "'origin':'service',");
    RelatedStage stage = parcels.stage();
    stage.order("p1");
    stage.copy("p1");

    parcels.send(stage.service(), stage.local(), "p1", "Sent");

    KubeObject copy =
        clusters.eventually(
            stage.consumer(),
            parcels.type(),
            "default",
            "p1",
            seen -> assertThat(seen.at("spec", "weight")).isEqualTo(3L));
    assertThat(copy.annotations().keySet()).containsExactly("kcp.io/cluster");
    assertThat(
            clusters
                .provider()
                .find(TwoClusters.EXPORTS, "", "certs")
                .orElseThrow()
                .list("spec", "permissionClaims"))
        .noneMatch(claim -> claim.toString().contains("parcels"));
  }

  @Test
  void bringsTheStatusUp() {
    var parcels =
        Parcels.publish(
            "statusup", "'origin':'service','syncStatus':true,'watch':{'bySelector':{}},");
    RelatedStage stage = parcels.stage();
    stage.order("p2");
    stage.copy("p2");

    parcels.send(stage.service(), stage.local(), "p2", "Sent");

    parcels.awaitPhase(stage.consumer(), "default", "p2", "Sent");
    parcels.report(stage.service(), stage.local(), "p2", "Delivered");
    parcels.awaitPhase(stage.consumer(), "default", "p2", "Delivered");
  }

  @Test
  void bringsTheStatusDownAndNeverBack() {
    var parcels = Parcels.publish("statusdown", "'origin':'kcp','syncStatus':true,");
    RelatedStage stage = parcels.stage();
    stage.order("p3");
    stage.copy("p3");
    parcels.send(stage.consumer(), "default", "p3", "Sent");
    parcels.awaitPhase(stage.service(), stage.local(), "p3", "Sent");

    parcels.report(stage.service(), stage.local(), "p3", "Lost");

    // The original's word counts: the copy's own goes again, and never up.
    parcels.awaitPhase(stage.service(), stage.local(), "p3", "Sent");
    parcels.awaitPhase(stage.consumer(), "default", "p3", "Sent");
  }

  @Test
  void leavesTheStatusOutByDefault() {
    var parcels = Parcels.publish("statusoff", "'origin':'kcp',");
    RelatedStage stage = parcels.stage();
    parcels.send(stage.consumer(), "default", "p4", "Sent");
    stage.order("p4");
    clusters.eventually(stage.service(), parcels.type(), stage.local(), "p4", _ -> {});

    stage.consumer().patch(parcels.type(), "default", "p4", Map.of("spec", Map.of("weight", 5)));

    KubeObject copy =
        clusters.eventually(
            stage.service(),
            parcels.type(),
            stage.local(),
            "p4",
            seen -> assertThat(seen.at("spec", "weight")).isEqualTo(5L));
    assertThat(copy.map("status")).isEmpty();
  }

  @Test
  void appliesTheEntrysRulesToTheCopy() {
    var parcels =
        Parcels.publish(
            "ruled",
            "'origin':'kcp','mutation':{'spec':[{'template':{'path':'spec.note','template':'from {{"
                + " .RemoteObject.metadata.name }}'}}]},");
    RelatedStage stage = parcels.stage();
    stage.order("p5");
    stage.copy("p5");

    parcels.send(stage.consumer(), "default", "p5", "Sent");

    clusters.eventually(
        stage.service(),
        parcels.type(),
        stage.local(),
        "p5",
        seen -> assertThat(seen.text("spec", "note")).isEqualTo("from p5"));
  }

  @Test
  void keepsCopiesAndTellsTheConsumerWhereAClaimIsRejected() {
    var stage =
        RelatedStage.publish(
            clusters,
            "rejected",
            "{'identifier':'settings','origin':'kcp','kind':'ConfigMap',"
                + "'object':{'template':{'template':'{{ .Object.metadata.name }}'}}}");
    stage
        .consumer()
        .create(
            CONFIG_MAPS,
            object(
                "{apiVersion: v1, kind: ConfigMap, metadata: {namespace: default, name: r1}, data:"
                    + " {a: '1'}}"));
    stage.order("r1");
    clusters.eventually(stage.service(), CONFIG_MAPS, stage.local(), "r1", _ -> {});

    stage.rejectClaim("consumer-1", "configmaps");

    stage.awaitWarning("r1", "ClaimRejected");
    assertThat(stage.service().find(CONFIG_MAPS, stage.local(), "r1")).isPresent();
    stage.acceptClaims("consumer-1");
    stage.consumer().patch(CONFIG_MAPS, "default", "r1", Map.of("data", Map.of("a", "2")));
    clusters.eventually(
        stage.service(),
        CONFIG_MAPS,
        stage.local(),
        "r1",
        seen -> assertThat(seen.text("data", "a")).isEqualTo("2"));
  }

  @Test
  void bringsAnObjectOfAnotherExportUpByItsIdentity() {
    String identity = foreignExport();
    RelatedStage.crd(clusters, "foreign", "Ticket");
    var stage =
        RelatedStage.publish(
            clusters,
            "byidentity",
            "{'identifier':'ticket','origin':'service','group':'foreign.example.io','version':'v1',"
                + "'resource':'tickets','identityHash':'"
                + identity
                + "','projection':{'group':'tickets.other.io'},"
                + "'object':{'template':{'template':'{{ .Object.metadata.name }}'}}}");
    stage.order("i1");
    stage.copy("i1");

    stage
        .service()
        .create(
            new ResourceType("foreign.example.io", "v1", "tickets"),
            object(
                "{apiVersion: foreign.example.io/v1, kind: Ticket, metadata: {namespace: %s, name:"
                    + " i1}, spec: {seat: 7}}",
                stage.local()));

    clusters.eventually(
        stage.consumer(),
        new ResourceType("tickets.other.io", "v1", "tickets"),
        "default",
        "i1",
        seen -> assertThat(seen.at("spec", "seat")).isEqualTo(7L));
  }

  /** Another provider's, which both consumers have bound; its identity hash. */
  private static String foreignExport() {
    clusters.createWorkspace("other-provider");
    KubeClient provider = clusters.consumer("other-provider");
    provider.create(
        TwoClusters.SCHEMAS,
        object(
            """
            apiVersion: apis.kcp.io/v1alpha1
            kind: APIResourceSchema
            metadata: {name: v1.tickets.tickets.other.io}
            spec:
              group: tickets.other.io
              scope: Namespaced
              names: {kind: Ticket, listKind: TicketList, plural: tickets, singular: ticket}
              versions:
              - name: v1
                served: true
                storage: true
                schema:
                  type: object
                  properties:
                    spec: {type: object, x-kubernetes-preserve-unknown-fields: true}
            """));
    provider.create(
        TwoClusters.EXPORTS,
        object(
            """
            apiVersion: apis.kcp.io/v1alpha2
            kind: APIExport
            metadata: {name: tickets}
            spec:
              resources:
              - {group: tickets.other.io, name: tickets, schema: v1.tickets.tickets.other.io, storage: {crd: {}}}
            """));
    var bindings = new ResourceType("apis.kcp.io", "v1alpha2", "apibindings");
    for (String consumer : new String[] {"consumer-1", "consumer-2"}) {
      clusters
          .consumer(consumer)
          .create(
              bindings,
              object(
                  """
                  apiVersion: apis.kcp.io/v1alpha2
                  kind: APIBinding
                  metadata: {name: tickets}
                  spec: {reference: {export: {path: "root:other-provider", name: tickets}}}
                  """));
      clusters.eventually(
          clusters.consumer(consumer),
          bindings,
          "",
          "tickets",
          seen -> assertThat(seen.text("status", "phase")).isEqualTo("Bound"));
    }
    return clusters
        .eventually(
            provider,
            TwoClusters.EXPORTS,
            "",
            "tickets",
            seen -> assertThat(seen.text("status", "identityHash")).isNotEmpty())
        .text("status", "identityHash");
  }
}
