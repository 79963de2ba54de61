package dev.mooring.sandbox;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.admission.AdmissionChain;
import dev.mooring.sandbox.admission.AdmissionPlugin;
import dev.mooring.sandbox.admission.match.AdmissionContext;
import dev.mooring.sandbox.admission.plugin.RbacEscalationCheck;
import dev.mooring.sandbox.admission.policy.MutatingPolicyAdmission;
import dev.mooring.sandbox.admission.policy.PolicyAdmission;
import dev.mooring.sandbox.admission.webhook.WebhookAdmission;
import dev.mooring.sandbox.api.registry.CompositeCatalog;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.bound.BindingIndex;
import dev.mooring.sandbox.builtin.BuiltInCatalog;
import dev.mooring.sandbox.builtin.typed.GoTypes;
import dev.mooring.sandbox.controller.SystemObjects;
import dev.mooring.sandbox.controller.gc.GarbageCollector;
import dev.mooring.sandbox.controller.namespace.DefaultNamespaceObjects;
import dev.mooring.sandbox.controller.namespace.NamespaceController;
import dev.mooring.sandbox.controller.namespace.TokenSecretController;
import dev.mooring.sandbox.controller.role.RoleAggregation;
import dev.mooring.sandbox.crd.CustomResourceDefinitions;
import dev.mooring.sandbox.crd.resource.CustomResources;
import dev.mooring.sandbox.kcp.Kcp;
import dev.mooring.sandbox.kcp.api.CustomResourceFactory;
import dev.mooring.sandbox.kcp.object.KcpIds;
import dev.mooring.sandbox.kcp.object.KcpResources;
import dev.mooring.sandbox.kcp.shard.OtherShards;
import dev.mooring.sandbox.kcp.shard.Replicas;
import dev.mooring.sandbox.kcp.shard.Replication;
import dev.mooring.sandbox.kcp.shard.ReplicationMarks;
import dev.mooring.sandbox.kcp.shard.RootIdentities;
import dev.mooring.sandbox.kcp.shard.ServerUrls;
import dev.mooring.sandbox.patch.JsonPatch;
import dev.mooring.sandbox.patch.PatchFailure;
import dev.mooring.sandbox.quota.Counting;
import dev.mooring.sandbox.quota.QuotaAdmission;
import dev.mooring.sandbox.quota.QuotaController;
import dev.mooring.sandbox.security.authorization.KubernetesAuthorizer;
import dev.mooring.sandbox.security.review.ReviewResources;
import dev.mooring.sandbox.security.review.TokenRequests;
import dev.mooring.sandbox.security.token.ServiceAccountClaims;
import dev.mooring.sandbox.storage.ReadableStores;
import dev.mooring.sandbox.storage.ResourceStore;
import dev.mooring.sandbox.storage.StorageKey;
import dev.mooring.sandbox.storage.StoredObject;
import dev.mooring.sandbox.strategy.DeleteOptions;
import dev.mooring.sandbox.strategy.NameGenerator;
import dev.mooring.sandbox.strategy.WritePipeline;
import dev.mooring.sandbox.webhook.WebhookCaller;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;

/**
 * The parts of a server, made in the order in which they need each other. Nothing runs before the
 * lifecycles start.
 */
final class Assembly {
  /** Endings of groups in which users cannot define resources. */
  private static final Set<String> RESERVED_GROUPS = Set.of("apis.kcp.io");

  /** The field manager of the server's own writes. */
  private static final String MANAGER = "kcp-sandbox";

  private final SharedParts parts;
  private final ShardContext shard;
  private final Lifecycles lifecycles;
  private final ResourceStore store;
  private final WebhookCaller webhooks;
  final Security security;
  final CompositeCatalog catalog = new CompositeCatalog();

  /** Reviews that leave the entry to the workspace out. */
  final ReviewResources reviewsOfRights;

  /** The types that a request to all logical clusters may ask for. */
  final CompositeCatalog wildcard = new CompositeCatalog();

  final CompositeCatalog metadata = new CompositeCatalog();

  /** Empty for plain Kubernetes. */
  final Optional<Kcp> kcp;

