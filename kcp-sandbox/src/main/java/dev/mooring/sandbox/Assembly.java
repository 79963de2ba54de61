package dev.mooring.sandbox;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.admission.AdmissionChain;
import dev.mooring.sandbox.admission.AdmissionPlugin;
import dev.mooring.sandbox.admission.match.AdmissionContext;
import dev.mooring.sandbox.admission.plugin.RbacEscalationCheck;
import dev.mooring.sandbox.admission.plugin.ServiceAccountTokenSecrets;
import dev.mooring.sandbox.admission.policy.PolicyAdmission;
import dev.mooring.sandbox.admission.webhook.WebhookAdmission;
import dev.mooring.sandbox.api.registry.CompositeCatalog;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.bound.BindingIndex;
import dev.mooring.sandbox.builtin.BuiltInCatalog;
import dev.mooring.sandbox.builtin.WorkloadCatalog;
import dev.mooring.sandbox.controller.gc.GarbageCollector;
import dev.mooring.sandbox.controller.namespace.DefaultNamespaceObjects;
import dev.mooring.sandbox.controller.namespace.NamespaceController;
import dev.mooring.sandbox.crd.CustomResourceDefinitions;
import dev.mooring.sandbox.crd.resource.CustomResources;
import dev.mooring.sandbox.fault.FaultInjector;
import dev.mooring.sandbox.kcp.Kcp;
import dev.mooring.sandbox.kcp.object.KcpIds;
import dev.mooring.sandbox.kcp.object.KcpResources;
import dev.mooring.sandbox.kcp.shard.ServerUrls;
import dev.mooring.sandbox.kcp.shard.Shards;
import dev.mooring.sandbox.patch.JsonPatch;
import dev.mooring.sandbox.patch.PatchFailure;
import dev.mooring.sandbox.quota.QuotaAdmission;
import dev.mooring.sandbox.quota.QuotaController;
import dev.mooring.sandbox.security.admin.AdminTokens;
import dev.mooring.sandbox.security.admin.AdminUsers;
import dev.mooring.sandbox.security.admin.Kubeconfigs;
import dev.mooring.sandbox.security.authentication.Authenticator;
import dev.mooring.sandbox.security.authentication.RequestAuthenticator;
import dev.mooring.sandbox.security.authorization.Authorizer;
import dev.mooring.sandbox.security.authorization.KcpAuthorizer;
import dev.mooring.sandbox.security.authorization.KubernetesAuthorizer;
import dev.mooring.sandbox.security.certificate.CertificateAuthority;
import dev.mooring.sandbox.security.certificate.ClientAuthorities;
import dev.mooring.sandbox.security.rbac.BootstrapPolicy;
import dev.mooring.sandbox.security.rbac.RbacPolicies;
import dev.mooring.sandbox.security.review.ReviewResources;
import dev.mooring.sandbox.security.review.TokenRequests;
import dev.mooring.sandbox.security.token.ServiceAccountTokens;
import dev.mooring.sandbox.security.token.TokenAuthenticator;
import dev.mooring.sandbox.security.token.TokenFile;
import dev.mooring.sandbox.security.user.UserInfo;
import dev.mooring.sandbox.storage.InMemoryResourceStore;
import dev.mooring.sandbox.storage.ResourceStore;
import dev.mooring.sandbox.storage.StoredObject;
import dev.mooring.sandbox.strategy.DeleteOptions;
import dev.mooring.sandbox.strategy.NameGenerator;
import dev.mooring.sandbox.strategy.WritePipeline;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;

/**
 * What both kinds of server have in common, made in the order in which the parts need each other.
 */
final class Assembly implements AutoCloseable {
  /** Whom the server's own tokens are for, as in kcp. */
  private static final String AUDIENCE = "https://kcp.default.svc";

  /** Endings of groups in which users cannot define resources. */
  private static final Set<String> RESERVED_GROUPS = Set.of("apis.kcp.io");

  private final Deque<AutoCloseable> closers = new ArrayDeque<>();
  final Clock clock = Clock.systemUTC();
  final FaultInjector faults = new FaultInjector();
  final ResourceStore store = new InMemoryResourceStore();
  final CompositeCatalog catalog = new CompositeCatalog();
  final BindingIndex bindings = closing(new BindingIndex(store));
  final CertificateAuthority authority;
  final AdminTokens adminTokens;
  final ServiceAccountTokens serviceAccountTokens;
  final Optional<ClientAuthorities> clientAuthorities;
  final Authenticator authenticator;
  final RbacPolicies policies;
  final Authorizer authorizer;
  final BuiltInCatalog builtIns;
  final CustomResources customResources;
  final CustomResourceDefinitions definitions;

  /** Resources whose names no CustomResourceDefinition may have: those of bound APIs. */
  final CompositeCatalog namesElsewhere = new CompositeCatalog();

  /** Empty for plain Kubernetes. */
  final Optional<Kcp> kcp;

  /** Set once the server listens. */
  final AtomicReference<URI> url = new AtomicReference<>();

  /** Set once the server listens. */
  final AtomicReference<Map<String, URI>> shardUrls = new AtomicReference<>(Map.of());

  final Shards shards;

  final AdmissionChain admission;
  final WritePipeline pipeline;
  final NameGenerator names = new NameGenerator(() -> ThreadLocalRandom.current().nextLong());

