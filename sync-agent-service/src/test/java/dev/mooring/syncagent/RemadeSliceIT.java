package dev.mooring.syncagent;

import static dev.mooring.syncagent.TwoClusters.SECRETS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.ListQuery;
import dev.mooring.runtime.client.credentials.ConnectionOptions;
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.syncagent.agent.SyncAgent;
import dev.mooring.syncagent.published.PublishedResource;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A kcp of two shards whose APIExportEndpointSlice is deleted and made again. */
class RemadeSliceIT {
  private static final ResourceType SLICES =
      new ResourceType("apis.kcp.io", "v1alpha1", "apiexportendpointslices");
  private static final String FIRST = "Zmlyc3Q=";
  private static final String SECOND = "c2Vjb25k";

  @RegisterExtension static final TwoClusters clusters = TwoClusters.withShards(2);

  /** The slice is held between its shards, which kcp passes in moments. */
  @Test
  void aSharedCopyStaysItsFirstOwnersWhileTheSliceListsFewerShards() throws IOException {
    Map<String, String> consumers = ShardedKcpIT.oneForEachShard(clusters);
    KubeClient first = clusters.consumer(consumers.get("root"));
    KubeClient second = clusters.consumer(consumers.get("shard-1"));
    ResourceType type = RelatedStage.crd(clusters, "remade", "Order");
    var stage = new RelatedStage(clusters, type);
    clusters
        .service()
        .create(
            PublishedResource.TYPE,
            RelatedStage.published(
                    "remade",
                    type,
                    "Order",
                    "{'identifier':'creds','origin':'kcp','kind':'Secret',"
                        + "'object':{'template':{'template':'creds'}}}")
                .with("everyone", "spec", "naming", "namespace"));
    Path kubeconfig =
        Files.writeString(
            clusters.directory().resolve("remade.kubeconfig"),
            Files.readString(clusters.kcpKubeconfig()));
    try (SyncAgent agent = AgentStart.between(clusters).toKcp(kubeconfig).start()) {
      clusters.awaitCondition("remade", "Exported", "True");
      bind(first);
      stage.secret(first, "default", "creds", FIRST);
      stage.order(first, "first", "{}");
      stage.awaitSecret(clusters.service(), "everyone", "creds", FIRST);
      bind(second);
      stage.secret(second, "default", "creds", SECOND);
      stage.order(second, "second", "{}");
      await()
          .atMost(AgentStart.PATIENCE)
          .until(() ->
              agent
                  .running()
                  .flatMap(running -> running.describe("remade"))
                  .toString()
                  .contains("is a copy of another object"));
      List<Object> others = endpointsOf(consumers.get("shard-1"), type);
      assertThat(others).hasSize(1);

      hold(List.of("example.com/held"));
      clusters.provider().delete(SLICES, "", "certs", new DeleteCondition.Unconditional());
      clusters
          .provider()
          .patchStatus(SLICES, "", "certs", Map.of("status", Map.of("endpoints", others)));
      String before = clusters.service().find(SECRETS, "everyone", "creds").orElseThrow().uid();
      resize(second, type, "second", 4);
      agent.running().orElseThrow().resync();
      resize(second, type, "second", 5);

      KubeObject copy = clusters.service().find(SECRETS, "everyone", "creds").orElseThrow();
      assertThat(copy.text("data", "password")).isEqualTo(FIRST);
      assertThat(copy.uid()).isEqualTo(before);
      assertThat(agent.running().flatMap(running -> running.describe("remade")).toString())
          .contains("is a copy of another object");
      resize(first, type, "first", 6);
      assertThat(endpoints(agent)).hasSize(2);

      connectAgain(agent, kubeconfig);
      assertThat(endpoints(agent)).hasSize(2);
      resize(first, type, "first", 8);

      hold(List.of());
      await()
          .atMost(AgentStart.PATIENCE)
          .until(() -> slice().list("status", "endpoints").size() == 2);
      resize(first, type, "first", 7);
      AgentStart.awaitReady(agent);

      // With its last owner's primary the copy is free.
      first.delete(type, "default", "first", new DeleteCondition.Unconditional());
      clusters.eventuallyGone(first, type, "default", "first");
      stage.awaitSecret(clusters.service(), "everyone", "creds", SECOND);
    }
  }

  /** As with other credentials, which the kubeconfig has from now on. */
  private static void connectAgain(SyncAgent agent, Path kubeconfig) throws IOException {
    KubeClient before = agent.serviceCluster().orElseThrow();
    Files.writeString(kubeconfig, Files.readString(kubeconfig) + "\n# rotated\n");
    await().atMost(AgentStart.PATIENCE).until(() -> agent.serviceCluster().orElseThrow() != before);
    AgentStart.awaitReady(agent);
  }

  private static void bind(KubeClient consumer) {
    KubeObject export = clusters.provider().find(TwoClusters.EXPORTS, "", "certs").orElseThrow();
    var claims = new ArrayList<Object>();
    for (Object claim : export.list("spec", "permissionClaims")) {
      var accepted = new LinkedHashMap<>(Trees.mapOrEmpty(claim));
      accepted.put("state", "Accepted");
      accepted.put("selector", Map.of("matchAll", true));
      claims.add(accepted);
    }
    consumer.create(
        TwoClusters.BINDINGS,
        TwoClusters.manifest("/clusters/binding.yaml").with(claims, "spec", "permissionClaims"));
  }

  /** Those through which the consumer's orders are seen. */
  private static List<Object> endpointsOf(String consumer, ResourceType type) {
    var found = new ArrayList<Object>();
    try (var kcp =
        KubeConnection.fromKubeconfig(
            clusters.kcpKubeconfig(), ConnectionOptions.of("endpoints-test"))) {
      for (Object endpoint : slice().list("status", "endpoints")) {
        URI workspace =
            URI.create(
                Trees.textOrEmpty(Trees.at(endpoint, "url"))
                    + "/clusters/"
                    + clusters.cluster(consumer).name());
        if (shows(kcp.client(workspace), type)) {
          found.add(endpoint);
        }
      }
    }
    return found;
  }

  private static boolean shows(KubeClient workspace, ResourceType type) {
    try {
      return !workspace.list(type, ListQuery.ALL).items().isEmpty();
    } catch (KubeFailure e) {
      return false; // another shard's
    }
  }

  /** Until its copy has the size. */
  private static void resize(KubeClient consumer, ResourceType type, String name, long size) {
    consumer.patch(type, "default", name, Map.of("spec", Map.of("size", size)));
    clusters.eventually(
        clusters.service(),
        type,
        "everyone",
        name,
        copy -> assertThat(copy.at("spec", "size")).isEqualTo(size));
  }

  private static KubeObject slice() {
    return clusters.provider().find(SLICES, "", "certs").orElseThrow();
  }

  private static void hold(List<String> finalizers) {
    clusters
        .provider()
        .patch(SLICES, "", "certs", Map.of("metadata", Map.of("finalizers", finalizers)));
  }

  private static List<Object> endpoints(SyncAgent agent) {
    return agent.describe().get("endpoints") instanceof List<?> urls
        ? new ArrayList<>(urls)
        : List.of();
  }
}
