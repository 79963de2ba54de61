package dev.mooring.sandbox.kcp.virtual;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.registry.ResourceStrategy;
import dev.mooring.sandbox.api.registry.Subresource;
import dev.mooring.sandbox.api.registry.Verb;
import dev.mooring.sandbox.api.request.ApiView;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.kcp.object.KcpResources;
import dev.mooring.sandbox.kcp.object.decide.KcpNames;
import dev.mooring.sandbox.kcp.object.decide.Lifecycle;
import dev.mooring.sandbox.kcp.virtual.LifecycleVirtualWorkspaces.Controller;
import dev.mooring.sandbox.security.authorization.Decision;
import dev.mooring.sandbox.security.rbac.AuthorizationAttributes;
import dev.mooring.sandbox.security.rbac.AuthorizationAttributes.Resource;
import dev.mooring.sandbox.security.user.UserInfo;
import dev.mooring.sandbox.storage.StoredObject;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The LogicalClusters that wait for one initializer or terminator. All of them can be listed and
 * watched; of one cluster the object can be read, and its status written.
 *
 * @param cluster empty for all
 */
record LifecycleScope(
    LifecycleScopeParts parts, Controller controller, Optional<LogicalCluster> cluster)
    implements ApiView {
  private static final Set<Verb> LISTED = Set.of(Verb.GET, Verb.LIST, Verb.WATCH);
  private static final Set<Verb> READ = Set.of(Verb.GET);
  private static final Subresource UNWRITABLE =
      new Subresource.Part(new ResourceStrategy() {}, Set.of());

  /** A type other than LogicalCluster answers 404 in every group. */
  @Override
  public Optional<ResourceDefinition> find(ResourceType type) {
    return Optional.of(
        parts
            .system()
            .find(type)
            .filter(definition -> definition.resourceKey().equals(KcpResources.LOGICAL_CLUSTERS))
            .orElseThrow(ApiFailure::pageNotFound));
  }

  @Override
  public List<ResourceDefinition> all() {
    return parts.system().definitions().values().stream()
        .filter(definition -> definition.resourceKey().equals(KcpResources.LOGICAL_CLUSTERS))
        .map(definition ->
            cluster.isEmpty()
                ? definition.toBuilder().verbs(LISTED).subresource("status", UNWRITABLE).build()
                : definition.toBuilder().verbs(READ).build())
        .toList();
  }

  @Override
  public Decision authorize(AuthorizationAttributes attributes) {
    if (!parts.isController(attributes.user(), controller)) {
      return LifecycleScopeParts.DENIED;
    }
    if (attributes.target() instanceof Resource resource
        && resource.resource().equals(KcpResources.LOGICAL_CLUSTERS.resource())) {
      requireServed(attributes.verb(), resource);
    }
    return LifecycleScopeParts.ALLOWED;
  }

  private void requireServed(String verb, Resource resource) {
    if (cluster.isEmpty()) {
      ExportScope.requireCollection(verb);
      return;
    }
    boolean served =
        switch (verb) {
          case "get" -> true;
          case "update", "patch" -> resource.subresource().equals("status");
          default -> false;
        };
    if (!served) {
      var type = new ResourceType(resource.group(), resource.version(), resource.resource());
      throw ApiFailure.of(
          405,
          "MethodNotAllowed",
          "%s is not supported on resources of kind \"%s\"".formatted(verb, type.qualified()),
          ApiFailure.details(type, ""));
    }
  }

  /** Writes are the server's: admission knows no controllers of WorkspaceTypes. */
  @Override
  public UserInfo effectiveUser(UserInfo user) {
    return UserInfo.SYSTEM;
  }

  @Override
  public VerbOrder verbOrder() {
    return VerbOrder.BY_NAME;
  }

  @Override
  public boolean isVisible(ResourceDefinition definition, StoredObject object) {
    return controller.isPending(object.object());
  }

  /** The controller removes no other one than itself, and adds none. */
  @Override
  public KubeObject enforceClaims(ResourceDefinition definition, KubeObject wished) {
    Lifecycle lifecycle = controller.lifecycle();
    List<String> before =
        cluster.flatMap(parts::logicalCluster).map(lifecycle::pending).orElse(List.of());
    List<String> after = lifecycle.pending(wished);
    if (isAllowed(before, after)) {
      return wished;
    }
    throw ApiFailure.invalid(
        lifecycle == Lifecycle.INITIALIZING ? "tenancy.kcp.io" : "core.kcp.io",
        "LogicalCluster",
        KcpNames.CLUSTER_OBJECT,
        List.of(
            FieldError.invalid(
                "status." + lifecycle.field(),
                after,
                "only removing the \"%s\" %s is supported"
                    .formatted(controller.name(), lifecycle.noun()))));
  }

  private boolean isAllowed(List<String> before, List<String> after) {
    boolean removesItself = before.size() - after.size() == 1 && !after.contains(controller.name());
    return switch (controller.lifecycle()) {
      // As kcp has it: a list of the same length is not looked at.
      case INITIALIZING -> before.size() == after.size() || removesItself;
      case TERMINATING -> before.equals(after) || removesItself && before.containsAll(after);
    };
  }
}
