package dev.mooring.sandbox.kcp;

import dev.mooring.sandbox.admission.AdmissionPlugin;
import dev.mooring.sandbox.api.registry.ResourceCatalog;
import dev.mooring.sandbox.api.request.VirtualWorkspaces;
import dev.mooring.sandbox.controller.Informer;
import dev.mooring.sandbox.controller.LoopbackClient;
import dev.mooring.sandbox.kcp.api.CustomResourceFactory;
import dev.mooring.sandbox.kcp.api.KcpApis;
import dev.mooring.sandbox.kcp.binding.BindingAdmission;
import dev.mooring.sandbox.kcp.binding.BindingsByExport;
import dev.mooring.sandbox.kcp.binding.BoundResourceCatalog;
import dev.mooring.sandbox.kcp.bootstrap.RootBootstrap;
import dev.mooring.sandbox.kcp.bound.BindingIndex;
import dev.mooring.sandbox.kcp.claim.ClaimLabelAdmission;
import dev.mooring.sandbox.kcp.claim.ClaimLabelController;
import dev.mooring.sandbox.kcp.claim.ClaimLabels;
import dev.mooring.sandbox.kcp.export.ApiResourceSchemaAdmission;
import dev.mooring.sandbox.kcp.export.EndpointSliceAdmission;
import dev.mooring.sandbox.kcp.export.ExportAdmission;
import dev.mooring.sandbox.kcp.export.ExportResolver;
import dev.mooring.sandbox.kcp.object.ContentDeletion;
import dev.mooring.sandbox.kcp.object.KcpIds;
import dev.mooring.sandbox.kcp.object.KcpResources;
import dev.mooring.sandbox.kcp.object.ResourceAdmission;
import dev.mooring.sandbox.kcp.object.decide.Lifecycle;
import dev.mooring.sandbox.kcp.shard.CanonicalPaths;
import dev.mooring.sandbox.kcp.shard.LocalOrReplica;
import dev.mooring.sandbox.kcp.shard.OtherShards;
import dev.mooring.sandbox.kcp.shard.RootIdentities;
import dev.mooring.sandbox.kcp.shard.ServerUrls;
import dev.mooring.sandbox.kcp.shard.ShardAdmission;
import dev.mooring.sandbox.kcp.shard.ShardUnavailable;
import dev.mooring.sandbox.kcp.virtual.ExportScopeParts;
import dev.mooring.sandbox.kcp.virtual.ExportVirtualWorkspaces;
import dev.mooring.sandbox.kcp.virtual.LifecycleScopeParts;
import dev.mooring.sandbox.kcp.virtual.LifecycleVirtualWorkspaces;
import dev.mooring.sandbox.kcp.virtual.SchemaVirtualWorkspaces;
import dev.mooring.sandbox.kcp.workspace.HomeClusters;
import dev.mooring.sandbox.kcp.workspace.LogicalClusterAdmission;
import dev.mooring.sandbox.kcp.workspace.LogicalClusters;
import dev.mooring.sandbox.kcp.workspace.PathAnnotationAdmission;
import dev.mooring.sandbox.kcp.workspace.ReferencePermission;
import dev.mooring.sandbox.kcp.workspace.WorkspaceAdmission;
import dev.mooring.sandbox.kcp.workspace.WorkspaceTypeAdmission;
import dev.mooring.sandbox.kcp.workspace.decide.WorkspaceTypes;
import dev.mooring.sandbox.security.authorization.Authorizer;
import dev.mooring.sandbox.storage.ResourceKey;
import dev.mooring.sandbox.storage.ShardStores;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Assembles kcp: logical clusters and workspaces, exports and bindings, virtual workspaces. Created
 * once for a server, started, and closed with it.
 */
public final class Kcp implements AutoCloseable {
  /**
   * What the rest of the server provides.
   *
   * @param stores of this shard, and the replicas of what others share
   * @param others access to other shards
   * @param identities kept while the server is down
   * @param catalog of everything that is served; {@link Kcp#catalog()} has to become part of it
   * @param deletion called only once {@link Kcp#start()} was
   * @param authorizer whether a user may enter a workspace and has the right
   * @param rights whether a user has the right, entry aside
   * @param homeCreators groups of users who get a home workspace
   */
  public record Dependencies(
      ShardStores stores,
      OtherShards others,
      RootIdentities identities,
      BindingIndex bindings,
      LoopbackClient objects,
      KcpIds ids,
      ServerUrls urls,
      CustomResourceFactory factory,
      ResourceCatalog catalog,
      ContentDeletion deletion,
      Authorizer authorizer,
      Authorizer rights,
      List<String> homeCreators) {}

  private final Dependencies server;
  private final ExportResolver exportResolver;
  private final LogicalClusters clusters;
  private final WorkspaceTypes types;
  private final KcpCatalog catalog;
  private final WildcardCatalog wildcard;
  private final ExportVirtualWorkspaces views;
  private final Map<String, VirtualWorkspaces> services = new HashMap<>();
  private final ReferencePermission permission;
  private final RootBootstrap bootstrap;
  private final KcpControllers controllers;
  private final ClaimLabelController claimLabels;
  private @Nullable Informer labelling;
  private final HomeClusters homes;
  private final CanonicalPaths paths;

