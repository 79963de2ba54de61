package dev.mooring.sandbox;

import dev.mooring.sandbox.fault.FaultInjector;
import dev.mooring.sandbox.kcp.shard.ServerUrls;
import dev.mooring.sandbox.security.admin.AdminTokens;
import dev.mooring.sandbox.security.admin.Kubeconfigs;
import dev.mooring.sandbox.storage.StoreSnapshot;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A kcp-compatible (or plain Kubernetes) API server inside this JVM. Objects live in memory until
 * it is closed, unless they have a data directory; certificates and tokens are kept in its root
 * directory. Thread-safe.
 */
public final class KcpSandbox implements AutoCloseable {
  static final String KUBECONFIG_FILE = "admin.kubeconfig";

  private final SharedParts parts;
  private final ShardGroup group;
  private final String kubeconfig;
  private final Path kubeconfigFile;

  private KcpSandbox(SharedParts parts, ShardGroup group, String kubeconfig, Path kubeconfigFile) {
    this.parts = parts;
    this.group = group;
    this.kubeconfig = kubeconfig;
    this.kubeconfigFile = kubeconfigFile;
  }

  /**
   * A running server; it is ready when this returns. Where the JVM has no virtual thread yet, and
   * no option for it, its virtual threads get 64 carriers.
   *
   * @throws UncheckedIOException if the port is taken, or the root or data directory cannot be
   *     written
   * @throws IllegalStateException if the data directory is another server's
   */
  public static KcpSandbox start(ServerOptions options) {
    provideCarriers();
    var parts = SharedParts.of(options, Clock.systemUTC());
    var group = ShardGroup.start(parts);
    try {
      String kubeconfig = kubeconfig(parts, group);
      Path file = options.rootDirectory().resolve(KUBECONFIG_FILE);
      Kubeconfigs.write(file, kubeconfig);
      return new KcpSandbox(parts, group, kubeconfig, file);
    } catch (RuntimeException e) {
      group.close();
      throw e;
    }
  }

  /**
   * With one carrier per processor, as the JDK has them, virtual threads that wait in the loading
   * of a class stop all others on a small machine. 64 cost 1,000 watchers no time, 256 do.
   */
  private static void provideCarriers() {
    String property = "jdk.virtualThreadScheduler.parallelism";
    if (System.getProperty(property) == null) {
      System.setProperty(property, "64");
    }
  }

  private static String kubeconfig(SharedParts parts, ShardGroup group) {
    URI url = group.url();
    String authority = parts.certificates().authority().certificatePem();
    AdminTokens tokens = parts.adminTokens();
    return switch (parts.options().mode()) {
      case KCP -> Kubeconfigs.kcp(url, group.shard(ServerUrls.ROOT_SHARD).url(), authority, tokens);
      case KUBERNETES -> Kubeconfigs.kubernetes(url, authority, tokens);
    };
  }

  /** Such as {@code https://127.0.0.1:6443}: no slash at the end. */
  public URI url() {
    return group.url();
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

  /** The administrators' kubeconfig, as text. */
  public String kubeconfig() {
    return kubeconfig;
  }

  /** Where the administrators' kubeconfig was written. */
  public Path kubeconfigFile() {
    return kubeconfigFile;
  }

  /** Injects faults into requests; none at first. */
  public FaultInjector faults() {
    return parts.faults();
  }

  /** Everything that is stored now, in all workspaces; of several shards one after the other. */
  public Snapshot snapshot() {
    var stores = new LinkedHashMap<String, StoreSnapshot>();
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
    private final Map<String, StoreSnapshot> stores;

    private Snapshot(Map<String, StoreSnapshot> stores) {
      this.stores = stores;
    }

    /** By shard. */
    private Map<String, StoreSnapshot> stores() {
      return stores;
    }
  }

  @Override
  public void close() {
    group.close();
  }
}
