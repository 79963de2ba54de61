package dev.mooring.sandbox;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Whom a server knows besides its administrators, and who decides what they may do.
 *
 * @param tokenFile users by token, as Kubernetes' {@code --token-auth-file}
 * @param clientCaFile PEM certificates of the authorities whose client certificates log in, as
 *     Kubernetes' {@code --client-ca-file}: CN is the user's name, each O a group
 * @param homeCreators groups of users who get a home workspace, as kcp's {@code
 *     --home-workspaces-home-creator-groups}
 */
public record AccessOptions(
    Optional<Path> tokenFile,
    Optional<Path> clientCaFile,
    OidcOptions oidc,
    AuthorizationOptions authorization,
    List<String> homeCreators) {
  /** Administrators alone, and kcp's defaults. */
  public static final AccessOptions DEFAULT =
      new AccessOptions(
          Optional.empty(),
          Optional.empty(),
          new OidcOptions.None(),
          AuthorizationOptions.DEFAULT,
          List.of("system:authenticated"));

  public AccessOptions {
    homeCreators = List.copyOf(homeCreators);
  }

  public AccessOptions withTokenFile(Path value) {
    return new AccessOptions(Optional.of(value), clientCaFile, oidc, authorization, homeCreators);
  }

  public AccessOptions withClientCaFile(Path value) {
    return new AccessOptions(tokenFile, Optional.of(value), oidc, authorization, homeCreators);
  }

  public AccessOptions withOidc(OidcOptions value) {
    return new AccessOptions(tokenFile, clientCaFile, value, authorization, homeCreators);
  }

  public AccessOptions withAuthorization(AuthorizationOptions value) {
    return new AccessOptions(tokenFile, clientCaFile, oidc, value, homeCreators);
  }
}
