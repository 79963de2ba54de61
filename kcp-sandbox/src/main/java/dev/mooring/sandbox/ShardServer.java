package dev.mooring.sandbox;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.sandbox.admission.AdmissionPlugin;
import dev.mooring.sandbox.admission.AdmissionRequest;
import dev.mooring.sandbox.api.registry.CompositeCatalog;
import dev.mooring.sandbox.api.registry.ResourceCatalog;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.api.request.ApiView;
import dev.mooring.sandbox.controller.LoopbackClient;
import dev.mooring.sandbox.http.ApiServer;
import dev.mooring.sandbox.http.Tenancy;
import dev.mooring.sandbox.kcp.Kcp;
import dev.mooring.sandbox.kcp.MetadataCatalog;
import dev.mooring.sandbox.kcp.authorization.KcpAuthorizer;
import dev.mooring.sandbox.kcp.bound.BindingIndex;
import dev.mooring.sandbox.kcp.bound.ClusterBindings;
import dev.mooring.sandbox.kcp.object.KcpIds;
import dev.mooring.sandbox.kcp.object.KcpResources;
import dev.mooring.sandbox.kcp.shard.OtherShards;
import dev.mooring.sandbox.kcp.shard.Replication;
import dev.mooring.sandbox.kcp.shard.ReplicationMarks;
import dev.mooring.sandbox.kcp.shard.RootIdentities;
import dev.mooring.sandbox.kcp.shard.ServerUrls;
import dev.mooring.sandbox.kcp.workspace.InactiveClusters;
import dev.mooring.sandbox.kube.Distribution;
import dev.mooring.sandbox.kube.KubeServer;
import dev.mooring.sandbox.kube.SandboxContext;
import dev.mooring.sandbox.quota.Counting;
import dev.mooring.sandbox.security.admin.AdminTokens;
import dev.mooring.sandbox.security.admin.Kubeconfigs;
import dev.mooring.sandbox.security.authentication.HeaderImpersonation;
import dev.mooring.sandbox.security.authorization.KubernetesAuthorizer;
import dev.mooring.sandbox.security.rbac.BootstrapPolicy;
import dev.mooring.sandbox.security.rbac.RbacPolicies;
import dev.mooring.sandbox.storage.ShardStores;
import dev.mooring.sandbox.storage.StoredObject;
import dev.mooring.sandbox.strategy.DeleteOptions;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What answers for a shard while it runs: kcp upon Kubernetes. */
final class ShardServer extends KubeServer {
  private final ShardContext shard;
  private final Kcp kcp;

  /** Reviews that leave the entry to the workspace out. */
  private final KubernetesAuthorizer rights;

  /**
   * The place of a server among the shards.
   *
   * @param cache empty for a server that is its only shard
   * @param identities kept while the server is down
   * @param homeCreators groups of users who get a home workspace
   */
  record ShardContext(
      ShardStores stores,
      Optional<CacheServer> cache,
      ServerUrls urls,
      OtherShards others,
      RootIdentities identities,
      List<String> homeCreators) {}

  private ShardServer(
      SandboxContext context,
      ShardContext shard,
      RbacPolicies policies,
      BindingIndex bindings,
      ApiServer http) {
    super(
        context,
        shard.stores(),
        policies,
        new KcpAuthorizer(shard.stores(), policies, bindings),
        request -> origin(request, bindings),
        http);
    this.shard = shard;
    closing(bindings);
    rights = new KubernetesAuthorizer(policies);
    kcp =
        closing(
            new Kcp(
                new Kcp.Dependencies(
                    stores,
                    shard.others(),
                    shard.identities(),
                    bindings,
                    objects,
                    KcpIds.random(),
                    shard.urls(),
                    customResources::define,
                    catalog,
                    this::deleteContent,
                    authorizer,
                    rights,
                    shard.homeCreators())));
    taken.add(kcp.catalog());
    catalog.add(kcp.catalog());
  }

  /**
   * @param http bound, and not started yet; closed with the server
   */
  static ShardServer of(SandboxContext context, ShardContext shard, ApiServer http) {
    var policies = new RbacPolicies(shard.stores(), context.distribution().policy());
    return new ShardServer(context, shard, policies, new BindingIndex(shard.stores().own()), http);
  }

  /** The constants of kcp. */
  static Distribution distribution() {
    return new Distribution(
        Kubeconfigs.KCP_ADMIN,
        AdminTokens::kcpUsers,
        BootstrapPolicy.kcp(),
        HeaderImpersonation.Guard.KCP,
        Counting.KCP,
        List.of(),
        Set.of("apis.kcp.io"),
        KcpResources::logicalCluster);
  }

  /** For a bound resource the provider's logical cluster, otherwise the request's own. */
  private static LogicalCluster origin(AdmissionRequest request, BindingIndex bindings) {
    ResourceType type = request.definition().type();
    if (request.definition().resourceKey().identity().isEmpty()) {
      return request.cluster();
    }
    return bindings
        .of(request.cluster())
        .exportOf(type.group(), type.resource())
        .map(ClusterBindings.ExportRef::cluster)
        .orElse(request.cluster());
  }

  private void deleteContent(ResourceDefinition definition, StoredObject object) {
    var context = WriteContext.internal(object.key().cluster(), object.key().namespace(), MANAGER);
    pipeline.deleteOneOfMany(definition, context, object, DeleteOptions.NONE);
  }

  /** Where Kubernetes has mutating policies before the webhooks, kcp has them after. */
  @Override
  protected List<AdmissionPlugin> admissionPlugins() {
    return List.of(
        kcp.typeAdmission(),
        escalation,
        validatingPolicies,
        webhooks,
        mutatingPolicies,
        kcp.claimLabelAdmission(),
        quotas);
  }

  @Override
  protected void begin() {
    closing(ReplicationMarks.start(objects, policies));
    shard
        .cache()
        .ifPresent(cache ->
            closing(
                Replication.start(store, shard.urls().shard(), cache.replicas(), cache.writers())));
    kcp.start();
  }

  @Override
  protected Optional<Tenancy> tenancy() {
    var wildcard = new CompositeCatalog();
    wildcard.add(builtIns);
    wildcard.add(definitions.own());
    wildcard.add(kcp.wildcard());
    var metadata = new CompositeCatalog();
    metadata.add(wildcard);
    metadata.add(new MetadataCatalog(store));
    return Optional.of(
        new Tenancy(
            kcp.clusters(),
            kcp.virtualWorkspaces(),
            kcp.homeWorkspaces()::of,
            reviews(rights),
            everywhere(wildcard),
            everywhere(metadata)));
  }

  private ApiView everywhere(ResourceCatalog served) {
    return new ApiView.OfCatalog(served, authorizer, Optional.empty());
  }

  @Override
  public void start() {
    super.start();
    closing(InactiveClusters.start(store, http::endWatches));
  }

  ApiServer http() {
    return http;
  }

  LoopbackClient objects() {
    return objects;
  }
}
