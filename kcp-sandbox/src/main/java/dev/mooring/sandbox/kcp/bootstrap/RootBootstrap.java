package dev.mooring.sandbox.kcp.bootstrap;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.codec.YamlText;
import dev.mooring.sandbox.controller.LoopbackClient;
import dev.mooring.sandbox.kcp.api.KcpApis;
import dev.mooring.sandbox.kcp.api.decide.ApiResourceSchemaConversion;
import dev.mooring.sandbox.kcp.object.KcpResources;
import dev.mooring.sandbox.kcp.shard.OtherShards;
import dev.mooring.sandbox.kcp.shard.ServerUrls;
import dev.mooring.sandbox.kcp.shard.ShardUnavailable;
import dev.mooring.sandbox.kcp.workspace.DefaultContent;
import dev.mooring.sandbox.kcp.workspace.decide.LogicalClusterPlanner;
import dev.mooring.sandbox.storage.ResourceKey;
import java.util.List;
import java.util.Map;

/**
 * Creates the workspace {@code root}: its logical cluster, the Shard object of its shard, the
 * exports of kcp's own APIs, and the objects of {@code root.yaml}. Any other shard only enters its
 * own Shard object. Existing objects stay as they are.
 *
 * @param homeCreators groups of users who get a home workspace
 */
public record RootBootstrap(
    LoopbackClient objects, KcpApis apis, ServerUrls urls, List<String> homeCreators) {
  private static final String HOME_CREATORS =
      "system:kcp:configured-group:home-clusterworkspace-create";
  private static final ResourceType SHARDS = new ResourceType("core.kcp.io", "v1alpha1", "shards");

  public void run() {
    KubeObject cluster = LogicalClusterPlanner.root(urls.cluster(KcpResources.ROOT), objects.now());
    ensure(KcpResources.LOGICAL_CLUSTERS, cluster);
    ensure(KcpResources.NAMESPACES, DefaultContent.created("default"));
    ensure(KcpResources.SHARDS, shard());
    YamlText.resource(RootBootstrap.class, "root.yaml")
        .forEach((qualified, all) -> {
          String[] parts = qualified.split("\\.", 2);
          ResourceKey resourceKey = ResourceKey.of(parts[1], parts[0]);
          for (Object tree : Trees.listOrEmpty(all)) {
            KubeObject object = KubeObject.of(Trees.mapOrEmpty(tree));
            ensureSchemas(object);
            ensure(resourceKey, complete(resourceKey, object));
          }
        });
  }

  /** With what only a running server knows. */
  private KubeObject complete(ResourceKey resourceKey, KubeObject object) {
    return object.name().equals(HOME_CREATORS) && resourceKey.equals(KcpResources.ROLE_BINDINGS)
        ? object.with(homeCreators.stream().map(RootBootstrap::group).toList(), "subjects")
        : object;
  }

  private static Map<String, Object> group(String name) {
    return Map.of("apiGroup", "rbac.authorization.k8s.io", "kind", "Group", "name", name);
  }

  private void ensure(ResourceKey resourceKey, KubeObject object) {
    objects.ensure(resourceKey, KcpResources.ROOT, object);
  }

  /**
   * Enters this shard where the workspace root is.
   *
   * @throws ShardUnavailable if that shard is down
   */
  public void join(OtherShards others) {
    others.at(ServerUrls.ROOT_SHARD).ensure(KcpResources.SHARDS, KcpResources.ROOT, shard());
  }

  private KubeObject shard() {
    return KubeObject.of(SHARDS, "Shard", "", urls.shard())
        .with(urls.shard(), "metadata", "labels", "name")
        .with(
            Map.of(
                "baseURL", urls.shardUrl(),
                "externalURL", urls.base(),
                "virtualWorkspaceURL", urls.shardUrl()),
            "spec");
  }

  /** Makes the schemas that an export names of kcp's types. */
  private void ensureSchemas(KubeObject export) {
    for (Object resource : export.list("spec", "resources")) {
      String schema = Trees.text(resource, "schema");
      apis.descriptions().stream()
          .filter(crd -> schema.endsWith("." + crd.name()))
          .map(crd ->
              ApiResourceSchemaConversion.ofCrd(crd, schema.substring(0, schema.indexOf('.'))))
          .forEach(made -> ensure(KcpResources.SCHEMAS, made));
    }
  }
}
