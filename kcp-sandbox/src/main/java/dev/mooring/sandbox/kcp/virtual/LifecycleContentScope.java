package dev.mooring.sandbox.kcp.virtual;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.request.ApiView;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.kcp.object.decide.Lifecycle;
import dev.mooring.sandbox.kcp.virtual.LifecycleVirtualWorkspaces.Controller;
import dev.mooring.sandbox.kcp.workspace.decide.TypeReference;
import dev.mooring.sandbox.security.authorization.AccessDenied;
import dev.mooring.sandbox.security.authorization.Decision;
import dev.mooring.sandbox.security.rbac.AuthorizationAttributes;
import dev.mooring.sandbox.security.rbac.AuthorizationAttributes.Resource;
import dev.mooring.sandbox.security.rbac.AuthorizationAttributes.Url;
import dev.mooring.sandbox.security.rbac.PolicyRule;
import dev.mooring.sandbox.security.user.UserInfo;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The content of one cluster that waits for an initializer or terminator. If its WorkspaceType has
 * permissions for it, these alone decide, and the request is the caller's own with a group that
 * names the controller. Without permissions the request is made as the user who created the
 * workspace.
 *
 * @param rest of the path, behind the cluster
 */
record LifecycleContentScope(
    LifecycleScopeParts parts, Controller controller, LogicalCluster content, String rest)
    implements ApiView {
  private static final String SYSTEM = "system";

  @Override
  public Optional<LogicalCluster> cluster() {
    return Optional.of(content);
  }

  @Override
  public Optional<ResourceDefinition> find(ResourceType type) {
    return parts.catalog().find(content, type);
  }

  @Override
  public List<ResourceDefinition> all() {
    return parts.catalog().all(content);
  }

  @Override
  public Decision authorize(AuthorizationAttributes attributes) {
    UserInfo user = attributes.user();
    if (!parts.isController(user, controller)) {
      var url = new Url("/clusters/" + content + rest);
      throw denied(new AuthorizationAttributes(user, cluster(), method(attributes.verb()), url));
    }
    KubeObject logicalCluster = requirePending();
    List<PolicyRule> permissions = permissions();
    if (!permissions.isEmpty()) {
      if (permissions.stream()
          .noneMatch(rule -> rule.allows(attributes.verb(), attributes.target()))) {
        throw refused(
            403,
            "%s \"%s\" denied by %s: no rule allows %s on %s"
                .formatted(
                    controller.lifecycle().noun(),
                    controller.name(),
                    controller.lifecycle().permissionsField(),
                    attributes.verb(),
                    described(attributes.target())));
      }
      return LifecycleScopeParts.ALLOWED;
    }
    var asOwner =
        new AuthorizationAttributes(
            owner(logicalCluster), cluster(), attributes.verb(), attributes.target());
    if (!parts.authorizer().authorize(asOwner).allowed()) {
      throw denied(asOwner);
    }
    return LifecycleScopeParts.ALLOWED;
  }

  private static ApiFailure denied(AuthorizationAttributes attributes) {
    return AccessDenied.failure(attributes, LifecycleScopeParts.DENIED);
  }

  private static ApiFailure refused(int code, String why) {
    return ApiFailure.plain(code, why + "\n");
  }

  private KubeObject requirePending() {
    KubeObject logicalCluster =
        parts
            .logicalCluster(content)
            .orElseThrow(() ->
                refused(
                    500,
                    ("error getting logicalcluster %s|cluster: logicalcluster.core.kcp.io"
                            + " \"cluster\" not found")
                        .formatted(content)));
    if (!controller.isPending(logicalCluster)) {
      throw refused(
          403,
          "%s \"%s\" cannot access this workspace"
              .formatted(controller.lifecycle().noun(), controller.name()));
    }
    return logicalCluster;
  }

  /** Of the controller's WorkspaceType; without it no request is let through. */
  private List<PolicyRule> permissions() {
    if (controller.cluster().name().equals(SYSTEM)) {
      return List.of();
    }
    Lifecycle lifecycle = controller.lifecycle();
    KubeObject type =
        parts
            .clusters()
            .workspaceType(new TypeReference(controller.cluster().name(), controller.type()))
            .orElseThrow(() ->
                refused(
                    503,
                    ("%s \"%s\": WorkspaceType not found in local or cached indexer; refusing to"
                            + " fall back to owner impersonation: workspacetypes.tenancy.kcp.io"
                            + " \"%s\" not found")
                        .formatted(lifecycle.noun(), controller.name(), controller.name())));
    return PolicyRule.listOf(type.at("spec", lifecycle.permissionsField()));
  }

  private UserInfo owner(KubeObject logicalCluster) {
    Map<String, Object> creator = logicalCluster.map("spec", "createdBy");
    if (creator.isEmpty()) {
      throw refused(500, "LogicalCluster %s|cluster had no createdBy recorded".formatted(content));
    }
    var extra = new LinkedHashMap<String, List<String>>();
    Trees.map(creator, "extra").forEach((key, values) -> extra.put(key, Trees.texts(values)));
    return new UserInfo(
            Trees.text(creator, "username"),
            Trees.text(creator, "uid"),
            Trees.texts(creator.get("groups")),
            extra)
        .authenticated();
  }

  @Override
  public UserInfo effectiveUser(UserInfo user) {
    if (permissions().isEmpty()) {
      return owner(requirePending());
    }
    var groups = new ArrayList<String>();
    groups.add(controller.lifecycle().groupOf(controller.name()));
    groups.addAll(user.groups());
    return new UserInfo(user.name(), user.uid(), groups, user.extra());
  }

  private static String method(String verb) {
    return switch (verb) {
      case "list", "watch" -> "get";
      case "create" -> "post";
      case "update" -> "put";
      case "deletecollection" -> "delete";
      default -> verb;
    };
  }

  private static String described(AuthorizationAttributes.Target target) {
    return switch (target) {
      case Url url -> url.path();
      case Resource resource ->
          (resource.group().isEmpty() ? "core" : resource.group())
              + "/"
              + resource.resource()
              + (resource.subresource().isEmpty() ? "" : "/" + resource.subresource())
              + (resource.name().isEmpty() ? "" : " (" + resource.name() + ")")
              + (resource.namespace().isEmpty() ? "" : " in namespace " + resource.namespace());
    };
  }
}
