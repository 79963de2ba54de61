package dev.mooring.sandbox;

import dev.mooring.sandbox.bound.BindingIndex;
import dev.mooring.sandbox.security.admin.AdminTokens;
import dev.mooring.sandbox.security.admin.AdminUsers;
import dev.mooring.sandbox.security.authentication.HeaderImpersonation;
import dev.mooring.sandbox.security.authentication.RequestAuthenticator;
import dev.mooring.sandbox.security.authorization.Authorizer;
import dev.mooring.sandbox.security.authorization.KcpAuthorizer;
import dev.mooring.sandbox.security.authorization.KubernetesAuthorizer;
import dev.mooring.sandbox.security.rbac.BootstrapPolicy;
import dev.mooring.sandbox.security.rbac.RbacPolicies;
import dev.mooring.sandbox.security.token.ServiceAccountTokenValidator;
import dev.mooring.sandbox.security.token.ServiceAccountTokens;
import dev.mooring.sandbox.security.token.TokenAuthenticator;
import dev.mooring.sandbox.security.token.TokenFile;
import dev.mooring.sandbox.security.token.TokenUses;
import dev.mooring.sandbox.security.token.TokenWebhook;
import dev.mooring.sandbox.security.user.UserInfo;
import dev.mooring.sandbox.security.webhook.AuthenticationWebhook;
import dev.mooring.sandbox.security.webhook.AuthorizationWebhook;
import dev.mooring.sandbox.security.webhook.OrderedAuthorizer;
import dev.mooring.sandbox.security.webhook.WebhookKubeconfig;
import dev.mooring.sandbox.storage.ReadableStores;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.function.Function;

/**
 * Users, their tokens and their rights.
 *
 * @param tokens identifies users by bearer token
 * @param authorizer includes whether a user may enter a workspace
 * @param webhook that takes part in decisions
 * @param tokenReviews knows users whose tokens the server does not
 */
record Security(
    ServiceAccountTokens serviceAccountTokens,
    TokenAuthenticator tokens,
    RequestAuthenticator authenticator,
    RbacPolicies policies,
    Authorizer authorizer,
    Optional<AuthorizationWebhook> webhook,
    Optional<AuthenticationWebhook> tokenReviews)
    implements AutoCloseable {
  /** The audience of the server's own tokens, as in kcp. */
  private static final String AUDIENCE = "https://kcp.default.svc";

  /**
   * @param tokenUses receives uses of tokens that are kept in Secrets
   */
  static Security of(
      SharedParts parts, ReadableStores stores, BindingIndex bindings, TokenUses tokenUses) {
    ServerOptions options = parts.options();
    Certificates certificates = parts.certificates();
    AdminTokens adminTokens = parts.adminTokens();
    boolean kcp = options.mode() == ServerOptions.Mode.KCP;
    ServiceAccountTokens serviceAccountTokens = serviceAccountTokens(parts);
    var users = new LinkedHashMap<String, UserInfo>();
    options.access().tokenFile().ifPresent(file -> users.putAll(TokenFile.read(file)));
    users.putAll(kcp ? AdminUsers.kcp(adminTokens) : AdminUsers.kubernetes(adminTokens));
    Optional<AuthenticationWebhook> tokenReviews =
        options
            .access()
            .tokenReviews()
            .map(reviews ->
                new AuthenticationWebhook(
                    WebhookKubeconfig.read(reviews.webhook()), reviews.terms()));
    var tokens =
        new TokenAuthenticator(
            AUDIENCE,
            users,
            serviceAccountTokens,
            new ServiceAccountTokenValidator(stores, parts.clock(), tokenUses),
            tokenReviews.<TokenWebhook>map(Function.identity()).orElse(TokenWebhook.NONE));
    var policies =
        new RbacPolicies(stores, kcp ? BootstrapPolicy.kcp() : BootstrapPolicy.kubernetes());
    Authorizer rights =
        kcp ? new KcpAuthorizer(stores, policies, bindings) : new KubernetesAuthorizer(policies);
    AuthorizationOptions authorization = options.access().authorization();
    Optional<AuthorizationWebhook> webhook =
        authorization
            .webhook()
            .map(WebhookKubeconfig::read)
            .map(target -> new AuthorizationWebhook(target, authorization.webhookTerms()));
    return new Security(
        serviceAccountTokens,
        tokens,
        new RequestAuthenticator(certificates.clients(), tokens),
        policies,
        authorization.equals(AuthorizationOptions.DEFAULT)
            ? rights
            : new OrderedAuthorizer(authorization.order(), rights, webhook),
        webhook,
        tokenReviews);
  }

  /** The same for all servers of a sandbox. */
  static ServiceAccountTokens serviceAccountTokens(SharedParts parts) {
    return new ServiceAccountTokens(parts.certificates().authority().tokenKeys(), AUDIENCE);
  }

  HeaderImpersonation impersonation(ServerOptions.Mode mode) {
    return new HeaderImpersonation(
        authorizer,
        switch (mode) {
          case KCP -> HeaderImpersonation.Guard.KCP;
          case KUBERNETES -> HeaderImpersonation.Guard.KUBERNETES;
        });
  }

  @Override
  public void close() {
    policies.close();
    webhook.ifPresent(AuthorizationWebhook::close);
    tokenReviews.ifPresent(AuthenticationWebhook::close);
  }
}
