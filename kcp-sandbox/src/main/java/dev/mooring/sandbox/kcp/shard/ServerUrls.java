package dev.mooring.sandbox.kcp.shard;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.WorkspacePath;
import java.net.URI;
import java.util.function.Supplier;

/**
 * The URLs that kcp writes into objects. Known once the server listens: nothing is written before.
 * Thread-safe.
 */
public final class ServerUrls {
  private final Supplier<String> base;
  private final Shards shards;

  /**
   * @param base of the server, such as {@code https://127.0.0.1:6443}; no slash at the end
   */
  public ServerUrls(Supplier<String> base, Shards shards) {
    this.base = base;
    this.shards = shards;
  }

  /** Of a server that is its only shard. */
  public ServerUrls(Supplier<String> base) {
    this(base, Shards.of(1, shard -> URI.create(base.get())));
  }

  public Shards shards() {
    return shards;
  }

  public String base() {
    return base.get();
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
