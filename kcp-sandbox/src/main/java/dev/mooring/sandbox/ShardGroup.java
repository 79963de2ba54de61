package dev.mooring.sandbox;

import dev.mooring.sandbox.http.ApiServer;
import dev.mooring.sandbox.kcp.frontproxy.FrontRouter;
import dev.mooring.sandbox.kcp.frontproxy.PathMapping;
import dev.mooring.sandbox.kcp.shard.OtherShards;
import dev.mooring.sandbox.kcp.shard.ServerUrls;
import dev.mooring.sandbox.kcp.shard.ShardUnavailable;
import dev.mooring.sandbox.kcp.shard.WorkspaceIndex;
import dev.mooring.sandbox.kube.SandboxContext;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The servers of a sandbox: one shard alone, or several behind front proxies, with a cache server
 * between them. Thread-safe.
 */
final class ShardGroup implements AutoCloseable {
  /** The stores of shards begin at unrelated versions, below this one. */
  private static final long VERSION_BOUND = 1_000_000;

  private final SandboxContext context;
  private final ServerOptions options;
  private final Optional<CacheServer> cache;
  private final Map<String, Shard> shards = Collections.synchronizedMap(new LinkedHashMap<>());
  private final List<FrontProxy> proxies = new ArrayList<>();

  private record FrontProxy(ApiServer server, WorkspaceIndex index) {}

  private ShardGroup(SandboxContext context, ServerOptions options) {
    this.context = context;
    this.options = options;
    this.cache = options.shards() > 1 ? Optional.of(new CacheServer()) : Optional.empty();
  }

  /**
   * Starts all servers.
   *
   * @throws java.io.UncheckedIOException if a port is taken
   */
  static ShardGroup start(SandboxContext context, ServerOptions options) {
    var group = new ShardGroup(context, options);
    try {
      group.start();
      context.faults().onShards(group::keepDown);
      return group;
    } catch (RuntimeException e) {
      group.close();
      throw e;
    }
  }

  private void start() {
    int count = options.shards();
    int port = options.server().port();
    if (count == 1) {
      var none = neighbours(Optional.empty(), OtherShards.NONE);
      add(Shard.bind(context, name(0), port, context.store(name(0), 1), none));
      context.requireSameData(url(), count);
      shard(ServerUrls.ROOT_SHARD).start();
      return;
    }
    FrontProxy first = bindProxy(port);
    context.requireSameData(url(), count);
    for (int i = 0; i < count; i++) {
      add(bindShard(i));
    }
    shards().forEach(Shard::start);
    start(first);
  }

  private static String name(int index) {
    return index == 0 ? ServerUrls.ROOT_SHARD : "shard-" + index;
  }

  private void add(Shard shard) {
    shards.put(shard.name(), shard);
  }

  private Shard bindShard(int index) {
    int port = options.server().port();
    long version = ThreadLocalRandom.current().nextLong(1, VERSION_BOUND);
    return Shard.bind(
        context,
        name(index),
        port == 0 ? 0 : port + 1 + index,
        context.store(name(index), version),
        neighbours(Optional.of(url()), name -> find(name).objects()));
  }

  private Shard.Neighbours neighbours(Optional<URI> base, OtherShards others) {
    return new Shard.Neighbours(base, cache, others, options.homeCreators());
  }

  private Shard find(String name) {
    return Optional.ofNullable(shards.get(name)).orElseThrow(() -> new ShardUnavailable(name));
  }

  private FrontProxy bindProxy(int port) {
    var index =
        new WorkspaceIndex(name ->
            Optional.ofNullable(shards.get(name)).filter(Shard::isRunning).map(Shard::store));
    var proxy = new FrontProxy(context.bind(port), index);
    proxies.add(proxy);
    return proxy;
  }

  private void start(FrontProxy proxy) {
    proxy.index().start();
    proxy
        .server()
        .start(
            new FrontRouter(
                proxy.index(),
                name -> Optional.ofNullable(shards.get(name)).flatMap(Shard::server),
                options.mappingFile().map(PathMapping::read).orElse(List.of()),
                context.serviceAccountTokens()));
  }

  /** Where users reach the sandbox: the first front proxy, or the only shard. */
  URI url() {
    return proxies.isEmpty()
        ? shard(ServerUrls.ROOT_SHARD).url()
        : proxies.getFirst().server().url();
  }

  /** In the order in which they came. */
  List<Shard> shards() {
    synchronized (shards) {
      return List.copyOf(shards.values());
    }
  }

  /**
   * @throws IllegalArgumentException if there is none of that name
   */
  Shard shard(String name) {
    Shard shard = shards.get(name);
    if (shard == null) {
      throw new IllegalArgumentException("there is no shard " + name + ", only " + shards.keySet());
    }
    return shard;
  }

  /** As {@link KcpSandbox#cacheServer}. */
  CacheServer cacheServer() {
    return cache.orElseThrow(() ->
        new IllegalStateException(
            "a sandbox of one shard has no cache server; start it with two shards or more"));
  }

  /** As {@link KcpSandbox#addShard}. */
  synchronized Shard addShard() {
    requireFrontProxy();
    if (shards.size() == ServerOptions.SHARDS_MAX) {
      throw new IllegalStateException(
          "there can be at most " + ServerOptions.SHARDS_MAX + " shards");
    }
    Shard shard = bindShard(shards.size());
    // Front proxies look for it as soon as it has entered itself.
    add(shard);
    try {
      shard.start();
    } catch (RuntimeException e) {
      shards.remove(shard.name());
      shard.close();
      throw e;
    }
    return shard;
  }

  /** As {@link KcpSandbox#addFrontProxy}. */
  synchronized URI addFrontProxy() {
    requireFrontProxy();
    FrontProxy proxy = bindProxy(0);
    start(proxy);
    return proxy.server().url();
  }

  /**
   * Kills the named shards and starts all others.
   *
   * @throws IllegalArgumentException if there is no such shard, or it is the one with the root
   *     workspace, which answers those who would start it again
   */
  private synchronized void keepDown(Set<String> names) {
    if (names.contains(ServerUrls.ROOT_SHARD)) {
      throw new IllegalArgumentException(
          "the shard " + ServerUrls.ROOT_SHARD + " cannot be down: it serves /faults");
    }
    names.forEach(this::shard);
    for (Shard shard : shards()) {
      if (names.contains(shard.name())) {
        shard.kill();
      } else {
        shard.start();
      }
    }
  }

  private void requireFrontProxy() {
    if (proxies.isEmpty()) {
      throw new IllegalStateException(
          "a sandbox of one shard has no front proxy; start it with two shards or more");
    }
  }

  @Override
  public synchronized void close() {
    // Shards first: watches through a front proxy end with them.
    shards().forEach(Shard::close);
    proxies.forEach(proxy -> {
      proxy.server().close();
      proxy.index().close();
    });
  }
}