  final AdmissionChain admission;
  final WritePipeline pipeline;
  final SystemObjects objects;
  private final BindingIndex bindings;
  private final BuiltInCatalog builtIns;

  /** What this shard has at the cache server. */
  private final Replicas replicas;

  /**
   * The place of a server among the shards.
   *
   * @param cache empty for a server that is its only shard
   * @param identities kept while the server is down
   */
  record ShardContext(
      ReadableStores stores,
      Optional<CacheServer> cache,
      ServerUrls urls,
      OtherShards others,
      RootIdentities identities) {
    /** Of a server that is its only shard. */
    static ShardContext alone(ResourceStore store, String url) {
      return new ShardContext(
          new ReadableStores(store),
          Optional.empty(),
          new ServerUrls(url),
          OtherShards.NONE,
          new RootIdentities());
    }
  }

  /**
   * @param lifecycles gets what has to be started and closed
   */
  Assembly(SharedParts parts, ShardContext shard, Lifecycles lifecycles) {
    this.parts = parts;
    this.shard = shard;
    this.lifecycles = lifecycles;
    store = shard.stores().own();
    webhooks = lifecycles.closing(new WebhookCaller());
    bindings = lifecycles.closing(new BindingIndex(store));
    ServerOptions options = parts.options();
    CacheServer cache = shard.cache().orElseGet(CacheServer::new);
    replicas = new Replicas(shard.urls().shard(), cache.replicas(), cache.writers(), parts.clock());
    Function<LogicalCluster, Optional<StorageKey>> clusterObjects =
        switch (options.mode()) {
          case KCP -> KcpResources::logicalCluster;
          case KUBERNETES -> _ -> Optional.empty();
        };
    objects = new SystemObjects(store, parts.clock(), clusterObjects);
    security = Security.of(parts, shard.stores(), bindings, this::markUsed);
    lifecycles.closing(security);
    var types = GoTypes.load();
    builtIns =
        BuiltInCatalog.core(
            types,
            new TokenRequests(store, security.serviceAccountTokens(), Assembly::uuid, parts.clock())
                .definition(types));
    // The names of bound resources, which no CustomResourceDefinition may have.
    var boundNames = new CompositeCatalog();
    var customResources = new CustomResources(webhooks);
    kcp =
        switch (options.mode()) {
          case KCP -> Optional.of(kcp(customResources::define));
          case KUBERNETES -> Optional.empty();
        };
    kcp.ifPresent(lifecycles::closing);
    kcp.ifPresent(part -> boundNames.add(part.catalog()));
    var definitions =
        new CustomResourceDefinitions(
            store,
            customResources,
            boundNames,
            kcp.isPresent() ? RESERVED_GROUPS : Set.of(),
            objects);
    addCatalogs(definitions, types);
    reviewsOfRights =
        new ReviewResources(
            types,
            new KubernetesAuthorizer(security.policies()),
            security.policies(),
            security.tokens(),
            parts.clock());
    admission = AdmissionChain.of(admissionPlugins());
    pipeline =
        new WritePipeline(
            store,
            admission,
            new NameGenerator(() -> ThreadLocalRandom.current().nextLong()),
            UUID::randomUUID,
            parts.clock(),
            clusterObjects);
    addLifecycles(definitions);
  }

  private void markUsed(StorageKey secret, String day) {
    TokenSecretController.markUsed(catalog, pipeline, secret, day);
  }

  private void addCatalogs(CustomResourceDefinitions definitions, GoTypes types) {
    catalog.add(
        new ReviewResources(
            types, security.authorizer(), security.policies(), security.tokens(), parts.clock()));
    catalog.add(builtIns);
    if (kcp.isEmpty()) {
      catalog.add(BuiltInCatalog.workloads());
    }
    catalog.add(definitions);
    kcp.ifPresent(part -> catalog.add(part.catalog()));
    wildcard.add(builtIns);
    wildcard.add(definitions.own());
    kcp.ifPresent(part -> wildcard.add(part.wildcard()));
    metadata.add(wildcard);
    metadata.add(new MetadataCatalog(store));
  }

