package dev.mooring.syncagent;

import static dev.mooring.syncagent.TwoClusters.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.ListQuery;
import dev.mooring.runtime.client.http.RequestCounters;
import dev.mooring.runtime.client.http.RequestCounters.Method;
import dev.mooring.runtime.client.http.RequestCounters.Outcome;
import dev.mooring.syncagent.agent.Connections;
import dev.mooring.syncagent.agent.SyncAgent;
import dev.mooring.syncagent.published.PublishedResource;
import dev.mooring.syncagent.published.SyncMarks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Replicas of one agent, and agents of different names, at one service cluster. */
@Tag("full")
class TwoAgentsIT {
  private static final ResourceType LEASES =
      new ResourceType("coordination.k8s.io", "v1", "leases");
  private static final Set<Method> WRITES =
      EnumSet.of(Method.POST, Method.PUT, Method.PATCH, Method.DELETE);

  @RegisterExtension static final TwoClusters clusters = TwoClusters.withoutAgent();
  private final Certificates certificates = new Certificates(clusters, "consumer-1");
  private final AgentStart usual = AgentStart.between(clusters);

  @Test
  void aReplicaFollowsWithoutAWriteUntilTheLeaseIsReleased() {
    SyncAgent first = usual.competingAs("first").start();
    try {
      awaitLeader("first");
      try (SyncAgent second = usual.competingAs("second").start()) {
        awaitSeen(second, "first");
        for (int i = 0; i < 10; i++) {
          certificates.order("released-" + i);
        }
        Map<String, String> placed = awaitPlaced("released-", 10);
        assertThat(second.reasons()).isEmpty();
        assertThat(written(second)).isZero();
        AgentStart.awaitReady(first);

        first.close();

        awaitLeader("second");
        AgentStart.awaitReady(second);
        long firstWrote = written(first);
        certificates.order("released-10");
        certificates.copy("released-10");
        assertThat(written(first)).isEqualTo(firstWrote);
        assertThat(awaitPlaced("released-", 11)).containsAllEntriesOf(placed);
      }
    } finally {
      first.close();
    }
  }

  @Test
  void aReplicaTakesOverWhenTheLeaseOfOneThatHearsNothingExpires() throws IOException {
    try (var connections = GatedConnections.to(clusters);
        SyncAgent lost = usual.by(connections).competingAs("lost").start()) {
      awaitLeader("lost");
      try (SyncAgent other = usual.competingAs("other").start()) {
        awaitSeen(other, "lost");
        for (int i = 0; i < 10; i++) {
          certificates.order("expired-" + i);
        }
        Map<String, String> placed = awaitPlaced("expired-", 10);
        AgentStart.awaitReady(lost);

        connections.service().hold();

        awaitLeader("other");
        // It knows by itself that it no longer leads, although nobody can tell it: not by an answer
        // that it still waits for.
        assertThat(lost.describe().get("leads")).isEqualTo(false);
        await().atMost(AgentStart.PATIENCE).until(() -> lost.running().isEmpty());
        AgentStart.awaitReady(other);
        long lostWrote = written(lost);
        certificates.order("expired-10");
        certificates.copy("expired-10");
        connections.service().open();
        awaitSeen(lost, "other");
        assertThat(lost.reasons()).isEmpty();
        certificates.order("expired-11");
        certificates.copy("expired-11");

        assertThat(written(lost)).isEqualTo(lostWrote);
        assertThat(awaitPlaced("expired-", 12)).containsAllEntriesOf(placed);
      }
    }
  }

