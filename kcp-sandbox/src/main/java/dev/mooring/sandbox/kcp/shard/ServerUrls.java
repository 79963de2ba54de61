package dev.mooring.sandbox.kcp.shard;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.WorkspacePath;
import java.net.URI;

/** The URLs that kcp writes into objects. Immutable. */
public final class ServerUrls {
  private final String base;
  private final Shards shards;

  /**
   * @param base of the server, such as {@code https://127.0.0.1:6443}; no slash at the end
   */
  public ServerUrls(String base, Shards shards) {
    this.base = base;
    this.shards = shards;
  }

  /** Of a server that is its only shard. */
  public ServerUrls(String base) {
    this(base, Shards.of(1, shard -> URI.create(base)));
  }

  public Shards shards() {
    return shards;
  }

  public String base() {
    return base;
  }

  public String workspace(WorkspacePath path) {
    return base() + "/clusters/" + path;
  }

  public String cluster(LogicalCluster cluster) {
    return base() + "/clusters/" + cluster;
  }

  /** Of the export's virtual workspace at one shard. */
  public String export(String shard, LogicalCluster cluster, String export) {
    return shards.url(shard) + "/services/apiexport/" + cluster + "/" + export;
  }

  /**
   * Where initializers and terminators of a type work.
   *
   * @param kind {@code initializing} or {@code terminating}
   */
  public String workspaces(String kind, LogicalCluster cluster, String type) {
    return base() + "/services/" + kind + "workspaces/" + cluster + ":" + type;
  }
}
