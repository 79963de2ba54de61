package dev.mooring.sandbox;

import dev.mooring.sandbox.kube.KubeOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * How to run a kcp.
 *
 * @param server of the only shard, or of the front proxy before several
 * @param homeCreators groups of users who get a home workspace, as kcp's {@code
 *     --home-workspaces-home-creator-groups}
 * @param shards at most {@value #SHARDS_MAX}. One is the server itself; of several each has a
 *     store, controllers and a port of its own (the next ones after the server's, or any free
 *     ones), and the server is the front proxy before them
 * @param mappingFile paths of the front proxy that lead to servers elsewhere, as kcp's {@code
 *     --mapping-file}
 */
public record ServerOptions(
    KubeOptions server, List<String> homeCreators, int shards, Optional<Path> mappingFile) {
  /** More would only be slower: they share one process. */
  public static final int SHARDS_MAX = 16;

  public ServerOptions {
    homeCreators = List.copyOf(homeCreators);
    if (shards < 1 || shards > SHARDS_MAX) {
      throw new IllegalArgumentException(
          "there can be 1 to " + SHARDS_MAX + " shards, not " + shards);
    }
    if (shards == 1 && mappingFile.isPresent()) {
      throw new IllegalArgumentException(
          "a mapping file is the front proxy's, and one shard has none; start two shards or more");
    }
  }

  /** One shard on a free port of the loopback interface, with kcp's defaults. */
  public static ServerOptions in(Path rootDirectory) {
    return new ServerOptions(
        KubeOptions.in(rootDirectory), List.of("system:authenticated"), 1, Optional.empty());
  }

  /**
   * @param port of the server, which kept objects name
   */
  public ServerOptions withData(Path directory, int port) {
    return with(server.withData(directory, port));
  }

  public ServerOptions withPort(int value) {
    return with(server.withPort(value));
  }

  public ServerOptions withTokenFile(Path value) {
    return with(server.withTokenFile(value));
  }

  public ServerOptions withClientCaFile(Path value) {
    return with(server.withClientCaFile(value));
  }

  public ServerOptions withShards(int value) {
    return new ServerOptions(server, homeCreators, value, mappingFile);
  }

  private ServerOptions with(KubeOptions changed) {
    return new ServerOptions(changed, homeCreators, shards, mappingFile);
  }
}
