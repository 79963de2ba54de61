package dev.mooring.sandbox.kcp.shard;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.sandbox.kcp.object.decide.Lifecycle;
import java.net.URI;

/**
 * The URLs that kcp writes into objects.
 *
 * @param base of the server, such as {@code https://127.0.0.1:6443}; no slash at the end
 */
public record ServerUrls(String base, Shards shards) {
  /** Of a server that is its only shard. */
  public ServerUrls(String base) {
    this(base, Shards.of(1, shard -> URI.create(base)));
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

  /** Where the initializer or the terminator of a type works at one shard. */
  public String workspaces(String shard, Lifecycle lifecycle, LogicalCluster cluster, String type) {
    return shards.url(shard) + "/services/" + lifecycle.service() + "/" + cluster + ":" + type;
  }
}