  @Test
  void anAgentWritesNothingToTheExportOfAnotherUntilItIsHandedOver() {
    handOverExport();
    publish("crates", RelatedStage.crd(clusters, "crates", "Crate"), "Crate", "crates");
    publish("parts", RelatedStage.crd(clusters, "parts", "Part"), "Part", "parts");
    SyncAgent ofParts = usual.called("parts-agent", "of=parts").start();
    try {
      awaitExported("parts", "True Exported");
      try (SyncAgent ofCrates = usual.called("crates-agent", "of=crates").start()) {
        awaitExported("crates", "");

        KubeObject touched = annotateExport(Map.of("touched", "by a test"));
        awaitLookedAtAnew("crates");
        awaitLookedAtAnew("parts");

        assertThat(export()).isEqualTo(touched);
        assertThat(
                ofCrates
                    .connections()
                    .orElseThrow()
                    .kcp()
                    .requests()
                    .count(Method.PATCH, Outcome.SUCCESS))
            .isZero();
        awaitExported("crates", "False AnotherAgentsExport");
        awaitExported("parts", "True Exported");
        AgentStart.awaitReady(ofCrates);
        ofParts.close();

        handOverExport();

        awaitExported("crates", "True Exported");
        assertThat(export().annotation(SyncMarks.AGENT_NAME)).contains("crates-agent");
        assertThat(export().list("spec", "resources"))
            .extracting(entry -> Trees.at(entry, "name"))
            .contains("crates", "parts");
      }
    } finally {
      ofParts.close();
      handOverExport();
    }
  }

  /** As it is to be done where the agent whose name it carries is no more. */
  private static void handOverExport() {
    var none = new HashMap<String, String>();
    none.put(SyncMarks.AGENT_NAME, null);
    annotateExport(none);
  }

  private static KubeObject annotateExport(Map<String, String> annotations) {
    return clusters
        .provider()
        .patch(
            TwoClusters.EXPORTS,
            "",
            "certs",
            Map.of("metadata", Map.of("annotations", annotations)));
  }

  private static KubeObject export() {
    return clusters.provider().find(TwoClusters.EXPORTS, "", "certs").orElseThrow();
  }

  /**
   * @param expected status and reason; empty for any
   */
  private static void awaitExported(String publishedResource, String expected) {
    clusters.eventually(
        clusters.service(),
        PublishedResource.TYPE,
        "",
        publishedResource,
        seen ->
            assertThat(PublishingBench.condition(seen, "Exported"))
                .isNotBlank()
                .contains(expected));
  }

  /** By a change that asks for nothing. */
  private static void awaitLookedAtAnew(String publishedResource) {
    long generation =
        clusters
            .service()
            .patch(
                PublishedResource.TYPE,
                "",
                publishedResource,
                Map.of("spec", Map.of("synchronization", Map.of("enabled", true))))
            .generation();
    clusters.eventually(
        clusters.service(),
        PublishedResource.TYPE,
        "",
        publishedResource,
        seen -> assertThat(seen.at("status", "observedGeneration")).isEqualTo(generation));
  }

  @Test
  void agentsOfDifferentNamesSyncWhatTheirSelectorsSelectThroughTheirOwnExports()
      throws IOException {
    handOverExport();
    handOverExport();
    String provider = "second-provider";
    clusters.createWorkspace(provider);
    clusters
        .consumer(provider)
        .create(
            TwoClusters.EXPORTS,
            object(
                "{apiVersion: apis.kcp.io/v1alpha2, kind: APIExport, metadata: {name: parcels}}"));
    ResourceType parcels = RelatedStage.crd(clusters, "parcels", "Parcel");
    ResourceType orders = RelatedStage.crd(clusters, "shops", "Order");
    Path second =
        Files.writeString(
            clusters.directory().resolve("second.kubeconfig"),
            Files.readString(clusters.kcpKubeconfig())
                .replace("/clusters/root:provider", "/clusters/root:" + provider));
    publish("parcels", parcels, "Parcel", "parcels");
    try (SyncAgent ofParcels =
            usual.toKcp(second).following("parcels").called("parcels-agent", "of=parcels").start();
        SyncAgent ofOrders = usual.called("orders-agent", "of=orders").start()) {
      clusters.awaitCondition("parcels", "Exported", "True");
      String identity =
          clusters
              .eventually(
                  clusters.consumer(provider),
                  TwoClusters.EXPORTS,
                  "",
                  "parcels",
                  export -> assertThat(export.text("status", "identityHash")).isNotEmpty())
              .text("status", "identityHash");
      bind(provider);
      publish(
          "orders",
          orders,
          "Order",
          "orders",
          "{'identifier':'parcel','origin':'service','group':'%s','version':'v1','resource':'parcels','identityHash':'%s','object':{'template':{'template':'{{ .Object.metadata.name }}'}}}"
              .formatted(parcels.group(), identity));
      clusters.awaitCondition("orders", "Exported", "True");
      var stage = new RelatedStage(clusters, orders);
      stage.acceptClaims("consumer-1");
      clusters.awaitCondition("orders", "Syncing", "True");
      clusters.awaitCondition("parcels", "Syncing", "True");
      AgentStart.awaitReady(ofOrders);
      AgentStart.awaitReady(ofParcels);

      stage.order("o1");
      KubeObject order = stage.copy("o1");
      RelatedStage.namespace(clusters.service(), order.namespace());
      clusters.service().create(parcels, parcel(parcels, order.namespace(), "o1"));
      KubeObject brought =
          clusters.eventually(clusters.consumer("consumer-1"), parcels, "default", "o1", _ -> {});
      clusters.consumer("consumer-1").create(parcels, parcel(parcels, "default", "own"));
      await()
          .atMost(AgentStart.PATIENCE)
          .untilAsserted(() ->
              assertThat(marked(parcels, "parcels-agent"))
                  .anyMatch(copy -> copy.annotations().containsValue("own")));

      assertThat(brought.at("spec", "size")).isEqualTo(3L);
      assertThat(order.labels()).containsEntry(SyncMarks.AGENT_NAME, "orders-agent");
      assertThat(marked(orders, "parcels-agent")).isEmpty();
      for (SyncAgent each : List.of(ofParcels, ofOrders)) {
        assertThat(each.running().orElseThrow().publishedResources()).isEqualTo(1);
      }
    } finally {
      handOverExport();
    }
  }

