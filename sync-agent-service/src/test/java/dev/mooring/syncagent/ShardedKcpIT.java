package dev.mooring.syncagent;

import static dev.mooring.syncagent.TwoClusters.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.syncagent.agent.SyncAgent;
import dev.mooring.syncagent.published.PublishedResource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A kcp of two shards, on which an export comes to be bound and unbound while the agent runs. */
class ShardedKcpIT {
  private static final ResourceType LOGICAL_CLUSTERS =
      new ResourceType("core.kcp.io", "v1alpha1", "logicalclusters");

  @RegisterExtension static final TwoClusters clusters = TwoClusters.withShards(2);

  @Test
  void followsAnExportFromBeforeItExistsFromShardToShard() throws IOException {
    clusters.createWorkspace("late");
    Map<String, String> consumers = oneForEachShard(clusters);
    String staying = consumers.get("root");
    String leaving = consumers.get("shard-1");
    ResourceType orders = RelatedStage.crd(clusters, "late", "Order");
    clusters
        .service()
        .create(
            PublishedResource.TYPE,
            RelatedStage.published("late", orders, "Order")
                .with(Map.of("of", "late"), "metadata", "labels"));
    Path kubeconfig =
        Files.writeString(
            clusters.directory().resolve("late.kubeconfig"),
            Files.readString(clusters.kcpKubeconfig())
                .replace("/clusters/root:provider", "/clusters/root:late"));
    try (SyncAgent agent =
        AgentStart.between(clusters)
            .toKcp(kubeconfig)
            .following("late")
            .called("late-agent", "of=late")
            .start()) {
      awaitReason("Exported", "False EndpointSliceNotFound");

      clusters
          .consumer("late")
          .create(
              TwoClusters.EXPORTS,
              object(
                  "{apiVersion: apis.kcp.io/v1alpha2, kind: APIExport, metadata: {name: late}}"));
      awaitReason("Exported", "True Exported");
      awaitReason("Syncing", "False NoEndpoints");
      AgentStart.awaitReady(agent);

      bind(staying);
      order(staying, orders, "s1");
      KubeObject first = copy(staying, orders, "s1", 3);
      awaitReason("Syncing", "True Syncing");
      assertThat(endpoints(agent)).hasSize(1);

      bind(leaving);
      order(leaving, orders, "l1");
      copy(leaving, orders, "l1", 3);
      assertThat(endpoints(agent)).hasSize(2);
      AgentStart.awaitReady(agent);

      TwoClusters.delete(clusters.consumer(leaving), TwoClusters.BINDINGS, "", "late");
      clusters.eventuallyGone(clusters.consumer(leaving), TwoClusters.BINDINGS, "", "late");
      clusters.eventuallyGone(clusters.service(), orders, cluster(leaving), "l1");
      await().atMost(AgentStart.PATIENCE).until(() -> endpoints(agent).size() == 1);
      clusters.consumer(staying).patch(orders, "default", "s1", Map.of("spec", Map.of("size", 4L)));
      assertThat(copy(staying, orders, "s1", 4).uid()).isEqualTo(first.uid());
      AgentStart.awaitReady(agent);

      bind(leaving);
      order(leaving, orders, "l2");
      copy(leaving, orders, "l2", 3);
      assertThat(endpoints(agent)).hasSize(2);
      AgentStart.awaitReady(agent);
    }
  }

  /** Where a workspace goes is a matter of its cluster's random name. */
  static Map<String, String> oneForEachShard(TwoClusters clusters) {
    var consumers = new TreeMap<String, String>();
    for (int i = 0; consumers.size() < 2; i++) {
      String name = "shop-" + i;
      clusters.createWorkspace(name);
      consumers.putIfAbsent(
          clusters
              .consumer(name)
              .find(LOGICAL_CLUSTERS, "", "cluster")
              .flatMap(cluster -> cluster.annotation("core.kcp.io/shard"))
              .orElseThrow(),
          name);
    }
    return consumers;
  }

  private static void bind(String consumer) {
    KubeClient workspace = clusters.consumer(consumer);
    workspace.create(
        TwoClusters.BINDINGS,
        TwoClusters.manifest("/clusters/binding.yaml")
            .with("late", "metadata", "name")
            .with("root:late", "spec", "reference", "export", "path")
            .with("late", "spec", "reference", "export", "name"));
    clusters.eventually(
        workspace,
        TwoClusters.BINDINGS,
        "",
        "late",
        binding -> assertThat(binding.text("status", "phase")).isEqualTo("Bound"));
  }

  private static void order(String consumer, ResourceType type, String name) {
    KubeObject order =
        object(
            "{apiVersion: %s, kind: Order, metadata: {namespace: default, name: %s}, spec: {size:"
                + " 3}}",
            type.apiVersion(), name);
    await()
        .atMost(AgentStart.PATIENCE)
        .ignoreExceptionsMatching(e -> e instanceof KubeFailure)
        .until(() -> clusters.consumer(consumer).create(type, order).name().equals(name));
  }

  private static KubeObject copy(String consumer, ResourceType type, String name, long size) {
    return clusters.eventually(
        clusters.service(),
        type,
        cluster(consumer),
        name,
        copy -> assertThat(copy.at("spec", "size")).isEqualTo(size));
  }

  private static String cluster(String consumer) {
    LogicalCluster cluster = clusters.cluster(consumer);
    return cluster.name();
  }

  private static void awaitReason(String type, String expected) {
    clusters.eventually(
        clusters.service(),
        PublishedResource.TYPE,
        "",
        "late",
        resource -> assertThat(PublishingBench.condition(resource, type)).isEqualTo(expected));
  }

  private static List<Object> endpoints(SyncAgent agent) {
    return agent.describe().get("endpoints") instanceof List<?> urls
        ? new ArrayList<>(urls)
        : List.of();
  }
}