  public Kcp(Dependencies server) {
    this.server = server;
    LoopbackClient objects = server.objects();
    paths = new CanonicalPaths(server.stores());
    LocalOrReplica shared = LocalOrReplica.of(objects, server.stores());
    clusters = new LogicalClusters(objects, shared, paths::find);
    exportResolver = new ExportResolver(shared, clusters);
    types = new WorkspaceTypes(clusters::workspaceType);
    permission = new ReferencePermission(server.rights());
    homes = new HomeClusters(objects, clusters, types, server.urls(), server.authorizer());
    var byExport = new BindingsByExport();
    var system = new KcpApis(server.factory());
    var apis =
        new BoundResourceCatalog(server.bindings(), server.factory(), exportResolver, system);
    catalog = new KcpCatalog(system, apis);
    wildcard = new WildcardCatalog(system, apis, exportResolver, server.identities());
    var exportParts =
        new ExportScopeParts(
            server.catalog(),
            system,
            apis,
            server.bindings(),
            byExport,
            exportResolver,
            server.authorizer(),
            server.rights());
    views = new ExportVirtualWorkspaces(exportParts);
    services.put(SchemaVirtualWorkspaces.SERVICE, new SchemaVirtualWorkspaces(exportParts));
    var parts = new LifecycleScopeParts(server.catalog(), system, clusters, server.authorizer());
    for (Lifecycle lifecycle : Lifecycle.values()) {
      services.put(lifecycle.service(), new LifecycleVirtualWorkspaces(lifecycle, parts));
    }
    var labels = new ClaimLabels(objects);
    claimLabels = new ClaimLabelController(labels, server.bindings());
    bootstrap = new RootBootstrap(objects, system, server.urls(), server.homeCreators());
    controllers =
        new KcpControllers(server, shared, clusters, types, exportResolver, byExport, apis, labels);
  }

  /** The index of logical clusters. */
  public LogicalClusters clusters() {
    return clusters;
  }

  public ResourceCatalog catalog() {
    return catalog;
  }

  /** Resources that a request to all logical clusters may name, in addition to built-in ones. */
  public ResourceCatalog wildcard() {
    return wildcard;
  }

  public VirtualWorkspaces virtualWorkspaces() {
    return (path, user) ->
        services.entrySet().stream()
            .filter(service -> path.startsWith("/services/" + service.getKey() + "/"))
            .map(Map.Entry::getValue)
            .findFirst()
            .orElse(views)
            .resolve(path, user);
  }

  public HomeClusters homeWorkspaces() {
    return homes;
  }

  /** Defaults and rules of kcp's own types: the first admission plugin. */
  public AdmissionPlugin typeAdmission() {
    var paths = new PathAnnotationAdmission(clusters);
    Map<ResourceKey, List<ResourceAdmission>> rules =
        Map.of(
            KcpResources.SHARDS, List.of(new ShardAdmission()),
            KcpResources.WORKSPACES, List.of(new WorkspaceAdmission(clusters, types, permission)),
            KcpResources.WORKSPACE_TYPES,
                List.of(paths, new WorkspaceTypeAdmission(clusters, permission)),
            KcpResources.EXPORTS, List.of(paths, new ExportAdmission()),
            KcpResources.BINDINGS, List.of(paths, new BindingAdmission(exportResolver, permission)),
            KcpResources.SLICES, List.of(new EndpointSliceAdmission(exportResolver, permission)),
            KcpResources.SCHEMAS, List.of(new ApiResourceSchemaAdmission()),
            KcpResources.CACHED_RESOURCES, List.of(paths),
            KcpResources.LOGICAL_CLUSTERS, List.of(new LogicalClusterAdmission()));
    return new KcpTypeAdmission(rules, paths);
  }

  /** The labels of claimed objects: the last plugin that mutates. */
  public AdmissionPlugin claimLabelAdmission() {
    return new ClaimLabelAdmission(server.bindings());
  }

  /**
   * Makes the root workspace, or enters this shard there, and begins to work on what users write.
   *
   * @throws ShardUnavailable if this shard was never entered, and the shard with the root workspace
   *     is down
   */
  public void start() {
    paths.start();
    if (server.urls().shard().equals(ServerUrls.ROOT_SHARD)) {
      bootstrap.run();
    } else {
      join();
    }
    controllers.start();
    labelling = claimLabels.start(server.objects().store());
  }

  private void join() {
    try {
      bootstrap.join(server.others());
      server.identities().fetch(server.others());
    } catch (ShardUnavailable down) {
      if (server.identities().isEmpty()) {
        throw down;
      }
    }
  }

  @Override
  public void close() {
    paths.close();
    if (labelling != null) {
      labelling.close();
    }
    controllers.close();
  }
}
