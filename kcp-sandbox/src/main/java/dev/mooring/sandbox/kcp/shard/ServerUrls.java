package dev.mooring.sandbox.kcp.shard;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.WorkspacePath;

/**
 * The URLs that kcp writes into objects. None has a slash at the end.
 *
 * @param base where users reach the installation, such as {@code https://127.0.0.1:6443}
 * @param shard the name of this shard
 * @param shardUrl where this shard is reached by itself
 */
public record ServerUrls(String base, String shard, String shardUrl) {
  /** The name of the shard with the workspace {@code root}. */
  public static final String ROOT_SHARD = "root";

  /** Of a server that is its only shard. */
  public ServerUrls(String base) {
    this(base, ROOT_SHARD, base);
  }

  public String workspace(WorkspacePath path) {
    return base() + "/clusters/" + path;
  }

  public String cluster(LogicalCluster cluster) {
    return base() + "/clusters/" + cluster;
  }

  /** Of the export's virtual workspace at this shard. */
  public String export(LogicalCluster cluster, String export) {
    return shardUrl + "/services/apiexport/" + cluster + "/" + export;
  }
}
