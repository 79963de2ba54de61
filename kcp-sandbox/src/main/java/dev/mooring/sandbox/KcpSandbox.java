package dev.mooring.sandbox;

import dev.mooring.sandbox.kcp.shard.ServerUrls;
import dev.mooring.sandbox.kube.Sandbox;
import dev.mooring.sandbox.kube.SandboxContext;
import dev.mooring.sandbox.security.admin.Kubeconfigs;
import dev.mooring.sandbox.storage.StoreList;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;

/** A kcp-compatible API server. Thread-safe. */
public final class KcpSandbox extends Sandbox {
  private final ShardGroup group;

  private KcpSandbox(SandboxContext context, ShardGroup group) {
    super(
        context,
        group.url(),
        Kubeconfigs.kcp(
            group.url(),
            group.shard(ServerUrls.ROOT_SHARD).url(),
            context.authority(),
            context.adminTokens()));
    this.group = group;
  }

  /**
   * A running server; it is ready when this returns.
   *
   * @throws UncheckedIOException if the port is taken, or the root or data directory cannot be
   *     written
   * @throws IllegalStateException if the data directory is another server's
   */
  public static KcpSandbox start(ServerOptions options) {
    var context = SandboxContext.of(options.server(), ShardServer.distribution());
    var group = ShardGroup.start(context, options);
    try {
      return new KcpSandbox(context, group);
    } catch (RuntimeException e) {
      group.close();
      throw e;
    }
  }

  /**
   * Where each shard is reached by itself, by name, beginning with {@code root}; the server's own
   * URL if it is the only one.
   */
  public Map<String, URI> shards() {
    var urls = new LinkedHashMap<String, URI>();
    group.shards().forEach(shard -> urls.put(shard.name(), shard.url()));
    return urls;
  }

  /**
   * A shard, to be stopped, killed and started again.
   *
   * @throws IllegalArgumentException if there is none of that name
   */
  public Shard shard(String name) {
    return group.shard(name);
  }

  /**
   * What the shards share their objects by, to be stopped and started again.
   *
   * @throws IllegalStateException if the sandbox was started with one shard
   */
  public CacheServer cacheServer() {
    return group.cacheServer();
  }

  /**
   * Starts one more shard, which joins the others: {@code shard-2} after {@code root} and {@code
   * shard-1}.
   *
   * @throws IllegalStateException if the sandbox was started with one shard, has {@value
   *     ServerOptions#SHARDS_MAX}, or the shard {@code root} is down
   */
  public Shard addShard() {
    return group.addShard();
  }

  /**
   * Starts one more front proxy, with an index of its own, on any free port. It knows nothing of a
   * shard that is down until that starts.
   *
   * @throws IllegalStateException if the sandbox was started with one shard, or the shard {@code
   *     root} is down
   */
  public URI addFrontProxy() {
    return group.addFrontProxy();
  }

  /** Everything that is stored now, in all workspaces; of several shards one after the other. */
  public Snapshot snapshot() {
    var stores = new LinkedHashMap<String, StoreList>();
    group.shards().forEach(shard -> stores.put(shard.name(), shard.store().snapshot()));
    return new Snapshot(stores);
  }

  /**
   * Puts everything back as it was. Clients with watches see it as ordinary writes, and controllers
   * go on from there.
   *
   * @param snapshot of this server; a shard that joined later stays as it is
   */
  public void restore(Snapshot snapshot) {
    snapshot.stores().forEach((name, store) -> group.shard(name).store().restore(store));
  }

  /** All objects of a server at one moment. Immutable. */
  public static final class Snapshot {
    private final Map<String, StoreList> stores;

    private Snapshot(Map<String, StoreList> stores) {
      this.stores = stores;
    }

    /** By shard. */
    private Map<String, StoreList> stores() {
      return stores;
    }
  }

  @Override
  public void close() {
    group.close();
  }
}
