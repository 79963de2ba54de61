package dev.mooring.sandbox.kcp.bootstrap;

import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.kcp.api.KcpApis;
import dev.mooring.sandbox.kcp.api.decide.ApiResourceSchemaConversion;
import dev.mooring.sandbox.kcp.object.KcpResources;
import dev.mooring.sandbox.kcp.object.SystemObjects;
import dev.mooring.sandbox.kcp.object.decide.KcpNames;
import dev.mooring.sandbox.kcp.shard.ServerUrls;
import dev.mooring.sandbox.kcp.workspace.DefaultContent;
import dev.mooring.sandbox.kcp.workspace.decide.LogicalClusterPlanner;
import dev.mooring.sandbox.kcp.workspace.decide.TypeReference;
import dev.mooring.sandbox.security.admin.AdminUsers;
import dev.mooring.sandbox.security.user.PrefixedUser;
import dev.mooring.sandbox.security.user.UserInfo;
import dev.mooring.sandbox.storage.ResourceKey;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Creates the workspace {@code root}: its logical cluster, the shards, the workspace types, and the
 * exports of kcp's own APIs. Existing objects stay as they are.
 */
public final class RootBootstrap {
  private static final String SCHEMA_PREFIX = "v1";
  private static final String RBAC = "rbac.authorization.k8s.io";

  private static final String TENANCY = "tenancy.kcp.io";
  private static final String EVERY_USER = UserInfo.AUTHENTICATED;

  /** Exports, each with the group that it offers. */
  private static final Map<String, String> EXPORTS =
      Map.of(
          TENANCY, TENANCY, "topology.kcp.io", "topology.kcp.io", "cache.kcp.io", "cache.kcp.io");

  private static final String CREATE_ONLY = "bootstrap.kcp.io/create-only";
  private static final String BATTERY = "bootstrap.kcp.io/battery";

  private static final TypeReference UNIVERSAL = new TypeReference("root", "universal");

  private final SystemObjects objects;
  private final KcpApis apis;
  private final ServerUrls urls;
  private final DefaultContent content;

  public RootBootstrap(
      SystemObjects objects, KcpApis apis, ServerUrls urls, DefaultContent content) {
    this.objects = objects;
    this.apis = apis;
    this.urls = urls;
    this.content = content;
  }

  public void run() {
    KubeObject cluster =
        LogicalClusterPlanner.standalone(
            WorkspacePath.ROOT, new TypeReference("root", "root"), urls.cluster(KcpResources.ROOT));
    ensure(KcpResources.LOGICAL_CLUSTERS, cluster);
    content.ensure(cluster, KcpResources.ROOT);
    urls.shards().names().forEach(shard -> ensure(KcpResources.SHARDS, shard(shard)));
    types();
    EXPORTS.forEach(this::export);
    permissions();
  }

  private void ensure(ResourceKey resourceKey, KubeObject object) {
    objects.ensure(resourceKey, KcpResources.ROOT, object);
  }

  private KubeObject shard(String name) {
    return object(
        "core.kcp.io/v1alpha1",
        "Shard",
        name,
        Map.of(),
        Map.of(
            "baseURL", urls.shards().url(name),
            "externalURL", urls.base(),
            "virtualWorkspaceURL", urls.shards().url(name)));
  }

  private void types() {
    type(
        "universal",
        Map.of(),
        """
        {"initializer": true,
         "defaultAPIBindings": [
           {"export": "tenancy.kcp.io", "path": "root"},
           {"export": "topology.kcp.io", "path": "root"}]}
        """);
    type(
        "root",
        Map.of(CREATE_ONLY, "true"),
        """
        {"defaultChildWorkspaceType": {"name": "organization", "path": "root"},
         "extend": {"with": [{"name": "universal", "path": "root"}]},
         "limitAllowedParents": {"none": true}}
        """);
    type(
        "organization",
        Map.of(BATTERY, "workspace-types"),
        """
        {"extend": {"with": [{"name": "universal", "path": "root"}]},
         "limitAllowedChildren": {"types": [{"name": "universal", "path": "root"}]},
         "limitAllowedParents": {"types": [{"name": "root", "path": "root"}]}}
        """);
    type(
        "team",
        Map.of(BATTERY, "workspace-types"),
        """
        {"extend": {"with": [{"name": "universal", "path": "root"}]},
         "limitAllowedParents": {"types": [
           {"name": "organization", "path": "root"}, {"name": "team", "path": "root"}]}}
        """);
    type(
        "home",
        Map.of(),
        """
        {"extend": {"with": [{"name": "universal", "path": "root"}]},
         "limitAllowedParents": {"none": true}}
        """);
  }

  private void type(String name, Map<String, String> annotations, String spec) {
    var complete = new LinkedHashMap<String, Object>();
    complete.put("defaultChildWorkspaceType", UNIVERSAL.tree());
    complete.putAll(KubeJson.readObject(spec).tree());
    var all = new LinkedHashMap<>(annotations);
    all.put(KcpNames.PATH, "root");
    ensure(
        KcpResources.WORKSPACE_TYPES,
        object("tenancy.kcp.io/v1alpha1", "WorkspaceType", name, all, complete));
  }

