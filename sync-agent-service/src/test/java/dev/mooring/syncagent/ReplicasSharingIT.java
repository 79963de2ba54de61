package dev.mooring.syncagent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.ListQuery;
import dev.mooring.runtime.client.http.RequestCounters;
import dev.mooring.runtime.client.http.RequestCounters.Method;
import dev.mooring.runtime.client.http.RequestCounters.Outcome;
import dev.mooring.syncagent.agent.SyncAgent;
import dev.mooring.syncagent.published.PublishedResource;
import dev.mooring.syncagent.published.SyncMarks;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Replicas of one agent that share the work, in a dozen workspaces. */
class ReplicasSharingIT {
  private static final ResourceType LEASES =
      new ResourceType("coordination.k8s.io", "v1", "leases");
  private static final List<String> CONSUMERS =
      IntStream.range(0, 12).mapToObj(i -> "sharing-" + i).toList();

  @RegisterExtension static final TwoClusters clusters = TwoClusters.withoutAgent();
  private final AgentStart usual = AgentStart.between(clusters);

  @BeforeAll
  static void bindConsumers() {
    CONSUMERS.forEach(consumer -> {
      clusters.createWorkspace(consumer);
      clusters.bindExport(consumer);
    });
  }

  @AfterEach
  void noLeaseIsLeft() {
    assertThat(replicaLeases()).isEmpty();
  }

  @Test
  void eachSyncsItsOwnWorkspacesAndOneThatEndsHandsThemOver() {
    try (SyncAgent first = usual.sharingAs("first").start()) {
      AgentStart.awaitReady(first);
      order("alone");
      awaitPlaced("alone");
      awaitEvents("alone");
      SyncAgent second = usual.sharingAs("second").start();
      try {
        AgentStart.awaitReady(second);
        awaitMembers(first, "first", "second");
        awaitMembers(second, "first", "second");
        long before = written(first) + written(second);

        order("shared");

        Map<String, String> placed = awaitPlaced("shared");
        assertThat(objects(first)).isPositive();
        assertThat(objects(second)).isPositive();
        await()
            .atMost(AgentStart.PATIENCE)
            .untilAsserted(() ->
                assertThat(objects(first) + objects(second)).isEqualTo(2L * CONSUMERS.size()));
        assertThat(placed).hasSize(CONSUMERS.size());
        // A finalizer and an Event of each.
        await()
            .atMost(AgentStart.PATIENCE)
            .until(() -> written(first) + written(second) == before + 2L * CONSUMERS.size());
        clusters.eventually(
            clusters.service(),
            PublishedResource.TYPE,
            "",
            published(),
            seen ->
                assertThat(seen.at("status", "objects", "synced"))
                    .isEqualTo(2L * CONSUMERS.size()));

        second.close();

        awaitMembers(first, "first");
        order("after");
        assertThat(awaitPlaced("after")).hasSize(CONSUMERS.size());
        delete("shared");
        awaitGone("shared");
      } finally {
        second.close();
      }
    }
    cleanUp("alone", "after");
  }

  @Test
  void othersTakeOverWhenTheLeaseOfOneThatHearsNothingExpires() throws IOException {
    try (var connections = GatedConnections.to(clusters);
        SyncAgent stays = usual.sharingAs("stays").start();
        SyncAgent lost = usual.by(connections).sharingAs("lost").start()) {
      awaitMembers(stays, "lost", "stays");
      AgentStart.awaitReady(stays);
      AgentStart.awaitReady(lost);
      order("before-loss");
      awaitPlaced("before-loss");

      connections.service().hold();
      order("while-lost");

      awaitPlaced("while-lost");
      awaitMembers(stays, "stays");
      connections.service().open();
      awaitMembers(stays, "lost", "stays");
      AgentStart.awaitReady(lost);
      order("again-two");
      awaitPlaced("again-two");
      assertThat(objects(lost)).isPositive();
    }
    cleanUp("before-loss", "while-lost", "again-two");
  }

  @Test
  void noneWorksWhileAReplicaThatWaitsForItsTurnHoldsTheLease() {
    SyncAgent leader = usual.competingAs("elected").start();
    try {
      AgentStart.awaitReady(leader);
      try (SyncAgent sharing = usual.sharingAs("sharing").start()) {
        AgentStart.awaitReason(sharing, "elected holds the agent's Lease");
        order("elected");
        awaitPlaced("elected");
        assertThat(sharing.running()).isEmpty();

        leader.close();

        AgentStart.awaitReady(sharing);
        order("then-shared");
        awaitPlaced("then-shared");
      }
    } finally {
      leader.close();
    }
    cleanUp("elected", "then-shared");
  }

