package dev.mooring.sandbox;

import dev.mooring.sandbox.security.webhook.AuthorizationWebhook;
import dev.mooring.sandbox.security.webhook.OrderedAuthorizer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Who decides what users may do.
 *
 * @param order as kcp's {@code --authorization-order}
 * @param webhook the kubeconfig of a server that takes SubjectAccessReviews, as kcp's {@code
 *     --authorization-webhook-config-file}
 */
public record AuthorizationOptions(
    List<OrderedAuthorizer.Step> order,
    Optional<Path> webhook,
    AuthorizationWebhook.Terms webhookTerms) {
  /** RBAC and kcp's own rules. */
  public static final AuthorizationOptions DEFAULT =
      new AuthorizationOptions(
          List.of(OrderedAuthorizer.Step.values()),
          Optional.empty(),
          AuthorizationWebhook.Terms.DEFAULT);

  public AuthorizationOptions {
    order = List.copyOf(order);
  }
}
