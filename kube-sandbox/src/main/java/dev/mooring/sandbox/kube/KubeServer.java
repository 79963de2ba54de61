package dev.mooring.sandbox.kube;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.admission.AdmissionChain;
import dev.mooring.sandbox.admission.AdmissionPlugin;
import dev.mooring.sandbox.admission.AdmissionRequest;
import dev.mooring.sandbox.admission.RbacEscalationCheck;
import dev.mooring.sandbox.admission.match.AdmissionContext;
import dev.mooring.sandbox.admission.policy.MutatingPolicyAdmission;
import dev.mooring.sandbox.admission.policy.PolicyAdmission;
import dev.mooring.sandbox.admission.webhook.WebhookAdmission;
import dev.mooring.sandbox.api.registry.CompositeCatalog;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.builtin.BuiltInCatalog;
import dev.mooring.sandbox.builtin.typed.GoTypes;
import dev.mooring.sandbox.controller.LoopbackClient;
import dev.mooring.sandbox.controller.PipelineClient;
import dev.mooring.sandbox.controller.gc.GarbageCollector;
import dev.mooring.sandbox.controller.namespace.DefaultNamespaceObjects;
import dev.mooring.sandbox.controller.namespace.NamespaceController;
import dev.mooring.sandbox.controller.namespace.TokenSecretController;
import dev.mooring.sandbox.controller.role.RoleAggregation;
import dev.mooring.sandbox.crd.CustomResourceDefinitions;
import dev.mooring.sandbox.crd.resource.CustomResources;
import dev.mooring.sandbox.discovery.DiscoveryDocuments;
import dev.mooring.sandbox.http.ApiServer;
import dev.mooring.sandbox.http.ServerConfig;
import dev.mooring.sandbox.http.Tenancy;
import dev.mooring.sandbox.patch.JsonPatch;
import dev.mooring.sandbox.patch.PatchFailure;
import dev.mooring.sandbox.quota.QuotaAdmission;
import dev.mooring.sandbox.quota.QuotaController;
import dev.mooring.sandbox.security.authentication.HeaderImpersonation;
import dev.mooring.sandbox.security.authentication.RequestAuthenticator;
import dev.mooring.sandbox.security.authorization.Authorizer;
import dev.mooring.sandbox.security.authorization.KubernetesAuthorizer;
import dev.mooring.sandbox.security.rbac.RbacPolicies;
import dev.mooring.sandbox.security.review.ReviewResources;
import dev.mooring.sandbox.security.review.TokenRequests;
import dev.mooring.sandbox.security.token.ServiceAccountClaims;
import dev.mooring.sandbox.security.token.ServiceAccountTokenValidator;
import dev.mooring.sandbox.security.token.ServiceAccountTokens;
import dev.mooring.sandbox.security.token.TokenAuthenticator;
import dev.mooring.sandbox.storage.ResourceStore;
import dev.mooring.sandbox.storage.ShardStores;
import dev.mooring.sandbox.storage.StoredObject;
import dev.mooring.sandbox.strategy.NameGenerator;
import dev.mooring.sandbox.strategy.WritePipeline;
import dev.mooring.sandbox.webhook.WebhookCaller;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;

/**
 * A plain Kubernetes API server: its parts, made in the order in which they need each other.
 * Nothing runs before {@link #start}. A distribution extends it: in its constructor it adds to the
 * catalogs, and it overrides what is asked once, at the start.
 */
public class KubeServer implements AutoCloseable {
  /** The field manager of the server's own writes. */
  protected static final String MANAGER = "kcp-sandbox";

  protected final SandboxContext context;
  protected final ApiServer http;
  protected final ShardStores stores;
  protected final ResourceStore store;
  protected final LoopbackClient objects;
  protected final RbacPolicies policies;
  protected final Authorizer authorizer;

  /** What each logical cluster serves. */
  protected final CompositeCatalog catalog = new CompositeCatalog();

  /** Resources whose names no CustomResourceDefinition may take. */
  protected final CompositeCatalog taken = new CompositeCatalog();

  protected final BuiltInCatalog builtIns;
  protected final CustomResources customResources;
  protected final CustomResourceDefinitions definitions;
  protected final WritePipeline pipeline;
  protected final RbacEscalationCheck escalation;
  protected final MutatingPolicyAdmission mutatingPolicies;
  protected final PolicyAdmission validatingPolicies;
  protected final WebhookAdmission webhooks;
  protected final QuotaAdmission quotas;
  private final GoTypes types = GoTypes.load();
  private final AdmissionChain admission = new AdmissionChain();
  private final Deque<AutoCloseable> closers = new ArrayDeque<>();
  private final ServiceAccountTokens serviceAccountTokens;
  private final TokenAuthenticator tokens;
  private final PipelineClient writes;