  @Test
  void oneThatHasToWaitForAnotherIsNotReadyAndSaysForWhich() {
    clusters
        .service()
        .create(
            LEASES,
            TwoClusters.object(
                """
                apiVersion: coordination.k8s.io/v1
                kind: Lease
                metadata:
                  namespace: default
                  name: silent
                  labels:
                    syncagent.kcp.io/replica-of: certs-syncagent
                spec:
                  holderIdentity: silent
                  leaseDurationSeconds: 3600
                """));
    try (SyncAgent waits = usual.sharingAs("waits").start()) {
      AgentStart.awaitReason(waits, "waiting until silent hand over");
      assertThat(waits.running()).isEmpty();

      TwoClusters.delete(clusters.service(), LEASES, "default", "silent");

      AgentStart.awaitReady(waits);
      assertThat(waits.running()).isPresent();
    }
  }

  private void cleanUp(String... names) {
    try (SyncAgent agent = usual.start()) {
      for (String name : names) {
        delete(name);
        awaitGone(name);
      }
      AgentStart.awaitReady(agent);
    }
  }

  private static String published() {
    return clusters.service().list(PublishedResource.TYPE, ListQuery.ALL).items().stream()
        .filter(one -> one.text("spec", "resource", "kind").equals("Certificate"))
        .findFirst()
        .orElseThrow()
        .name();
  }

  private static void order(String name) {
    CONSUMERS.forEach(consumer -> new Certificates(clusters, consumer).order(name));
  }

  private static void delete(String name) {
    for (String consumer : CONSUMERS) {
      TwoClusters.delete(clusters.consumer(consumer), TwoClusters.CERTIFICATES, "default", name);
    }
  }

  /** By logical cluster, the uid of the copy. */
  private static Map<String, String> awaitPlaced(String name) {
    return await()
        .atMost(AgentStart.PATIENCE)
        .until(() -> copies(name), found -> found.size() == CONSUMERS.size());
  }

  private static void awaitGone(String name) {
    await().atMost(AgentStart.PATIENCE).until(() -> copies(name).isEmpty());
    for (String consumer : CONSUMERS) {
      clusters.eventuallyGone(
          clusters.consumer(consumer), TwoClusters.CERTIFICATES, "default", name);
    }
  }

  /** They are written last. */
  private static void awaitEvents(String name) {
    for (String consumer : CONSUMERS) {
      ListQuery about =
          ListQuery.ALL.inNamespace("default").withFields("involvedObject.name=" + name);
      await()
          .atMost(AgentStart.PATIENCE)
          .until(() ->
              !clusters
                  .consumer(consumer)
                  .list(ResourceType.core("events"), about)
                  .items()
                  .isEmpty());
    }
  }

  private static Map<String, String> copies(String name) {
    return clusters.service().list(TwoClusters.CERTIFICATES, ListQuery.ALL).items().stream()
        .filter(copy -> copy.annotation(SyncMarks.SOURCE_NAME).equals(Optional.of(name)))
        .collect(
            Collectors.toMap(copy -> copy.labels().get(SyncMarks.SOURCE_CLUSTER), KubeObject::uid));
  }

  private static void awaitMembers(SyncAgent agent, String... identities) {
    await()
        .atMost(AgentStart.PATIENCE)
        .untilAsserted(() -> assertThat(agent.sharing()).containsExactly(identities));
  }

  private static long objects(SyncAgent agent) {
    return agent.syncs().stream()
        .mapToLong(sync -> {
          var counts = sync.status().countsSoFar();
          return counts.synced() + counts.pending() + counts.failed();
        })
        .sum();
  }

  private static List<KubeObject> replicaLeases() {
    return clusters
        .service()
        .list(LEASES, ListQuery.ALL.withLabels("syncagent.kcp.io/replica-of"))
        .items();
  }

  /** Writes in kcp that had an effect. */
  private static long written(SyncAgent agent) {
    RequestCounters requests = agent.connections().orElseThrow().kcp().requests();
    return Stream.of(Method.values())
        .filter(method -> method != Method.GET)
        .mapToLong(method -> requests.count(method, Outcome.SUCCESS))
        .sum();
  }
}
