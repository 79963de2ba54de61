package dev.mooring.syncagent.related;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.credentials.ConnectionOptions;
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.runtime.export.ExportWatchOptions;
import dev.mooring.runtime.lease.Share;
import dev.mooring.runtime.time.SystemTime;
import dev.mooring.runtime.watch.InformerSpec;
import dev.mooring.syncagent.clusters.Clusters;
import dev.mooring.syncagent.clusters.WorkShare;
import dev.mooring.syncagent.published.Adoption;
import dev.mooring.syncagent.published.NamespaceMetadata;
import dev.mooring.syncagent.published.PublishedResource;
import dev.mooring.syncagent.published.RelatedResource;
import dev.mooring.syncagent.published.SyncPolicy.EmptyNamespaces;
import dev.mooring.syncagent.related.decide.Progress;
import dev.mooring.syncagent.simulation.CopiesModel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RelatedSyncTest {
  private static final ResourceType ORDERS = new ResourceType("example.io", "v1", "orders");
  private static final ObjectKey KEY = new ObjectKey(new LogicalCluster("c1"), "default", "web");

  private static final PrimaryCopies NO_COPIES =
      new CopiesModel(_ -> Optional.empty(), _ -> false, _ -> false);

  @TempDir private Path directory;

  @Test
  void letsNoPrimaryGoWhileItsRelatedObjectsCannotBeRead() throws Exception {
    // Nothing listens on port 1.
    Path kubeconfig =
        Files.writeString(
            directory.resolve("kubeconfig"),
            """
            apiVersion: v1
            kind: Config
            current-context: none
            contexts: [{name: none, context: {cluster: none, user: none}}]
            clusters: [{name: none, cluster: {server: "https://127.0.0.1:1"}}]
            users: [{name: none, user: {token: none}}]
            """);
    try (var connection =
            KubeConnection.fromKubeconfig(kubeconfig, ConnectionOptions.of("related-test"));
        var clusters =
            new Clusters(
                new WorkShare(Share.EVERYTHING),
                connection,
                ExportWatchOptions.of("none"),
                connection.client(),
                SystemTime.clocks(),
                SystemTime.scheduler(),
                Optional::empty,
                () -> {});
        var primaries = clusters.follow(InformerSpec.of(ORDERS), _ -> {});
        var related =
            new RelatedSyncFactory(
                    connection.client(),
                    clusters.shared(),
                    clusters.namespaceWriter(),
                    "agent",
                    "default",
                    SystemTime.steadyClock())
                .start(
                    new RelatedRules(
                        List.of(entry()),
                        Set.of(),
                        ORDERS,
                        Adoption.NEVER,
                        EmptyNamespaces.KEEP,
                        NamespaceMetadata.NONE,
                        Optional.empty()),
                    primaries,
                    NO_COPIES,
                    _ -> {})) {
      KubeObject primary =
          KubeObject.of(
              Map.of(
                  "metadata",
                  Map.of("namespace", "default", "name", "web", "deletionTimestamp", "now")));

      Progress progress =
          related.cleanUp(
              new Primary(KEY, primary, Optional.empty(), Optional.empty()), connection.client());

      assertThat(progress).isInstanceOf(Progress.NotSynced.class);
    }
  }

  private static RelatedResource entry() {
    return PublishedResource.read(
            KubeObject.of(
                Map.of(
                    "metadata",
                    Map.of("name", "orders"),
                    "spec",
                    Map.of(
                        "resource",
                        Map.of("kind", "Order"),
                        "related",
                        List.of(
                            Map.of(
                                "identifier",
                                "tls",
                                "origin",
                                "kcp",
                                "kind",
                                "Secret",
                                "object",
                                Map.of("template", Map.of("template", "tls"))))))))
        .related()
        .getFirst();
  }
}
