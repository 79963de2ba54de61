package dev.mooring.sandbox;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.sandbox.controller.LoopbackClient;
import dev.mooring.sandbox.http.ApiServer;
import dev.mooring.sandbox.kcp.object.KcpResources;
import dev.mooring.sandbox.kcp.shard.OtherShards;
import dev.mooring.sandbox.kcp.shard.RootIdentities;
import dev.mooring.sandbox.kcp.shard.ServerUrls;
import dev.mooring.sandbox.kcp.shard.ShardUnavailable;
import dev.mooring.sandbox.kube.SandboxContext;
import dev.mooring.sandbox.storage.ResourceStore;
import dev.mooring.sandbox.storage.ShardStores;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A shard of a sandbox: a kcp server with a store, controllers, rights and a port of its own. It
 * can be stopped or killed and started again, on the same port; its objects stay in memory
 * meanwhile. Thread-safe.
 */
public final class Shard {
  private final SandboxContext context;
  private final String name;
  private final Neighbours neighbours;
  private final ResourceStore store;
  private final RootIdentities identities = new RootIdentities();
  private final URI url;
  private @Nullable ApiServer bound;
  private volatile @Nullable ShardServer running;

  /**
   * What a shard knows of the others of its sandbox.
   *
   * @param base where users reach the sandbox; empty for a shard that is the sandbox
   * @param cache empty for a shard that is the sandbox
   * @param homeCreators groups of users who get a home workspace
   */
  record Neighbours(
      Optional<URI> base,
      Optional<CacheServer> cache,
      OtherShards others,
      List<String> homeCreators) {}

  private Shard(
      SandboxContext context,
      String name,
      Neighbours neighbours,
      ResourceStore store,
      ApiServer bound) {
    this.context = context;
    this.name = name;
    this.neighbours = neighbours;
    this.store = store;
    this.bound = bound;
    this.url = bound.url();
  }

  /**
   * A shard that has taken its port and was not started yet.
   *
   * @param port 0 for any free one
   * @param store kept while it is down
   */
  static Shard bind(
      SandboxContext context, String name, int port, ResourceStore store, Neighbours neighbours) {
    return new Shard(context, name, neighbours, store, context.bind(port));
  }

  /** As {@code root} or {@code shard-1}. */
  public String name() {
    return name;
  }

  /** Where it is reached by itself; no slash at the end. */
  public URI url() {
    return url;
  }

  public boolean isRunning() {
    return running != null;
  }

  /**
   * Starts it, if it does not run. It answers when this returns; what it replicates and watches
   * comes a moment later.
   *
   * @throws IllegalStateException if the cache server is stopped, as a shard needs to know the
   *     others' objects; or if it has never run, and the shard {@code root} is down: a new shard
   *     has to enter itself there
   * @throws java.io.UncheckedIOException if its port was taken meanwhile
   */
  public synchronized void start() {
    if (running != null) {
      return;
    }
    if (neighbours.cache().filter(cache -> !cache.isRunning()).isPresent()) {
      throw new IllegalStateException(
          name + " cannot join the other shards: the cache server does not run; start it first");
    }
    ApiServer http = bound == null ? context.bind(url.getPort()) : bound;
    bound = null;
    var server = ShardServer.of(context, place(), http);
    try {
      server.start();
      running = server;
    } catch (ShardUnavailable down) {
      server.close();
      throw new IllegalStateException(
          name + " cannot join the other shards: " + down.getMessage() + "; start it first", down);
    } catch (RuntimeException e) {
      server.close();
      throw e;
    }
  }

  private ShardServer.ShardContext place() {
    String base = neighbours.base().orElse(url).toString();
    var stores =
        new ShardStores(
            store,
            neighbours.cache().map(cache -> new ShardStores.Replicas(cache.replicas(), this::has)));
    return new ShardServer.ShardContext(
        stores,
        neighbours.cache(),
        new ServerUrls(base, name, url.toString()),
        neighbours.others(),
        identities,
        neighbours.homeCreators());
  }

  private boolean has(LogicalCluster cluster) {
    return KcpResources.logicalCluster(cluster)
        .map(key -> store.get(key).isPresent())
        // system:admin is every shard's own.
        .orElse(true);
  }

  /** Ends requests and watches in good order, then the server. Does nothing if it does not run. */
  public synchronized void stop() {
    ShardServer before = running;
    if (before != null) {
      running = null;
      before.close();
    }
  }

  /** Cuts all connections off, as {@code kill -9} would. Does nothing if it does not run. */
  public synchronized void kill() {
    ShardServer before = running;
    if (before != null) {
      running = null;
      before.kill();
    }
  }

  /** Ends it for good, even if it was never started. */
  synchronized void close() {
    stop();
    if (bound != null) {
      bound.close();
      bound = null;
    }
    store.close();
  }

  /** Empty while it is down. */
  Optional<ApiServer> server() {
    return Optional.ofNullable(running).map(ShardServer::http);
  }

  ResourceStore store() {
    return store;
  }

  /** Throws {@link ShardUnavailable} while it is down. */
  LoopbackClient objects() {
    ShardServer now = running;
    if (now == null) {
      throw new ShardUnavailable(name);
    }
    return now.objects();
  }
}