  Assembly(ServerOptions options) {
    Path root = options.rootDirectory();
    boolean kcp = options.mode() == ServerOptions.Mode.KCP;
    shards = Shards.of(options.shards(), shard -> shardUrls.get().get(shard));
    authority = CertificateAuthority.in(root, clock.instant());
    adminTokens =
        AdminTokens.keptIn(
            root.resolve(KcpSandbox.KUBECONFIG_FILE),
            kcp ? Kubeconfigs.KCP_ADMIN : Kubeconfigs.KUBERNETES_ADMIN);
    serviceAccountTokens = new ServiceAccountTokens(authority.tokenKeys(), AUDIENCE);
    var users = new LinkedHashMap<String, UserInfo>();
    options.tokenFile().ifPresent(file -> users.putAll(TokenFile.read(file)));
    users.putAll(kcp ? AdminUsers.kcp(adminTokens) : AdminUsers.kubernetes(adminTokens));
    var tokens = new TokenAuthenticator(AUDIENCE, users, serviceAccountTokens, store, clock);
    clientAuthorities = options.clientCaFile().map(ClientAuthorities::in);
    authenticator = new RequestAuthenticator(clientAuthorities, tokens);
    policies =
        closing(
            new RbacPolicies(store, kcp ? BootstrapPolicy.kcp() : BootstrapPolicy.kubernetes()));
    authorizer =
        kcp ? new KcpAuthorizer(store, policies, bindings) : new KubernetesAuthorizer(policies);
    builtIns =
        new BuiltInCatalog(new TokenRequests(store, serviceAccountTokens, Assembly::uuid, clock));
    customResources = new CustomResources(clock);
    catalog.add(builtIns);
    if (!kcp) {
      catalog.add(new WorkloadCatalog());
    }
    catalog.add(new ReviewResources(authorizer, policies, tokens, clock));
    definitions =
        closing(
            new CustomResourceDefinitions(
                store, customResources, namesElsewhere, kcp ? RESERVED_GROUPS : Set.of(), clock));
    catalog.add(definitions);
    this.kcp = kcp ? Optional.of(closing(kcp())) : Optional.empty();
    this.kcp.ifPresent(part -> {
      catalog.add(part.catalog());
      namesElsewhere.add(part.catalog());
    });
    admission = AdmissionChain.of(admissionPlugins());
    pipeline =
        new WritePipeline(
            store,
            admission,
            names,
            UUID::randomUUID,
            clock,
            cluster -> this.kcp.flatMap(_ -> KcpResources.logicalCluster(cluster)));
    definitions.start();
    closing(DefaultNamespaceObjects.start(store, catalog, pipeline, authority.certificatePem()));
    closing(NamespaceController.start(store, catalog, pipeline, clock));
    closing(QuotaController.start(store, catalog));
    closing(GarbageCollector.start(store, catalog, pipeline));
    if (!kcp) {
      createNamespaces(LogicalCluster.NONE);
    }
  }

  /** Those that every cluster starts with. */
  private void createNamespaces(LogicalCluster cluster) {
    ResourceType type = ResourceType.core("namespaces");
    ResourceDefinition definition = builtIns.find(cluster, type).orElseThrow();
    for (String name : List.of("default", "kube-system")) {
      var namespace =
          Map.of("kind", "Namespace", "apiVersion", "v1", "metadata", Map.of("name", name));
      pipeline.create(
          definition, WriteContext.internal(cluster, "", "kcp-sandbox"), KubeObject.of(namespace));
    }
  }

  private Kcp kcp() {
    return new Kcp(
        new Kcp.Dependencies(
            store,
            bindings,
            clock,
            KcpIds.random(UUID::randomUUID),
            new ServerUrls(() -> url.get().toString(), shards),
            customResources::define,
            catalog,
            this::deleteContent,
            authorizer,
            new KubernetesAuthorizer(policies)));
  }

  private void deleteContent(ResourceDefinition definition, StoredObject object) {
    var context =
        WriteContext.internal(object.key().cluster(), object.key().namespace(), "kcp-sandbox");
    pipeline.deleteOneOfMany(definition, context, object, DeleteOptions.NONE);
  }

  /** All admission plugins, in the order in which they see a write. */
  private List<AdmissionPlugin> admissionPlugins() {
    var contexts = new AdmissionContext(store, catalog, bindings);
    var plugins = new ArrayList<AdmissionPlugin>();
    kcp.ifPresent(part -> plugins.add(part.typeAdmission()));
    plugins.add(new RbacEscalationCheck(policies, authorizer));
    plugins.add(
        new ServiceAccountTokenSecrets(
            store, serviceAccountTokens, authority.certificatePem(), clock));
    plugins.add(closing(new PolicyAdmission(store, contexts)));
    plugins.add(closing(new WebhookAdmission(store, contexts, Assembly::patched, Assembly::uuid)));
    kcp.ifPresent(part -> plugins.add(part.claimLabelAdmission()));
    plugins.add(new QuotaAdmission(store));
    return plugins;
  }

  private static KubeObject patched(KubeObject object, List<Object> operations) {
    try {
      Object result = JsonPatch.apply(object.tree(), operations);
      if (result instanceof Map<?, ?>) {
        return KubeObject.owning(Trees.mapOrEmpty(result));
      }
      throw ApiFailure.internal("an admission webhook's patch leaves no object");
    } catch (PatchFailure failure) {
      throw ApiFailure.internal(failure.getMessage());
    }
  }

  private static String uuid() {
    return UUID.randomUUID().toString();
  }

  /** Closes the part when this is closed, in reverse order. */
  <T extends AutoCloseable> T closing(T part) {
    closers.push(part);
    return part;
  }

  @Override
  public void close() {
    while (!closers.isEmpty()) {
      try {
        closers.pop().close();
      } catch (Exception e) {
        throw new IllegalStateException("cannot stop the sandbox", e);
      }
    }
  }
}
