package dev.mooring.sandbox.kcp;

import dev.mooring.sandbox.admission.AdmissionChain;
import dev.mooring.sandbox.api.LogicalClusterResolver;
import dev.mooring.sandbox.api.ResourceCatalog;
import dev.mooring.sandbox.api.VirtualWorkspaces;
import dev.mooring.sandbox.security.Authorizer;
import dev.mooring.sandbox.storage.Bucket;
import dev.mooring.sandbox.storage.ResourceStore;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;

/**
 * Everything that makes the server kcp: logical clusters and workspaces, exports and bindings,
 * virtual workspaces. Made once for a server, then started, then closed with it.
 */
public final class Kcp implements AutoCloseable {
  /**
   * What the rest of the server provides.
   *
   * @param catalog of everything that is served; {@link Kcp#catalog()} has to become part of it
   * @param deletion called only once {@link Kcp#start()} was
   * @param authorizer whether a user may enter a workspace and has the right
   * @param rights whether a user has the right, entry aside
   */
  public record Surroundings(
      ResourceStore store,
      InstantSource clock,
      KcpIds ids,
      ServerUrls urls,
      CustomResourceFactory factory,
      ResourceCatalog catalog,
      ContentDeletion deletion,
      Authorizer authorizer,
      Authorizer rights) {
    public Surroundings {
      Objects.requireNonNull(store, "store");
      Objects.requireNonNull(catalog, "catalog");
      Objects.requireNonNull(deletion, "deletion");
    }
  }

  private final KcpLookups lookups;
  private final LogicalClusters clusters;
  private final BindingIndex bindings = new BindingIndex();
  private final KcpCatalog catalog;
  private final WildcardCatalog wildcard;
  private final ExportViews views;
  private final BindPermission permission;
  private final RootBootstrap bootstrap;
  private final KcpControllers controllers;
  private final ClaimLabelController claimLabels;

  public Kcp(Surroundings server) {
    var objects = new SystemObjects(server.store(), server.clock(), server.ids().uids());
    clusters = new LogicalClusters(objects);
    lookups = new KcpLookups(objects, clusters);
    permission = new BindPermission(server.rights());
    var system = new KcpApis(server.factory());
    var apis = new BoundApis(server.factory(), lookups, system);
    var exports = new ExportsByIdentity(objects);
    var content = new DefaultContent(objects);
    catalog = new KcpCatalog(system, apis);
    wildcard = new WildcardCatalog(system, apis, exports);
    views =
        new ExportViews(
            objects,
            new ExportViewParts(
                server.catalog(), system, apis, bindings, exports, server.authorizer()));
    var labels = new ClaimLabels(objects);
    claimLabels = new ClaimLabelController(server.store(), objects, labels);
    bootstrap = new RootBootstrap(objects, system, server.urls(), content);
    var reconcilers =
        new KcpControllers.Reconcilers(
            new WorkspaceReconciler(
                objects, clusters, lookups, server.urls(), server.ids().clusters()),
            new LogicalClusterReconciler(
                objects,
                clusters,
                content,
                new DefaultBindings(objects, clusters, lookups),
                new ClusterDrain(objects, server.catalog(), server.deletion())),
            new WorkspaceTypeReconciler(objects, server.urls()),
            new ExportReconciler(objects, clusters, lookups, server.ids().identityKeys()),
            new EndpointSliceReconciler(objects, lookups, bindings, server.urls()),
            new BindingReconciler(objects, clusters, lookups, labels, apis, server.deletion()));
    controllers =
        new KcpControllers(server.store(), objects, lookups, bindings, apis, exports, reconcilers);
  }

  public LogicalClusterResolver resolver() {
    return clusters;
  }

  /** For questions about logical clusters beyond paths. */
  public LogicalClusters clusters() {
    return clusters;
  }

  public ResourceCatalog catalog() {
    return catalog;
  }

  /** Beside built-in resources, what a request to all logical clusters may ask for. */
  public ResourceCatalog wildcard() {
    return wildcard;
  }

  public VirtualWorkspaces virtualWorkspaces() {
    return views;
  }

  /** kcp's own admission in front of {@code next}. */
  public AdmissionChain admission(AdmissionChain next) {
    var paths = new PathAnnotationRule(clusters);
    Map<Bucket, KcpRule> rules =
        Map.of(
            KcpBuckets.WORKSPACES, new WorkspaceRule(clusters, lookups, permission),
            KcpBuckets.WORKSPACE_TYPES, paths,
            KcpBuckets.EXPORTS, new ExportRule(paths),
            KcpBuckets.BINDINGS, new BindingRule(lookups, permission, paths),
            KcpBuckets.SLICES, new EndpointSliceRule(lookups, permission),
            KcpBuckets.SCHEMAS, new SchemaRule(),
            KcpBuckets.LOGICAL_CLUSTERS, new LogicalClusterRule());
    return new KcpAdmission(next, rules, bindings);
  }

  /** Makes the root workspace and begins to work on what users write. */
  public void start() {
    bootstrap.run();
    controllers.start();
    claimLabels.start();
  }

  @Override
  public void close() {
    claimLabels.close();
    controllers.close();
  }
}