  /**
   * @param policies closed with the server
   * @param origins by request: the logical cluster whose webhooks and policies count
   * @param http bound, and not started yet; closed with the server
   */
  protected KubeServer(
      SandboxContext context,
      ShardStores stores,
      RbacPolicies policies,
      Authorizer authorizer,
      Function<AdmissionRequest, LogicalCluster> origins,
      ApiServer http) {
    this.context = context;
    this.stores = stores;
    this.policies = policies;
    this.authorizer = authorizer;
    this.http = http;
    store = stores.own();
    var caller = closing(new WebhookCaller());
    closing(policies);
    var clusterObjects = context.distribution().clusterObjects();
    objects = new LoopbackClient(store, context.clock(), clusterObjects);
    pipeline =
        new WritePipeline(
            store,
            admission,
            new NameGenerator(() -> ThreadLocalRandom.current().nextLong()),
            UUID::randomUUID,
            context.clock(),
            clusterObjects);
    writes = new PipelineClient(store, catalog, pipeline);
    serviceAccountTokens = context.serviceAccountTokens();
    tokens =
        new TokenAuthenticator(
            SandboxContext.AUDIENCE,
            context.users(),
            serviceAccountTokens,
            new ServiceAccountTokenValidator(
                stores,
                context.clock(),
                (secret, day) -> TokenSecretController.markUsed(writes, secret, day)));
    var tokenRequests =
        new TokenRequests(store, serviceAccountTokens, KubeServer::uuid, context.clock());
    builtIns = BuiltInCatalog.core(types, tokenRequests.definition(types));
    customResources = new CustomResources(caller);
    definitions =
        new CustomResourceDefinitions(
            store, customResources, taken, context.distribution().reservedGroups(), objects);
    catalog.add(reviews(authorizer));
    catalog.add(builtIns);
    context.distribution().types().forEach(catalog::add);
    catalog.add(definitions.own());
    catalog.add(definitions.defined());
    var contexts = new AdmissionContext(store, catalog, origins, authorizer);
    escalation = new RbacEscalationCheck(policies, authorizer);
    mutatingPolicies = closing(new MutatingPolicyAdmission(stores, contexts));
    validatingPolicies = closing(new PolicyAdmission(stores, contexts));
    webhooks =
        closing(
            new WebhookAdmission(
                stores, contexts, KubeServer::patched, KubeServer::uuid, caller, context.faults()));
    quotas = new QuotaAdmission(store, context.distribution().counting());
  }

  /**
   * @param http bound, and not started yet; closed with the server
   */
  static KubeServer plain(SandboxContext context, ResourceStore store, ApiServer http) {
    var stores = new ShardStores(store);
    var policies = new RbacPolicies(stores, context.distribution().policy());
    return new KubeServer(
        context,
        stores,
        policies,
        new KubernetesAuthorizer(policies),
        AdmissionRequest::cluster,
        http);
  }

  /** All admission plugins, in the order in which they see a write. */
  protected List<AdmissionPlugin> admissionPlugins() {
    return List.of(escalation, mutatingPolicies, validatingPolicies, webhooks, quotas);
  }

  /** What begins when Kubernetes' controllers run and no request is answered yet. */
  protected void begin() {
    createNamespaces();
  }

  /** Empty for a server without logical clusters. */
  protected Optional<Tenancy> tenancy() {
    return Optional.empty();
  }

  /** A part that ends with the server, before those that came earlier. */
  protected final <T extends AutoCloseable> T closing(T part) {
    closers.push(part);
    return part;
  }

  /** Reviews of a user's rights. */
  protected final ReviewResources reviews(Authorizer rights) {
    return new ReviewResources(types, rights, policies, tokens, context.clock());
  }

  /** It answers when this returns. */
  public void start() {
    admission.use(admissionPlugins());
    String authority = context.authority();
    closing(definitions.start());
    closing(DefaultNamespaceObjects.start(writes, authority));
    closing(TokenSecretController.start(writes, this::signKeptToken, authority));
    closing(NamespaceController.start(writes, objects));
    closing(RoleAggregation.start(writes));
    closing(QuotaController.start(store, catalog, context.distribution().counting()));
    closing(GarbageCollector.start(writes, context.clock()));
    begin();
    KubeOptions options = context.options();
    http.start(
        new ServerConfig(
            new RequestAuthenticator(context.clients(), tokens),
            new HeaderImpersonation(authorizer, context.distribution().impersonation()),
            authorizer,
            catalog,
            tenancy(),
            new DiscoveryDocuments(options.hostname() + ":" + options.port()),
            context.faults()),
        store,
        pipeline,
        context.clock());
  }

  /** Those that a server starts with, unless its data directory has them. */
  private void createNamespaces() {
    for (String name : List.of("default", "kube-system")) {
      writes.ensure(
          ResourceType.core("namespaces"),
          WriteContext.internal(LogicalCluster.NONE, "", MANAGER),
          KubeObject.of(Map.of("metadata", Map.of("name", name))));
    }
  }

  private static KubeObject patched(KubeObject object, List<Object> operations) {
    try {
      Object result = JsonPatch.apply(object.tree(), operations);
      if (result instanceof Map<?, ?>) {
        return KubeObject.owning(Trees.mapOrEmpty(result));
      }
      throw ApiFailure.internal("an admission webhook's patch leaves no object");
    } catch (PatchFailure failure) {
      throw ApiFailure.internal(String.valueOf(failure.getMessage()));
    }
  }

  private String signKeptToken(StoredObject account, String secretName) {
    return serviceAccountTokens.sign(
        new ServiceAccountClaims(
            account.key().cluster(),
            account.key().namespace(),
            account.key().name(),
            account.object().uid(),
            new ServiceAccountClaims.Origin.Kept(secretName)),
        context.clock().instant());
  }

  private static String uuid() {
    return UUID.randomUUID().toString();
  }

  /** Without a path, and no slash at the end. */
  public final URI url() {
    return http.url();
  }

  /** Cuts all connections off, as the end of the process would. */
  public final void kill() {
    http.kill();
    closeParts();
  }

  /** Ends requests and watches in good order, then the server; also one that has not started. */
  @Override
  public final void close() {
    http.close();
    closeParts();
  }

  private void closeParts() {
    while (!closers.isEmpty()) {
      try {
        closers.pop().close();
      } catch (Exception e) {
        throw new IllegalStateException("cannot stop the sandbox", e);
      }
    }
  }
}
