package dev.mooring.syncagent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.sandbox.Shard;
import dev.mooring.syncagent.agent.SyncAgent;
import dev.mooring.syncagent.published.PublishedResource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A kcp of two shards, one of which dies and returns while the agent runs. */
class ShardOutageIT {
  @RegisterExtension static final TwoClusters clusters = TwoClusters.withShards(2);

  @Test
  void syncsTheOtherShardMeanwhileAndCatchesUpAfterwards() throws IOException {
    Map<String, String> consumers = ShardedKcpIT.oneForEachShard(clusters);
    String staying = consumers.get("root");
    String leaving = consumers.get("shard-1");
    ResourceType type = RelatedStage.crd(clusters, "outage", "Order");
    var stage = new RelatedStage(clusters, type);
    clusters
        .service()
        .create(PublishedResource.TYPE, RelatedStage.published("outage", type, "Order"));
    Path kubeconfig =
        Files.writeString(
            clusters.directory().resolve("outage.kubeconfig"),
            Files.readString(clusters.kcpKubeconfig()));
    Shard shard = clusters.kcpServer().shard("shard-1");
    try (SyncAgent agent = AgentStart.between(clusters).toKcp(kubeconfig).start()) {
      clusters.awaitCondition("outage", "Exported", "True");
      for (String consumer : consumers.values()) {
        clusters.bindExport(consumer);
        stage.order(clusters.consumer(consumer), "kept", "{'size':1}");
        copy(consumer, type, "kept", 1);
      }
      KubeObject before = copy(leaving, type, "kept", 1);
      String namespace = clusters.cluster(leaving).name();

      shard.kill();
      resize(staying, type, 2);
      assertThat(clusters.service().find(type, namespace, "kept")).contains(before);
      clusters
          .service()
          .patchStatus(type, namespace, "kept", Map.of("status", Map.of("phase", "Done")));
      shard.start();

      await()
          .atMost(AgentStart.PATIENCE)
          .ignoreExceptionsMatching(e -> e instanceof KubeFailure)
          .untilAsserted(() ->
              assertThat(
                      clusters
                          .consumer(leaving)
                          .find(type, "default", "kept")
                          .orElseThrow()
                          .text("status", "phase"))
                  .isEqualTo("Done"));
      resize(leaving, type, 3);
      assertThat(copy(leaving, type, "kept", 3).uid()).isEqualTo(before.uid());
      stage.order(clusters.consumer(leaving), "new", "{'size':5}");
      copy(leaving, type, "new", 5);
      AgentStart.awaitReady(agent);
    }
  }

  private static void resize(String consumer, ResourceType type, long size) {
    KubeClient workspace = clusters.consumer(consumer);
    workspace.patch(type, "default", "kept", Map.of("spec", Map.of("size", size)));
    copy(consumer, type, "kept", size);
  }

  private static KubeObject copy(String consumer, ResourceType type, String name, long size) {
    return clusters.eventually(
        clusters.service(),
        type,
        clusters.cluster(consumer).name(),
        name,
        copy -> assertThat(copy.at("spec", "size")).isEqualTo(size));
  }
}
