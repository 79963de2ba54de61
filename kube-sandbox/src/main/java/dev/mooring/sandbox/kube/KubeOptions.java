package dev.mooring.sandbox.kube;

import java.nio.file.Path;
import java.util.Optional;

/**
 * How to run an API server.
 *
 * @param rootDirectory for certificates, keys and {@code admin.kubeconfig}; made if missing
 * @param dataDirectory keeps all objects beyond the end of the process; made if missing. Empty:
 *     they are in memory alone
 * @param bindAddress an address of this machine, or {@code 0.0.0.0} for all of them
 * @param externalHostname as clients reach it, in all URLs and the certificate; the bind address if
 *     empty
 * @param port 0 for any free one
 * @param tokenFile users by token, as Kubernetes' {@code --token-auth-file}
 * @param clientCaFile PEM certificates of the authorities whose client certificates log in, as
 *     Kubernetes' {@code --client-ca-file}: CN is the user's name, each O a group
 */
public record KubeOptions(
    Path rootDirectory,
    Optional<Path> dataDirectory,
    String bindAddress,
    Optional<String> externalHostname,
    int port,
    Optional<Path> tokenFile,
    Optional<Path> clientCaFile) {
  public KubeOptions {
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException("not a port: " + port);
    }
    if (port == 0 && dataDirectory.isPresent()) {
      throw new IllegalArgumentException(
          "kept objects name the server's URL: with a data directory choose a port");
    }
  }

  /** For administrators alone, on a free port of the loopback interface. */
  public static KubeOptions in(Path rootDirectory) {
    return new KubeOptions(
        rootDirectory,
        Optional.empty(),
        "127.0.0.1",
        Optional.empty(),
        0,
        Optional.empty(),
        Optional.empty());
  }

  /** The name or address in the server's URLs. */
  public String hostname() {
    return externalHostname.orElse(bindAddress);
  }

  /** Of the administrators. */
  public Path kubeconfigFile() {
    return rootDirectory.resolve("admin.kubeconfig");
  }

  /**
   * @param value of the server, which kept objects name
   */
  public KubeOptions withData(Path directory, int value) {
    return with(Optional.of(directory), value, tokenFile, clientCaFile);
  }

  public KubeOptions withPort(int value) {
    return with(dataDirectory, value, tokenFile, clientCaFile);
  }

  public KubeOptions withTokenFile(Path value) {
    return with(dataDirectory, port, Optional.of(value), clientCaFile);
  }

  public KubeOptions withClientCaFile(Path value) {
    return with(dataDirectory, port, tokenFile, Optional.of(value));
  }

  private KubeOptions with(
      Optional<Path> data, int onPort, Optional<Path> tokens, Optional<Path> clientCas) {
    return new KubeOptions(
        rootDirectory, data, bindAddress, externalHostname, onPort, tokens, clientCas);
  }
}