  private static void publish(
      String id, ResourceType type, String kind, String of, String... related) {
    clusters
        .service()
        .create(
            PublishedResource.TYPE,
            RelatedStage.published(id, type, kind, related)
                .with(Map.of("of", of), "metadata", "labels"));
  }

  private static KubeObject parcel(ResourceType type, String namespace, String name) {
    return object(
        "{apiVersion: %s, kind: Parcel, metadata: {namespace: %s, name: %s}, spec: {size: 3}}",
        type.apiVersion(), namespace, name);
  }

  private static List<KubeObject> marked(ResourceType type, String agentName) {
    return clusters
        .service()
        .list(type, ListQuery.ALL.withLabels(SyncMarks.AGENT_NAME + "=" + agentName))
        .items();
  }

  /** The parcels of another provider, with what that one's agent claims. */
  private static void bind(String provider) {
    KubeClient consumer = clusters.consumer("consumer-1");
    consumer.create(
        TwoClusters.BINDINGS,
        TwoClusters.manifest("/clusters/binding.yaml")
            .with("parcels", "metadata", "name")
            .with("root:" + provider, "spec", "reference", "export", "path")
            .with("parcels", "spec", "reference", "export", "name"));
    clusters.eventually(
        consumer,
        TwoClusters.BINDINGS,
        "",
        "parcels",
        binding -> assertThat(binding.text("status", "phase")).isEqualTo("Bound"));
  }

  private static void awaitLeader(String identity) {
    clusters.eventually(
        clusters.service(),
        LEASES,
        "default",
        "syncagent.certs-syncagent",
        lease -> assertThat(lease.text("spec", "holderIdentity")).isEqualTo(identity));
  }

  /** Until an agent that follows has seen who leads. */
  private static void awaitSeen(SyncAgent follower, String leader) {
    await()
        .atMost(AgentStart.PATIENCE)
        .until(() -> leader.equals(follower.describe().get("leader")));
  }

  /** Each copy with its resource version, once there are as many and all were held first. */
  private Map<String, String> awaitPlaced(String prefix, int count) {
    await().atMost(AgentStart.PATIENCE).until(() -> placed(prefix).size() == count);
    return placed(prefix);
  }

  private Map<String, String> placed(String prefix) {
    return clusters.service().list(TwoClusters.CERTIFICATES, ListQuery.ALL).items().stream()
        .filter(copy -> copy.name().startsWith("default-" + prefix))
        .collect(Collectors.toMap(KubeObject::name, copy -> copy.uid() + copy.resourceVersion()));
  }

  /** Writes on either side that had an effect. */
  private static long written(SyncAgent agent) {
    Connections connections = agent.connections().orElseThrow();
    return successes(connections.service().requests()) + successes(connections.kcp().requests());
  }

  private static long successes(RequestCounters tally) {
    return WRITES.stream().mapToLong(method -> tally.count(method, Outcome.SUCCESS)).sum();
  }
}
