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
import dev.mooring.sandbox.security.user.UserInfo;
import dev.mooring.sandbox.storage.ReadableStores;
import java.util.LinkedHashMap;

/**
 * Users, their tokens and their rights.
 *
 * @param tokens identifies users by bearer token
 * @param authorizer includes whether a user may enter a workspace
 */
record Security(
    ServiceAccountTokens serviceAccountTokens,
    TokenAuthenticator tokens,
    RequestAuthenticator authenticator,
    RbacPolicies policies,
    Authorizer authorizer)
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
    var tokens =
        new TokenAuthenticator(
            AUDIENCE,
            users,
            serviceAccountTokens,
            new ServiceAccountTokenValidator(stores, parts.clock(), tokenUses));
    var policies =
        new RbacPolicies(stores, kcp ? BootstrapPolicy.kcp() : BootstrapPolicy.kubernetes());
    Authorizer authorizer =
        kcp ? new KcpAuthorizer(stores, policies, bindings) : new KubernetesAuthorizer(policies);
    return new Security(
        serviceAccountTokens,
        tokens,
        new RequestAuthenticator(certificates.clients(), tokens),
        policies,
        authorizer);
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
  }
}
