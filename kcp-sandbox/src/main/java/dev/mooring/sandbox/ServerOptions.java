package dev.mooring.sandbox;

import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/**
 * How to run a sandbox.
 *
 * @param rootDirectory for certificates, keys and {@code admin.kubeconfig}; made if missing.
 *     Objects are held in memory alone
 * @param bindAddress an address of this machine
 * @param port 0 for any free one
 * @param tokenFile users beside the administrators, as Kubernetes' {@code --token-auth-file}
 */
public record ServerOptions(
    Path rootDirectory, String bindAddress, int port, Optional<Path> tokenFile, Mode mode) {
  /** What the server pretends to be. */
  public enum Mode {
    /** One kcp shard. */
    KCP,
    /** One Kubernetes API server without logical clusters or workloads. */
    KUBERNETES
  }

  public ServerOptions {
    Objects.requireNonNull(rootDirectory, "rootDirectory");
    Objects.requireNonNull(bindAddress, "bindAddress");
    Objects.requireNonNull(tokenFile, "tokenFile");
    Objects.requireNonNull(mode, "mode");
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException("not a port: " + port);
    }
  }

  /** A kcp on a free port of the loopback interface. */
  public static ServerOptions in(Path rootDirectory) {
    return new ServerOptions(rootDirectory, "127.0.0.1", 0, Optional.empty(), Mode.KCP);
  }

  public ServerOptions withPort(int value) {
    return new ServerOptions(rootDirectory, bindAddress, value, tokenFile, mode);
  }

  public ServerOptions withBindAddress(String value) {
    return new ServerOptions(rootDirectory, value, port, tokenFile, mode);
  }

  public ServerOptions withTokenFile(Path value) {
    return new ServerOptions(rootDirectory, bindAddress, port, Optional.of(value), mode);
  }

  public ServerOptions withMode(Mode value) {
    return new ServerOptions(rootDirectory, bindAddress, port, tokenFile, value);
  }
}