  private void export(String name, String group) {
    List<KubeObject> schemas =
        apis.descriptions().stream()
            .filter(crd -> crd.text("spec", "group").equals(group))
            .map(crd -> ApiResourceSchemaConversion.ofCrd(crd, SCHEMA_PREFIX))
            .toList();
    schemas.forEach(schema -> ensure(KcpResources.SCHEMAS, schema));
    List<Map<String, Object>> resources = schemas.stream().map(RootBootstrap::resource).toList();
    ensure(
        KcpResources.EXPORTS,
        object(
            "apis.kcp.io/v1alpha2",
            "APIExport",
            name,
            Map.of(KcpNames.PATH, "root"),
            name.equals(TENANCY)
                ? Map.of(
                    "resources", resources, "maximalPermissionPolicy", Map.of("local", Map.of()))
                : Map.of("resources", resources)));
  }

  private static Map<String, Object> resource(KubeObject schema) {
    var resource = new LinkedHashMap<String, Object>();
    resource.put("group", schema.text("spec", "group"));
    resource.put("name", schema.text("spec", "names", "plural"));
    resource.put("schema", schema.name());
    resource.put("storage", Map.of("crd", Map.of()));
    return resource;
  }

  /**
   * Every user may enter, read workspaces and their types, use the common types and bind the APIs
   * that come with them. In the maximal permission policy of tenancy.kcp.io every user has all
   * rights: it stops only users who are not themselves in the request's workspace, as
   * ServiceAccounts outside their own.
   */
  private void permissions() {
    bind("system:kcp:tenancy:authenticated:access", "system:kcp:workspace:access", EVERY_USER);
    bind("system:kcp:authenticated:tenancy:reader", "system:kcp:tenancy:reader", EVERY_USER);
    grant(
        "system:kcp:universal-workspacetype-use",
        "system:kcp:authenticated:universal-workspacetype-use",
        EVERY_USER,
        List.of(
            Map.of(
                "apiGroups", List.of(TENANCY),
                "resources", List.of("workspacetypes"),
                "resourceNames", List.of("universal", "organization", "team"),
                "verbs", List.of("use"))));
    grant(
        "system:kcp:apiexport:bind",
        "system:kcp:authenticated:apiexport:bind",
        EVERY_USER,
        List.of(
            Map.of(
                "apiGroups", List.of("apis.kcp.io"),
                "resources", List.of("apiexports"),
                "resourceNames", EXPORTS.keySet().stream().sorted().toList(),
                "verbs", List.of("bind"))));
    grant(
        "system:kcp:apiexport:kcp-admin:maximal-permission-policy",
        "system:kcp:authenticated:apiexport:kcp-admin:maximal-permission-policy",
        PrefixedUser.BINDING + AdminUsers.KCP_ADMIN_GROUP,
        List.of(
            Map.of(
                "apiGroups", List.of(TENANCY), "resources", List.of("*"), "verbs", List.of("*"))));
    grant(
        "system:kcp:apiexport:tenancy:maximal-permission-policy",
        "system:kcp:authenticated:apiexport:tenancy:maximal-permission-policy",
        PrefixedUser.BINDING + EVERY_USER,
        List.of(
            Map.of(
                "apiGroups", List.of(TENANCY),
                "resources",
                    List.of(
                        "workspaces", "workspaceauthenticationconfigurations", "workspacetypes"),
                "verbs", List.of("*")),
            Map.of(
                "apiGroups", List.of(TENANCY),
                "resources", List.of("workspaces/status", "workspacetypes/status"),
                "verbs", List.of("list", "watch", "get"))));
  }

  private void grant(String role, String binding, String group, List<Map<String, Object>> rules) {
    ensure(
        ResourceKey.of(RBAC, "clusterroles"),
        KubeObject.of(
            Map.of(
                "apiVersion",
                RBAC + "/v1",
                "kind",
                "ClusterRole",
                "metadata",
                Map.of("name", role),
                "rules",
                rules)));
    bind(binding, role, group);
  }

  private void bind(String binding, String role, String group) {
    ensure(
        KcpResources.ROLE_BINDINGS,
        KubeObject.of(
            Map.of(
                "apiVersion", RBAC + "/v1",
                "kind", "ClusterRoleBinding",
                "metadata", Map.of("name", binding),
                "roleRef", Map.of("apiGroup", RBAC, "kind", "ClusterRole", "name", role),
                "subjects", List.of(Map.of("apiGroup", RBAC, "kind", "Group", "name", group)))));
  }

  private static KubeObject object(
      String apiVersion,
      String kind,
      String name,
      Map<String, String> annotations,
      Map<String, Object> spec) {
    var metadata = new LinkedHashMap<String, Object>();
    metadata.put("name", name);
    if (!annotations.isEmpty()) {
      metadata.put("annotations", annotations);
    }
    var object = new LinkedHashMap<String, Object>();
    object.put("apiVersion", apiVersion);
    object.put("kind", kind);
    object.put("metadata", metadata);
    object.put("spec", spec);
    return KubeObject.of(object);
  }
}
