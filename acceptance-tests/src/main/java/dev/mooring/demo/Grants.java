package dev.mooring.demo;

import dev.mooring.harness.Program;
import dev.mooring.harness.ServiceUsers;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.DeleteCondition;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Gives the services' users the rights of the manifests that Mooring ships, and no others. */
final class Grants {
  private static final String KCP = "charts/mooring/kcp/";
  private static final String SYNC_AGENT_KCP = KCP + "rbac-agent-workspace.yaml";
  private static final String SYNC_AGENT_CLUSTER = "charts/mooring/service-cluster/rbac-agent.yaml";
  private static final String RBAC = "rbac.authorization.k8s.io";

  private final Stage stage;
  private final Kubectl kubectl;

  Grants(Stage stage, Kubectl kubectl) {
    this.stage = stage;
    this.kubectl = kubectl;
  }

  void syncAgent() {
    apply(
        stage.serviceCluster(),
        SYNC_AGENT_CLUSTER,
        Map.of(
            ServiceUsers.manifestName(Program.SYNC_AGENT), stage.suite().userOnServiceCluster()));
    inKcp(stage.certificates(), SYNC_AGENT_KCP);
  }

  void dependencyServices() {
    inKcp(stage.dependencies(), KCP + "rbac-dependency-workspace.yaml");
    inKcp(stage.orgPlace(), KCP + "rbac-parent-workspace.yaml");
    provider(stage.network());
    provider(stage.compute());
    if (stage.suite().userInKcp(Program.DEPENDENCY_WEBHOOK).isPresent()) {
      stage
          .shards()
          .forEach(shard ->
              kubectl.create(
                  shard, shard.name() + "-rbac-shard-system-admin.yaml", onShards(stage)));
    }
  }

  /** What the controller may read in the workspace of a provider. */
  void provider(Place place) {
    inKcp(place, KCP + "rbac-provider-workspace.yaml");
  }

  /** What the agent may do on the service cluster with one more published type. */
  void published(ResourceType type) {
    var role =
        KubeObject.of(
            Map.of(
                "apiVersion",
                RBAC + "/v1",
                "kind",
                "ClusterRole",
                "metadata",
                Map.of("name", "sync-agent-" + type.resource()),
                "rules",
                List.of(
                    Map.of(
                        "apiGroups", List.of(type.group()),
                        "resources", List.of(type.resource()),
                        "verbs", List.of("get", "list", "watch", "create", "patch", "delete")))));
    var binding =
        KubeObject.of(
            Map.of(
                "apiVersion", RBAC + "/v1",
                "kind", "ClusterRoleBinding",
                "metadata", Map.of("name", "sync-agent-" + type.resource()),
                "roleRef", Map.of("apiGroup", RBAC, "kind", "ClusterRole", "name", role.name()),
                "subjects",
                    List.of(
                        Map.of(
                            "apiGroup",
                            RBAC,
                            "kind",
                            "User",
                            "name",
                            stage.suite().userOnServiceCluster()))));
    kubectl.create(
        stage.serviceCluster(), "rbac-" + type.resource() + ".yaml", List.of(role, binding));
  }

  /** Grants above all workspaces outlive the story's; they are taken back with it. */
  static void withdrawFromShards(Stage stage) {
    for (Place shard : stage.shards()) {
      for (KubeObject object : onShards(stage)) {
        if (shard.client().find(Types.of(object), "", object.name()).isPresent()) {
          shard
              .client()
              .delete(Types.of(object), "", object.name(), new DeleteCondition.Unconditional());
        }
      }
    }
  }

  /** Under names of the story's own: an installation on the same kcp keeps its rights. */
  private static List<KubeObject> onShards(Stage stage) {
    Map<String, String> users = users(stage);
    return manifest(stage, KCP + "rbac-shard-system-admin.yaml").stream()
        .map(object -> forUsers(object, users))
        .map(object -> {
          String suffix = "-" + stage.org().name();
          KubeObject named = object.with(object.name() + suffix, "metadata", "name");
          String role = object.text("roleRef", "name");
          return role.isEmpty() ? named : named.with(role + suffix, "roleRef", "name");
        })
        .toList();
  }

  private void inKcp(Place place, String file) {
    Map<String, String> users = users(stage);
    if (!users.isEmpty()) {
      apply(place, file, users);
    }
  }

  /** The services' users by the manifests' names; empty if they are the administrator. */
  private static Map<String, String> users(Stage stage) {
    var users = new LinkedHashMap<String, String>();
    for (Program service :
        List.of(Program.SYNC_AGENT, Program.DEPENDENCY_CONTROLLER, Program.DEPENDENCY_WEBHOOK)) {
      Optional<String> user = stage.suite().userInKcp(service);
      user.ifPresent(name -> users.put(ServiceUsers.manifestName(service), name));
    }
    return users;
  }

  private void apply(Place place, String file, Map<String, String> users) {
    String name = file.substring(file.lastIndexOf('/') + 1);
    kubectl.create(
        place,
        place.name() + "-" + name,
        manifest(stage, file).stream().map(object -> forUsers(object, users)).toList());
  }

  private static List<KubeObject> manifest(Stage stage, String file) {
    return Manifests.ofFile(stage.suite().layout().file(file));
  }

  private static KubeObject forUsers(KubeObject object, Map<String, String> users) {
    if (object.list("subjects").isEmpty()) {
      return object;
    }
    var subjects = new ArrayList<Object>();
    for (Object subject : object.list("subjects")) {
      Map<String, Object> renamed = Trees.thawMap(Trees.mapOrEmpty(subject));
      renamed.computeIfPresent("name", (key, name) -> users.getOrDefault(name, (String) name));
      subjects.add(renamed);
    }
    return object.with(subjects, "subjects");
  }
}