  /** All that runs, in the order of its start. */
  private void addLifecycles(CustomResourceDefinitions definitions) {
    String authority = parts.certificates().authority().certificatePem();
    lifecycles.add(definitions::start);
    lifecycles.add(() -> DefaultNamespaceObjects.start(store, catalog, pipeline, authority));
    lifecycles.add(() ->
        TokenSecretController.start(store, catalog, pipeline, this::signKeptToken, authority));
    lifecycles.add(() -> NamespaceController.start(store, catalog, pipeline, objects));
    lifecycles.add(() -> RoleAggregation.start(store, catalog, pipeline));
    lifecycles.add(() -> QuotaController.start(store, catalog, counting()));
    lifecycles.add(() -> GarbageCollector.start(store, catalog, pipeline, parts.clock()));
    kcp.ifPresent(_ -> lifecycles.add(() -> ReplicationMarks.start(objects, security.policies())));
    shard.cache().ifPresent(_ -> lifecycles.add(() -> Replication.start(store, replicas)));
    kcp.ifPresentOrElse(
        part -> lifecycles.run(part::start),
        () -> lifecycles.run(() -> createNamespaces(LogicalCluster.NONE)));
  }

  /** Those that a server starts with, unless its data directory has them. */
  private void createNamespaces(LogicalCluster cluster) {
    ResourceType type = ResourceType.core("namespaces");
    ResourceDefinition definition = builtIns.find(cluster, type).orElseThrow();
    for (String name : List.of("default", "kube-system")) {
      if (objects.get(definition.resourceKey(), cluster, name).isPresent()) {
        continue;
      }
      var namespace =
          Map.of("kind", "Namespace", "apiVersion", "v1", "metadata", Map.of("name", name));
      pipeline.create(
          definition, WriteContext.internal(cluster, "", MANAGER), KubeObject.of(namespace));
    }
  }

  private Kcp kcp(CustomResourceFactory factory) {
    return new Kcp(
        new Kcp.Dependencies(
            shard.stores(),
            shard.others(),
            shard.identities(),
            bindings,
            objects,
            KcpIds.random(),
            shard.urls(),
            factory,
            catalog,
            this::deleteContent,
            security.authorizer(),
            new KubernetesAuthorizer(security.policies()),
            parts.options().access().homeCreators()));
  }

  private void deleteContent(ResourceDefinition definition, StoredObject object) {
    var context = WriteContext.internal(object.key().cluster(), object.key().namespace(), MANAGER);
    pipeline.deleteOneOfMany(definition, context, object, DeleteOptions.NONE);
  }

  /** All admission plugins, in the order in which they see a write. */
  private List<AdmissionPlugin> admissionPlugins() {
    var contexts = new AdmissionContext(store, catalog, bindings, security.authorizer());
    var plugins = new ArrayList<AdmissionPlugin>();
    kcp.ifPresent(part -> plugins.add(part.typeAdmission()));
    plugins.add(new RbacEscalationCheck(security.policies(), security.authorizer()));
    var mutatingPolicies =
        lifecycles.closing(new MutatingPolicyAdmission(shard.stores(), contexts));
    if (kcp.isEmpty()) {
      plugins.add(mutatingPolicies);
    }
    plugins.add(lifecycles.closing(new PolicyAdmission(shard.stores(), contexts)));
    plugins.add(
        lifecycles.closing(
            new WebhookAdmission(
                shard.stores(),
                contexts,
                Assembly::patched,
                Assembly::uuid,
                webhooks,
                parts.faults())));
    if (kcp.isPresent()) {
      // Where Kubernetes has them before the webhooks, kcp has them after.
      plugins.add(mutatingPolicies);
    }
    kcp.ifPresent(part -> plugins.add(part.claimLabelAdmission()));
    plugins.add(new QuotaAdmission(store, counting()));
    return plugins;
  }

  private Counting counting() {
    return kcp.isPresent() ? Counting.KCP : Counting.KUBERNETES;
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
    return security
        .serviceAccountTokens()
        .sign(
            new ServiceAccountClaims(
                account.key().cluster(),
                account.key().namespace(),
                account.key().name(),
                account.object().uid(),
                new ServiceAccountClaims.Origin.Kept(secretName)),
            parts.clock().instant());
  }

  private static String uuid() {
    return UUID.randomUUID().toString();
  }
}
