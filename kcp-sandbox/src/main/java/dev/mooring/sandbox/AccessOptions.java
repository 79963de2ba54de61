package dev.mooring.sandbox;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Whom a server knows besides its administrators.
 *
 * @param tokenFile users by token, as Kubernetes' {@code --token-auth-file}
 * @param clientCaFile PEM certificates of the authorities whose client certificates log in, as
 *     Kubernetes' {@code --client-ca-file}: CN is the user's name, each O a group
 * @param homeCreators groups of users who get a home workspace, as kcp's {@code
 *     --home-workspaces-home-creator-groups}
 */
public record AccessOptions(
    Optional<Path> tokenFile, Optional<Path> clientCaFile, List<String> homeCreators) {
  /** Administrators alone, and kcp's defaults. */
  public static final AccessOptions DEFAULT =
      new AccessOptions(Optional.empty(), Optional.empty(), List.of("system:authenticated"));

  public AccessOptions {
    homeCreators = List.copyOf(homeCreators);
  }

  public AccessOptions withTokenFile(Path value) {
    return new AccessOptions(Optional.of(value), clientCaFile, homeCreators);
  }

  public AccessOptions withClientCaFile(Path value) {
    return new AccessOptions(tokenFile, Optional.of(value), homeCreators);
  }
}
