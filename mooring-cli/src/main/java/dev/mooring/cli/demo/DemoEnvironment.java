package dev.mooring.cli.demo;

import dev.mooring.cli.live.Types;
import dev.mooring.harness.Kubeconfig;
import dev.mooring.harness.Manifests;
import dev.mooring.harness.Suite;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.ListQuery;
import dev.mooring.runtime.client.credentials.ConnectionOptions;
import dev.mooring.runtime.client.http.KubeConnection;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Where the story plays: one workspace that holds everything, its children for providers and
 * consumers, and the service cluster.
 */
public final class DemoEnvironment implements AutoCloseable {
  private final Suite suite;
  private final WorkspacePath org;
  private final Kubeconfig kcpConfig;
  private final KubeConnection kcp;
  private final KubeConnection cluster;
  private final ClusterClient serviceCluster;
  private final List<KubeConnection> shardConnections = new ArrayList<>();
  private final List<ClusterClient> shards;
  private final Map<WorkspacePath, ClusterClient> clusters = new ConcurrentHashMap<>();

  /**
   * @param org below which all workspaces of the story are made
   */
  public DemoEnvironment(
      Suite suite, WorkspacePath org, Kubeconfig kcp, Kubeconfig serviceCluster) {
    this.suite = suite;
    this.org = org;
    this.kcpConfig = kcp.at(org);
    Path clusterFile =
        serviceCluster.write(suite.directory().resolve("service-cluster.kubeconfig"));
    Path kcpFile = kcpConfig.write(suite.directory().resolve("org.kubeconfig"));
    this.kcp = KubeConnection.fromKubeconfig(kcpFile, ConnectionOptions.of("demo"));
    this.cluster = KubeConnection.fromKubeconfig(clusterFile, ConnectionOptions.of("demo"));
    this.serviceCluster = new ClusterClient("service-cluster", clusterFile, cluster.client());
    this.shards = suite.shardAdmin().map(this::shards).orElseGet(List::of);
  }

  private List<ClusterClient> shards(Kubeconfig admin) {
    return kcp.client(WorkspacePath.ROOT).list(Types.SHARDS, ListQuery.ALL).items().stream()
        .map(shard -> {
          Path file =
              admin
                  .at(URI.create(shard.text("spec", "baseURL") + "/clusters/system:admin"))
                  .write(suite.directory().resolve("shard-" + shard.name() + ".kubeconfig"));
          var connection = KubeConnection.fromKubeconfig(file, ConnectionOptions.of("demo"));
          shardConnections.add(connection);
          return new ClusterClient("shard-" + shard.name(), file, connection.client());
        })
        .toList();
  }

  public Suite suite() {
    return suite;
  }

  public WorkspacePath org() {
    return org;
  }

  /** The workspace above the story's own. */
  public ClusterClient parent() {
    return clusterClient(
        org.parent().orElseThrow(() -> new IllegalStateException(org + " has no parent")));
  }

  public ClusterClient orgPlace() {
    return clusterClient(org);
  }

  /** Holds the APIExport of DependencyRules. */
  public ClusterClient dependencies() {
    return clusterClient(org.child("dependencies"));
  }

  public ClusterClient certificates() {
    return clusterClient(org.child("certificates"));
  }

  public ClusterClient network() {
    return clusterClient(org.child("network"));
  }

  public ClusterClient compute() {
    return clusterClient(org.child("compute"));
  }

  /** Another workspace below {@link #orgPlace}; whether it exists is up to the caller. */
  public ClusterClient child(String name) {
    return clusterClient(org.child(name));
  }

  public ClusterClient blue() {
    return clusterClient(org.child("team-blue"));
  }

  public ClusterClient green() {
    return clusterClient(org.child("team-green"));
  }

  List<ClusterClient> consumers() {
    return List.of(blue(), green());
  }

  /**
   * Above all workspaces of each shard; empty where there are no administrator's credentials for
   * shards.
   */
  public List<ClusterClient> shards() {
    return shards;
  }

  public ClusterClient serviceCluster() {
    return serviceCluster;
  }

  /** The objects of one of the demo's manifests, with this environment's paths. */
  List<KubeObject> manifest(String file) {
    return Manifests.ofResource("/demo/" + file, Map.of("org", org.value()));
  }

  @Override
  public void close() {
    kcp.close();
    cluster.close();
    shardConnections.forEach(KubeConnection::close);
  }

  private ClusterClient clusterClient(WorkspacePath workspace) {
    return clusters.computeIfAbsent(
        workspace,
        path ->
            new ClusterClient(
                path.name(),
                kcpConfig.at(path).write(suite.directory().resolve(path.name() + ".kubeconfig")),
                kcp.client(path)));
  }
}
