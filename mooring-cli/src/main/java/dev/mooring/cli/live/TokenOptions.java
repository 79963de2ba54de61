package dev.mooring.cli.live;

import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The bearer token that management endpoints are sent. */
public final class TokenOptions {
  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description =
          "Bearer token for these URLs (default: that of the kubeconfig; for the agent that of the"
              + " service cluster's, if it is named).")
  private Path tokenFile;

  /** With the token of the file, else of a kubeconfig. */
  public Management authorized(
      Management management, LiveOptions kcp, ServiceClusterOptions serviceCluster) {
    return management.with(token(management.service(), kcp, serviceCluster));
  }

  private Optional<String> token(
      Service service, LiveOptions kcp, ServiceClusterOptions serviceCluster) {
    if (tokenFile != null) {
      return Optional.of(ManagementUrls.read(tokenFile).strip());
    }
    return switch (service) {
      case agent -> serviceCluster.token(kcp).or(kcp::token);
      case controller, webhook -> kcp.token();
    };
  }
}
