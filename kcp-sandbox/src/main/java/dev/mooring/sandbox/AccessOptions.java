package dev.mooring.sandbox;

import dev.mooring.sandbox.security.webhook.AuthenticationWebhook;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Whom a server knows besides its administrators, and who decides what they may do.
 *
 * @param tokenFile users by token, as Kubernetes' {@code --token-auth-file}
 * @param clientCaFile PEM certificates of the authorities whose client certificates log in, as
 *     Kubernetes' {@code --client-ca-file}: CN is the user's name, each O a group
 * @param tokenReviews knows users whose tokens the server does not
 * @param homeCreators groups of users who get a home workspace, as kcp's {@code
 *     --home-workspaces-home-creator-groups}
 */
public record AccessOptions(
    Optional<Path> tokenFile,
    Optional<Path> clientCaFile,
    Optional<TokenReviews> tokenReviews,
    AuthorizationOptions authorization,
    List<String> homeCreators) {
  /**
   * A server that takes TokenReviews.
   *
   * @param webhook its kubeconfig, as kcp's {@code --authentication-token-webhook-config-file}
   */
  public record TokenReviews(Path webhook, AuthenticationWebhook.Terms terms) {}

  /** Administrators alone, and kcp's defaults. */
  public static final AccessOptions DEFAULT =
      new AccessOptions(
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          AuthorizationOptions.DEFAULT,
          List.of("system:authenticated"));

  public AccessOptions {
    homeCreators = List.copyOf(homeCreators);
  }

  public AccessOptions withTokenFile(Path value) {
    return new AccessOptions(
        Optional.of(value), clientCaFile, tokenReviews, authorization, homeCreators);
  }

  public AccessOptions withClientCaFile(Path value) {
    return new AccessOptions(
        tokenFile, Optional.of(value), tokenReviews, authorization, homeCreators);
  }

  public AccessOptions withTokenReviews(TokenReviews value) {
    return new AccessOptions(
        tokenFile, clientCaFile, Optional.of(value), authorization, homeCreators);
  }

  public AccessOptions withAuthorization(AuthorizationOptions value) {
    return new AccessOptions(tokenFile, clientCaFile, tokenReviews, value, homeCreators);
  }
}
