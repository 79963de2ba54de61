package dev.mooring.syncagent;

import static dev.mooring.syncagent.TwoClusters.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.ListQuery;
import dev.mooring.syncagent.agent.SyncAgent;
import dev.mooring.syncagent.endpoint.ClustersHealthIndicator;
import dev.mooring.syncagent.published.PublishedResource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.boot.health.contributor.Status;

/**
 * One API group of the service cluster does not answer, as where the server behind an APIService is
 * down: its discovery, its description and its objects are all 503.
 */
@Tag("full")
class BrokenGroupIT {

  @RegisterExtension static final TwoClusters clusters = TwoClusters.withoutAgent();

  private Gate gate;
  private TlsProxy proxy;
  private Path kubeconfig;

  /** Empty for none. */
  private volatile String broken = "";

  @BeforeEach
  void make() throws IOException {
    var identity = GatedConnections.identity(clusters.directory().resolve("broken-group"));
    gate = new Gate(0);
    proxy =
        new TlsProxy(
            clusters.serviceServer().url(),
            GatedConnections.authority(clusters.serviceServer()),
            GatedConnections.url(gate),
            identity,
            new TlsProxy.Rules() {
              @Override
              public boolean unavailable(String path) {
                return !broken.isEmpty() && path.contains("/" + broken);
              }
            });
    gate.lead(proxy.port());
    kubeconfig =
        Files.writeString(
            clusters.directory().resolve("broken-group.kubeconfig"),
            GatedConnections.trusting(
                identity,
                Files.readString(clusters.serviceKubeconfig())
                    .replace(
                        clusters.serviceServer().url().toString(),
                        GatedConnections.url(gate).toString())));
  }

  @AfterEach
  void close() throws IOException {
    // Of one kind there is one.
    for (String name : List.of("later", "kept")) {
      if (clusters.service().find(PublishedResource.TYPE, "", name).isPresent()) {
        TwoClusters.delete(clusters.service(), PublishedResource.TYPE, "", name);
      }
    }
    gate.close();
    proxy.close();
  }

  @Test
  void keepsNoOtherGroupFromBeingPublishedAndIsSaidInAConditionAndAnEvent() {
    broken = "autoscaling";
    try (SyncAgent agent = AgentStart.between(clusters).toService(kubeconfig).start()) {
      publish("autoscalers", "autoscaling", "HorizontalPodAutoscaler", "scaling.example.io");
      KubeObject published = awaitReason("autoscalers", "Accepted", "Unknown TypeNotReadable");
      assertThat(published.list("status", "conditions"))
          .anySatisfy(condition ->
              assertThat(Trees.textOrEmpty(Trees.at(condition, "message")))
                  .contains("HorizontalPodAutoscaler", "autoscaling", "503"));

      var orders = OrderedKind.publish(clusters, "beside-broken");
      publish("roles", "rbac.authorization.k8s.io", "Role", "roles.example.io");
      awaitReason("roles", "Syncing", "True Syncing");
      orders.order("a");
      orders.copy("a");
      awaitTold(published);
      AgentStart.awaitReady(agent);

      broken = "";

      awaitReason("autoscalers", "Syncing", "True Syncing");
    }
  }

