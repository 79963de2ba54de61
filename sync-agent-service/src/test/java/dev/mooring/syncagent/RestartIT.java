package dev.mooring.syncagent;

import static dev.mooring.syncagent.TwoClusters.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.syncagent.agent.SyncAgent;
import dev.mooring.syncagent.published.PublishedResource;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The agent starts again while kcp answers 503 to requests for consumers' objects. */
class RestartIT {
  @RegisterExtension static final TwoClusters clusters = TwoClusters.withoutAgent();

  private static final int TOUCHES = 30;

  private volatile boolean down;

  @Test
  void leavesTheConditionsOfWhatWasSyncedUntilObjectsAreListedAgain() throws IOException {
    var rules =
        new TlsProxy.Rules() {
          @Override
          public boolean unavailable(String path) {
            return down
                && path.startsWith("/services/apiexport/")
                && !path.contains("/apis.kcp.io/");
          }
        };
    try (var connections = GatedConnections.to(clusters, rules)) {
      AgentStart start = AgentStart.between(clusters).by(connections);
      KubeObject before;
      try (SyncAgent agent = start.start()) {
        AgentStart.awaitReady(agent);
        before = awaitSyncing("certificates", "True Syncing");
        // Passes are under way when it stops.
        IntStream.range(0, TOUCHES).forEach(RestartIT::touch);
      }
      assertThat(conditions()).isEqualTo(before.list("status", "conditions"));
      down = true;
      try (SyncAgent agent = start.start()) {
        AgentStart.awaitReason(agent, "certificates: ");
        // The next passes are over this one and over one that was never synced.
        touch(TOUCHES);
        publishLeases();
        awaitSyncing("leases", "False CachesFilling");
        await()
            .atMost(AgentStart.PATIENCE)
            .untilAsserted(() ->
                assertThat(published("leases").list("status", "conditions"))
                    .anySatisfy(condition ->
                        assertThat(Trees.textOrEmpty(Trees.at(condition, "message")))
                            .startsWith("Objects cannot be listed yet: ")
                            .contains("503")));
        assertThat(conditions()).isEqualTo(before.list("status", "conditions"));

        down = false;

        awaitSyncing("leases", "True Syncing");
        AgentStart.awaitReady(agent);
        assertThat(conditions()).isEqualTo(before.list("status", "conditions"));
      }
    }
  }

  private static void touch(int number) {
    clusters
        .service()
        .patch(
            PublishedResource.TYPE,
            "",
            "certificates",
            Map.of("metadata", Map.of("annotations", Map.of("touched", "at " + number))));
  }

  private static List<Object> conditions() {
    return published("certificates").list("status", "conditions");
  }

  private static void publishLeases() {
    clusters
        .service()
        .create(
            PublishedResource.TYPE,
            object(
                """
                apiVersion: syncagent.kcp.io/v1alpha1
                kind: PublishedResource
                metadata: {name: leases}
                spec:
                  resource: {apiGroup: coordination.k8s.io, kind: Lease}
                  projection: {group: restarted.example.io}
                """));
  }

  private static KubeObject awaitSyncing(String name, String expected) {
    return clusters.eventually(
        clusters.service(),
        PublishedResource.TYPE,
        "",
        name,
        resource -> assertThat(PublishingBench.condition(resource, "Syncing")).isEqualTo(expected));
  }

  private static KubeObject published(String name) {
    return clusters.service().find(PublishedResource.TYPE, "", name).orElseThrow();
  }
}
