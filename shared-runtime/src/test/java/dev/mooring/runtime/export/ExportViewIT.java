package dev.mooring.runtime.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.ConnectionOptions;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeConnection;
import dev.mooring.runtime.testing.Manifests;
import dev.mooring.runtime.testing.TestWorkspaces;
import dev.mooring.runtime.watch.Change;
import dev.mooring.sandbox.KcpSandbox;
import dev.mooring.sandbox.ServerOptions;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a kcp with two shards, which only the sandbox is here. */
class ExportViewIT {
  private static final ResourceType BOATS = new ResourceType("harbour.example.io", "v1", "boats");
  private static final ResourceType BINDINGS =
      new ResourceType("apis.kcp.io", "v1alpha2", "apibindings");
  private static final ResourceType LOGICAL_CLUSTERS =
      new ResourceType("core.kcp.io", "v1alpha1", "logicalclusters");
  private static final String NAMESPACE = "default";

  @TempDir private Path directory;

  @Test
  void followsTheShardsThatHaveConsumers() {
    try (KcpSandbox kcp = KcpSandbox.start(ServerOptions.in(directory).withShards(2));
        TestWorkspaces workspaces = TestWorkspaces.on(kcp.kubeconfigFile())) {
      WorkspacePath provider = workspaces.create("provider");
      workspaces.create(provider, EXPORT);
      Map<String, WorkspacePath> consumers = oneOnEachShard(workspaces);
      Path kubeconfig =
          workspaces.kubeconfigFor(provider, directory.resolve("provider.kubeconfig"));
      try (KubeConnection connection =
              KubeConnection.fromKubeconfig(kubeconfig, ConnectionOptions.of("test"));
          ExportView view =
              ExportView.start(connection, "boats", List.of(BOATS), new NobodyListens())) {
        WorkspacePath first = consumers.get("root");
        WorkspacePath second = consumers.get("shard-1");
        workspaces.bind(first, binding(provider));
        sail(workspaces, first);
        awaitBoats(view, workspaces, first);

        workspaces.bind(second, binding(provider));
        sail(workspaces, second);
        awaitBoats(view, workspaces, first, second);
        LogicalCluster there = workspaces.cluster(second);
        assertThat(view.describe()).hasSize(2);
        assertThat(
                view.client(there)
                    .orElseThrow()
                    .find(BOATS, NAMESPACE, "anna")
                    .map(KubeObject::name))
            .contains("anna");

        workspaces
            .client(second)
            .delete(BINDINGS, "", "boats", new DeleteCondition.Unconditional());
        awaitBoats(view, workspaces, first);
        await()
            .atMost(TestWorkspaces.PATIENCE)
            .untilAsserted(() -> assertThat(view.describe()).hasSize(1));
        assertThat(view.client(there)).isEmpty();
      }
    }
  }

  private static Map<String, WorkspacePath> oneOnEachShard(TestWorkspaces workspaces) {
    var consumers = new LinkedHashMap<String, WorkspacePath>();
    while (consumers.size() < 2) {
      // Where a workspace goes is a matter of its cluster's random name.
      WorkspacePath made = workspaces.create("consumer");
      KubeObject cluster =
          workspaces.client(made).find(LOGICAL_CLUSTERS, "", "cluster").orElseThrow();
      consumers.putIfAbsent(cluster.annotation("core.kcp.io/shard").orElseThrow(), made);
    }
    return consumers;
  }

  private static void sail(TestWorkspaces workspaces, WorkspacePath consumer) {
    workspaces.create(
        consumer,
        BOATS,
        KubeObject.of(
            Map.of(
                "apiVersion", BOATS.apiVersion(),
                "kind", "Boat",
                "metadata", Map.of("name", "anna", "namespace", NAMESPACE))));
  }

  private static void awaitBoats(
      ExportView view, TestWorkspaces workspaces, WorkspacePath... consumers) {
    List<ObjectKey> expected =
        List.of(consumers).stream()
            .map(consumer -> new ObjectKey(workspaces.cluster(consumer), NAMESPACE, "anna"))
            .sorted()
            .toList();
    await()
        .atMost(TestWorkspaces.PATIENCE)
        .untilAsserted(() -> {
          assertThat(view.state()).isEqualTo(new ExportState.Ready());
          assertThat(view.all(BOATS))
              .extracting(boat ->
                  new ObjectKey(boat.logicalCluster().orElseThrow(), boat.namespace(), boat.name()))
              .isEqualTo(expected);
        });
  }

  private static KubeObject binding(WorkspacePath provider) {
    return Manifests.parse(
            """
            apiVersion: apis.kcp.io/v1alpha2
            kind: APIBinding
            metadata: {name: boats}
            spec: {reference: {export: {path: "%s", name: boats}}}
            """
                .formatted(provider.value()))
        .getFirst();
  }

  private record NobodyListens() implements ExportListener {
    @Override
    public void changed(ResourceType type, Change change) {}

    @Override
    public void stateChanged() {}
  }

  private static final String EXPORT =
      """
      apiVersion: apis.kcp.io/v1alpha1
      kind: APIResourceSchema
      metadata: {name: v1.boats.harbour.example.io}
      spec:
        group: harbour.example.io
        scope: Namespaced
        names: {plural: boats, singular: boat, kind: Boat, listKind: BoatList}
        versions:
        - name: v1
          served: true
          storage: true
          schema: {type: object, x-kubernetes-preserve-unknown-fields: true}
      ---
      apiVersion: apis.kcp.io/v1alpha2
      kind: APIExport
      metadata: {name: boats}
      spec:
        resources:
        - {group: harbour.example.io, name: boats, schema: v1.boats.harbour.example.io, storage: {crd: {}}}
      """;
}
