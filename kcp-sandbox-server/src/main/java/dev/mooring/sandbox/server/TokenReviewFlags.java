package dev.mooring.sandbox.server;

import dev.mooring.sandbox.AccessOptions.TokenReviews;
import dev.mooring.sandbox.security.webhook.AuthenticationWebhook;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** kcp's options about a server that knows users by their tokens. */
final class TokenReviewFlags {
  @Option(
      names = "--authentication-token-webhook-config-file",
      description = "kubeconfig of a server that takes TokenReviews and knows more users")
  private @Nullable Path webhook;

  @Option(
      names = "--authentication-token-webhook-version",
      defaultValue = "v1beta1",
      description = "version of the TokenReviews (default: ${DEFAULT-VALUE})")
  private String version;

  @Option(
      names = "--authentication-token-webhook-cache-ttl",
      defaultValue = "2m",
      description = "how long the answer to a TokenReview counts (default: ${DEFAULT-VALUE})")
  private String life;

  Optional<TokenReviews> options() {
    return Optional.ofNullable(webhook)
        .map(file ->
            new TokenReviews(
                file, new AuthenticationWebhook.Terms(version, AuthorizationFlags.duration(life))));
  }
}
