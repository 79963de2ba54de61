package dev.mooring.sandbox.security.review;

import dev.mooring.sandbox.bound.BoundResources;
import dev.mooring.sandbox.security.Authenticator;
import dev.mooring.sandbox.security.Authorizer;
import dev.mooring.sandbox.security.HeaderImpersonation;
import dev.mooring.sandbox.security.Impersonation;
import dev.mooring.sandbox.security.KcpAuthorizer;
import dev.mooring.sandbox.security.KubernetesAuthorizer;
import dev.mooring.sandbox.security.RbacPolicies;
import dev.mooring.sandbox.security.TokenAuthenticator;
import dev.mooring.sandbox.security.UserInfo;
import dev.mooring.sandbox.security.rbac.BootstrapPolicy;
import dev.mooring.sandbox.security.token.ServiceAccountTokens;
import dev.mooring.sandbox.storage.ResourceStore;
import java.security.KeyPair;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Who may do what on one server, put together: authentication, authorization, impersonation and the
 * resources that answer questions about them.
 *
 * @param bound which resources come from an APIExport; shared with admission
 * @param reviews access reviews, token reviews and the like, served in every logical cluster
 * @param tokenRequests behind the subresource {@code token} of service accounts
 */
public record Security(
    Authenticator authenticator,
    Authorizer authorizer,
    Impersonation impersonation,
    RbacPolicies policies,
    BoundResources bound,
    ServiceAccountTokens tokens,
    ReviewResources reviews,
    TokenRequests tokenRequests)
    implements AutoCloseable {
  private static final String KCP_ISSUER = "https://kcp.default.svc";
  private static final String KUBERNETES_ISSUER = "https://kubernetes.default.svc.cluster.local";

  /**
   * What every server needs.
   *
   * @param users by token
   * @param tokenKeys sign the tokens of service accounts
   * @param ids a new UUID each time
   */
  public record Basics(
      ResourceStore store,
      Map<String, UserInfo> users,
      KeyPair tokenKeys,
      Supplier<String> ids,
      InstantSource clock) {}

  /** Of a kcp shard. */
  public static Security kcp(Basics basics) {
    var policies = new RbacPolicies(basics.store(), BootstrapPolicy.kcp());
    var bound = new BoundResources(basics.store());
    return assemble(
        basics,
        policies,
        bound,
        new KcpAuthorizer(basics.store(), policies, bound),
        HeaderImpersonation.Guard.KCP,
        KCP_ISSUER);
  }

  /** Of a plain Kubernetes server. */
  public static Security kubernetes(Basics basics) {
    var policies = new RbacPolicies(basics.store(), BootstrapPolicy.kubernetes());
    return assemble(
        basics,
        policies,
        new BoundResources(basics.store()),
        new KubernetesAuthorizer(policies),
        HeaderImpersonation.Guard.KUBERNETES,
        KUBERNETES_ISSUER);
  }

  private static Security assemble(
      Basics basics,
      RbacPolicies policies,
      BoundResources bound,
      Authorizer authorizer,
      HeaderImpersonation.Guard guard,
      String issuer) {
    var tokens = new ServiceAccountTokens(basics.tokenKeys(), issuer);
    var authenticator =
        new TokenAuthenticator(basics.users(), tokens, basics.store(), basics.clock());
    return new Security(
        authenticator,
        authorizer,
        new HeaderImpersonation(authorizer, guard),
        policies,
        bound,
        tokens,
        new ReviewResources(authorizer, policies, authenticator, issuer, basics.clock()),
        new TokenRequests(basics.store(), tokens, basics.ids(), basics.clock()));
  }

  @Override
  public void close() {
    policies.close();
    bound.close();
  }
}
