package dev.mooring.sandbox.kcp.virtual;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.request.RequestScope;
import dev.mooring.sandbox.kcp.cached.VirtualResources;
import dev.mooring.sandbox.kcp.export.decide.CachedSlicePlanner;
import dev.mooring.sandbox.kcp.object.decide.ExportReference;
import dev.mooring.sandbox.security.authorization.Decision;
import dev.mooring.sandbox.security.rbac.AuthorizationAttributes;
import dev.mooring.sandbox.security.rbac.AuthorizationAttributes.Resource;
import dev.mooring.sandbox.security.user.UserInfo;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What one slice shows. Users need the right {@code apiexports/content} on the export that refers
 * to it, and a consumer that has bound what it exports.
 *
 * @param consumer empty for all, of which nothing but discovery can be read
 * @param path of the request
 */
record ReplicationScope(
    ExportScopeParts parts,
    VirtualResources resources,
    KubeObject slice,
    Optional<LogicalCluster> consumer,
    String path)
    implements RequestScope {
  private static final Decision DENIED =
      new Decision.Denied("virtual.replication.content.authorization.kcp.io: access denied");
  private static final Set<String> READ = Set.of("get", "list", "watch");

  @Override
  public Optional<LogicalCluster> cluster() {
    return consumer;
  }

  /** Nothing until the slice is valid. */
  @Override
  public Optional<ResourceDefinition> find(ResourceType type) {
    return findListed(type);
  }

  @Override
  public List<ResourceDefinition> all() {
    if (!slice.hasCondition("ResourceValid") || !slice.hasCondition("APIExportValid")) {
      return List.of();
    }
    KubeObject export = export();
    return exported(export).stream()
        .flatMap(resource ->
            parts.bound().offeredBy(export, export.text("status", "identityHash")).stream()
                .filter(definition -> names(resource, definition.type())))
        .map(definition -> resources.of(slice, definition))
        .toList();
  }

  private static boolean names(Map<String, Object> resource, ResourceType type) {
    return type.group().equals(resource.get("group"))
        && type.resource().equals(resource.get("name"));
  }

  private KubeObject export() {
    ExportReference reference = ExportReference.ofSlice(slice);
    return parts
        .exports()
        .export(reference, slice.logicalCluster().orElseThrow())
        .orElseThrow(() ->
            ReplicationVirtualWorkspaces.missing(
                path, "apiexports.apis.kcp.io \"%s\"".formatted(reference.name())));
  }

  /** The resource of the export that refers to the slice. */
  private Optional<Map<String, Object>> exported(KubeObject export) {
    return export.list("spec", "resources").stream()
        .map(Trees::mapOrEmpty)
        .filter(resource -> {
          Map<String, Object> reference = CachedSlicePlanner.reference(resource);
          return CachedSlicePlanner.isSlice(reference)
              && slice.name().equals(reference.get("name"));
        })
        .findFirst();
  }

  @Override
  public Decision authorize(AuthorizationAttributes attributes) {
    if (attributes.user().groups().contains(UserInfo.MASTERS)) {
      return LifecycleScopeParts.ALLOWED;
    }
    if (!READ.contains(attributes.verb())) {
      return DENIED;
    }
    KubeObject export = export();
    if (attributes.target() instanceof Resource
        && consumer.filter(cluster -> !hasBound(cluster, export)).isPresent()) {
      return DENIED;
    }
    var content =
        new AuthorizationAttributes(
            attributes.user(),
            export.logicalCluster(),
            attributes.verb(),
            new Resource("apis.kcp.io", "v1alpha1", "apiexports", "content", "", export.name()));
    return parts.authorizer().authorize(content).allowed() ? LifecycleScopeParts.ALLOWED : DENIED;
  }

  private boolean hasBound(LogicalCluster cluster, KubeObject export) {
    if (parts.exports().clusters().object(cluster).isEmpty()) {
      throw ReplicationVirtualWorkspaces.missing(path, "logicalcluster.core.kcp.io \"cluster\"");
    }
    return exported(export)
        .flatMap(resource ->
            parts
                .bindings()
                .of(cluster)
                .exportOf(
                    Trees.textOrEmpty(resource.get("group")),
                    Trees.textOrEmpty(resource.get("name"))))
        .isPresent();
  }

  @Override
  public VerbOrder verbOrder() {
    return VerbOrder.BY_NAME;
  }
}