  @Test
  void keepsWhatIsPublishedWhereTheGroupBreaksLater() {
    try (SyncAgent agent = AgentStart.between(clusters).toService(kubeconfig).start()) {
      publish("later", "coordination.k8s.io", "Lease", "later.example.io");
      KubeObject before = awaitReason("later", "Syncing", "True Syncing");
      var orders = OrderedKind.publish(clusters, "beside-later");
      AgentStart.awaitReady(agent);

      broken = "coordination.k8s.io";
      gate.lead(proxy.port());

      await()
          .atMost(AgentStart.PATIENCE)
          .untilAsserted(() ->
              assertThat(agent.failingResources())
                  .containsOnlyKeys("later")
                  .hasEntrySatisfying("later", why -> assertThat(why).contains("503")));
      assertThat(agent.reasons()).as("one that fails alone").isEmpty();
      assertThat(new ClustersHealthIndicator(agent).health())
          .satisfies(health -> {
            assertThat(health.getStatus()).isEqualTo(Status.UP);
            assertThat(health.getDetails()).containsKey("failingResources");
          });
      orders.order("a");
      orders.copy("a");
      KubeObject during =
          clusters.service().find(PublishedResource.TYPE, "", "later").orElseThrow();
      assertThat(during.text("status", "resourceSchemaName"))
          .isEqualTo(before.text("status", "resourceSchemaName"));
      assertThat(PublishingBench.condition(during, "Accepted")).isEqualTo("True Accepted");
      assertThat(PublishingBench.condition(during, "Exported")).isEqualTo("True Exported");

      broken = "";

      await()
          .atMost(AgentStart.PATIENCE)
          .untilAsserted(() -> assertThat(agent.failingResources()).isEmpty());
      awaitReason("later", "Syncing", "True Syncing");
    }
  }

  @Test
  void keepsNamespacesInWhichObjectsOfTheGroupMayBe() {
    var leases =
        new OrderedKind(
            clusters,
            new ResourceType("kept.example.io", "v1", "leases"),
            "Lease",
            new ResourceType("coordination.k8s.io", "v1", "leases"),
            "consumer-1");
    OrderedKind orders;
    try (SyncAgent agent = AgentStart.between(clusters).toService(kubeconfig).start()) {
      publish("kept", "coordination.k8s.io", "Lease", "kept.example.io");
      awaitReason("kept", "Syncing", "True Syncing");
      orders = OrderedKind.publish(clusters, "emptied", "naming: {cleanupNamespaces: true}");
      orders.order("last");
      leases.create(
          object(
              """
              {apiVersion: kept.example.io/v1, kind: Lease, spec: {leaseDurationSeconds: 3},
               metadata: {namespace: default, name: kept}}
              """));
      assertThat(leases.copy("kept").namespace()).isEqualTo(orders.copy("last").namespace());
      AgentStart.awaitReady(agent);
    }
    broken = "coordination.k8s.io";
    gate.lead(proxy.port());
    try (SyncAgent agent = AgentStart.between(clusters).toService(kubeconfig).start()) {
      awaitReason("kept", "Accepted", "Unknown TypeNotReadable");

      orders.delete("last");

      orders.awaitGone("last");
      KubeObject kept = leases.copy("kept");
      assertThat(kept.deleting()).isFalse();
      assertThat(
              clusters
                  .service()
                  .find(ResourceType.core("namespaces"), "", kept.namespace())
                  .orElseThrow()
                  .deleting())
          .isFalse();

      broken = "";

      AgentStart.awaitReady(agent);
    }
  }

  private static void publish(String name, String group, String kind, String projected) {
    clusters
        .service()
        .create(
            PublishedResource.TYPE,
            object(
                """
                apiVersion: syncagent.kcp.io/v1alpha1
                kind: PublishedResource
                metadata: {name: %s}
                spec:
                  resource: {apiGroup: %s, kind: %s}
                  projection: {group: %s}
                """,
                name, group, kind, projected));
  }

  private static KubeObject awaitReason(String name, String type, String expected) {
    return clusters.eventually(
        clusters.service(),
        PublishedResource.TYPE,
        "",
        name,
        resource -> assertThat(PublishingBench.condition(resource, type)).isEqualTo(expected));
  }

  private static void awaitTold(KubeObject published) {
    await()
        .atMost(AgentStart.PATIENCE)
        .untilAsserted(() ->
            assertThat(clusters.service().list(ResourceType.core("events"), ListQuery.ALL).items())
                .anySatisfy(event -> {
                  assertThat(event.text("reason")).isEqualTo("ReconcilingError");
                  assertThat(Trees.at(event.at("involvedObject"), "name"))
                      .isEqualTo(published.name());
                }));
  }
}
