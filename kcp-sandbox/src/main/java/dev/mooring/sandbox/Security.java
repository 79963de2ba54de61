package dev.mooring.sandbox;

import dev.mooring.sandbox.bound.BindingIndex;
import dev.mooring.sandbox.security.admin.AdminTokens;
import dev.mooring.sandbox.security.admin.AdminUsers;
import dev.mooring.sandbox.security.admin.Kubeconfigs;
import dev.mooring.sandbox.security.authentication.HeaderImpersonation;
import dev.mooring.sandbox.security.authentication.RequestAuthenticator;
import dev.mooring.sandbox.security.authorization.Authorizer;
import dev.mooring.sandbox.security.authorization.KcpAuthorizer;
import dev.mooring.sandbox.security.authorization.KubernetesAuthorizer;
import dev.mooring.sandbox.security.rbac.BootstrapPolicy;
import dev.mooring.sandbox.security.rbac.RbacPolicies;
import dev.mooring.sandbox.security.token.ServiceAccountTokens;
import dev.mooring.sandbox.security.token.TokenAuthenticator;
import dev.mooring.sandbox.security.token.TokenFile;
import dev.mooring.sandbox.security.user.UserInfo;
import dev.mooring.sandbox.storage.ResourceStore;
import java.time.Clock;
import java.util.LinkedHashMap;

/**
 * Users, their tokens and their rights.
 *
 * @param adminTokens of the administrators' kubeconfig
 * @param tokens identifies users by bearer token
 * @param authorizer includes whether a user may enter a workspace
 */
record Security(
    AdminTokens adminTokens,
    ServiceAccountTokens serviceAccountTokens,
    TokenAuthenticator tokens,
    RequestAuthenticator authenticator,
    RbacPolicies policies,
    Authorizer authorizer) {
  /** The audience of the server's own tokens, as in kcp. */
  private static final String AUDIENCE = "https://kcp.default.svc";

  static Security of(
      ServerOptions options,
      Certificates certificates,
      ResourceStore store,
      BindingIndex bindings,
      Clock clock) {
    boolean kcp = options.mode() == ServerOptions.Mode.KCP;
    var adminTokens =
        AdminTokens.keptIn(
            options.rootDirectory().resolve(KcpSandbox.KUBECONFIG_FILE),
            kcp ? Kubeconfigs.KCP_ADMIN : Kubeconfigs.KUBERNETES_ADMIN);
    var serviceAccountTokens =
        new ServiceAccountTokens(certificates.authority().tokenKeys(), AUDIENCE);
    var users = new LinkedHashMap<String, UserInfo>();
    options.tokenFile().ifPresent(file -> users.putAll(TokenFile.read(file)));
    users.putAll(kcp ? AdminUsers.kcp(adminTokens) : AdminUsers.kubernetes(adminTokens));
    var tokens = new TokenAuthenticator(AUDIENCE, users, serviceAccountTokens, store, clock);
    var policies =
        new RbacPolicies(store, kcp ? BootstrapPolicy.kcp() : BootstrapPolicy.kubernetes());
    return new Security(
        adminTokens,
        serviceAccountTokens,
        tokens,
        new RequestAuthenticator(certificates.clients(), tokens),
        policies,
        kcp ? new KcpAuthorizer(store, policies, bindings) : new KubernetesAuthorizer(policies));
  }

  HeaderImpersonation impersonation(ServerOptions.Mode mode) {
    return new HeaderImpersonation(
        authorizer,
        switch (mode) {
          case KCP -> HeaderImpersonation.Guard.KCP;
          case KUBERNETES -> HeaderImpersonation.Guard.KUBERNETES;
        });
  }
}
