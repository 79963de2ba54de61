package dev.mooring.sandbox.server;

import dev.mooring.languages.GoDuration;
import dev.mooring.sandbox.AuthorizationOptions;
import dev.mooring.sandbox.security.webhook.AuthorizationWebhook;
import dev.mooring.sandbox.security.webhook.OrderedAuthorizer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** kcp's options about who decides what users may do. */
final class AuthorizationFlags {
  @Option(
      names = "--authorization-order",
      split = ",",
      defaultValue = "AlwaysAllowGroups,AlwaysAllowPaths,RBAC,Webhook",
      description = "who decides, in this order (default: ${DEFAULT-VALUE})")
  private List<String> order;

  @Option(
      names = "--authorization-webhook-config-file",
      description = "kubeconfig of a server that takes SubjectAccessReviews and decides as well")
  private @Nullable Path webhook;

  @Option(
      names = "--authorization-webhook-version",
      defaultValue = "v1beta1",
      description = "version of the SubjectAccessReviews (default: ${DEFAULT-VALUE})")
  private String version;

  @Option(
      names = "--authorization-webhook-cache-authorized-ttl",
      defaultValue = "5m",
      description = "how long an answer that allows counts (default: ${DEFAULT-VALUE})")
  private String allowedLife;

  @Option(
      names = "--authorization-webhook-cache-unauthorized-ttl",
      defaultValue = "30s",
      description = "how long another answer counts (default: ${DEFAULT-VALUE})")
  private String otherLife;

  AuthorizationOptions options() {
    return new AuthorizationOptions(
        order.stream().map(OrderedAuthorizer.Step::of).toList(),
        Optional.ofNullable(webhook),
        new AuthorizationWebhook.Terms(version, duration(allowedLife), duration(otherLife)));
  }

  static Duration duration(String text) {
    return GoDuration.parse(text)
        .orElseThrow(() ->
            new IllegalArgumentException(
                "\"" + text + "\" is no duration such as 30s of a webhook's cache"));
  }
}
