package dev.mooring.sandbox;

import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * How to run a sandbox.
 *
 * @param rootDirectory for certificates, keys and {@code admin.kubeconfig}; made if missing
 * @param dataDirectory keeps all objects beyond the end of the process; made if missing. Empty:
 *     they are in memory alone
 * @param bindAddress an address of this machine, or {@code 0.0.0.0} for all of them
 * @param externalHostname as clients reach it, in all URLs and the certificate; the bind address if
 *     empty
 * @param port 0 for any free one
 * @param shards of kcp, at most {@value #SHARDS_MAX}. One is the server itself; of several each has
 *     a store, controllers and a port of its own (the next ones after the server's, or any free
 *     ones), and the server is the front proxy before them
 * @param mappingFile paths of the front proxy that lead to servers elsewhere, as kcp's {@code
 *     --mapping-file}
 */
public record ServerOptions(
    Path rootDirectory,
    Optional<Path> dataDirectory,
    String bindAddress,
    Optional<String> externalHostname,
    int port,
    AccessOptions access,
    Mode mode,
    int shards,
    Optional<Path> mappingFile) {
  /** More would only be slower: they share one process. */
  public static final int SHARDS_MAX = 16;

  /** What the server pretends to be. */
  public enum Mode {
    /** kcp, with one shard or more. */
    KCP,
    /** One Kubernetes API server without logical clusters, which runs no workloads. */
    KUBERNETES
  }

  public ServerOptions {
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException("not a port: " + port);
    }
    if (port == 0 && dataDirectory.isPresent()) {
      throw new IllegalArgumentException(
          "kept objects name the server's URL: with a data directory choose a port");
    }
    if (shards < 1 || shards > SHARDS_MAX) {
      throw new IllegalArgumentException(
          "there can be 1 to " + SHARDS_MAX + " shards, not " + shards);
    }
    if (shards == 1 && mappingFile.isPresent()) {
      throw new IllegalArgumentException(
          "a mapping file is the front proxy's, and one shard has none; start two shards or more");
    }
    if (shards > 1 && mode == Mode.KUBERNETES) {
      throw new IllegalArgumentException("only kcp has shards; plain Kubernetes is one server");
    }
  }

  /** A kcp on a free port of the loopback interface. */
  public static ServerOptions in(Path rootDirectory) {
    return new ServerOptions(
        rootDirectory,
        Optional.empty(),
        "127.0.0.1",
        Optional.empty(),
        0,
        AccessOptions.DEFAULT,
        Mode.KCP,
        1,
        Optional.empty());
  }

  /** The name or address in the server's URLs. */
  public String hostname() {
    return externalHostname.orElse(bindAddress);
  }

  /**
   * @param value of the server, which kept objects name
   */
  public ServerOptions withData(Path directory, int value) {
    return with(draft -> {
      draft.dataDirectory = Optional.of(directory);
      draft.port = value;
    });
  }

  public ServerOptions withPort(int value) {
    return with(draft -> draft.port = value);
  }

  public ServerOptions withAccess(AccessOptions value) {
    return with(draft -> draft.access = value);
  }

  public ServerOptions withTokenFile(Path value) {
    return withAccess(access.withTokenFile(value));
  }

  public ServerOptions withClientCaFile(Path value) {
    return withAccess(access.withClientCaFile(value));
  }

  public ServerOptions withMode(Mode value) {
    return with(draft -> draft.mode = value);
  }

  public ServerOptions withShards(int value) {
    return with(draft -> draft.shards = value);
  }

  public ServerOptions withMappingFile(Path value) {
    return with(draft -> draft.mappingFile = Optional.of(value));
  }

  private ServerOptions with(Consumer<Draft> change) {
    var draft = new Draft();
    change.accept(draft);
    return new ServerOptions(
        rootDirectory,
        draft.dataDirectory,
        bindAddress,
        externalHostname,
        draft.port,
        draft.access,
        draft.mode,
        draft.shards,
        draft.mappingFile);
  }

  /** What a copy may have of its own. */
  private final class Draft {
    private Optional<Path> dataDirectory = ServerOptions.this.dataDirectory;
    private int port = ServerOptions.this.port;
    private AccessOptions access = ServerOptions.this.access;
    private Mode mode = ServerOptions.this.mode;
    private int shards = ServerOptions.this.shards;
    private Optional<Path> mappingFile = ServerOptions.this.mappingFile;
  }
}
