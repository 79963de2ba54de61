package dev.mooring.cli.demo;

import dev.mooring.cli.live.Types;
import dev.mooring.harness.Manifests;
import dev.mooring.harness.Program;
import dev.mooring.harness.ServiceUsers;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.DeleteCondition;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Gives the services' users the rights of the manifests that Mooring ships, and no others. */
record Grants(DemoEnvironment environment, Kubectl kubectl) {
  private static final String KCP = "charts/mooring/kcp/";
  private static final String SYNC_AGENT_KCP = KCP + "rbac-agent-workspace.yaml";
  private static final String SYNC_AGENT_CLUSTER = "charts/mooring/service-cluster/rbac-agent.yaml";

  /** Groups of the types that rules of demo, checks and acceptance tests are about. */
  private static final List<String> DEPENDENTS =
      List.of(
          Types.VPCS.group(),
          Types.VIRTUAL_MACHINES.group(),
          "edge.example.corp",
          "storage.example.corp");

  void syncAgent() {
    apply(
        environment.serviceCluster(),
        SYNC_AGENT_CLUSTER,
        Map.of(
            ServiceUsers.manifestName(Program.SYNC_AGENT),
            environment.suite().userOnServiceCluster()));
    inKcp(environment.certificates(), SYNC_AGENT_KCP);
  }

  void dependencyServices() {
    inKcp(environment.dependencies(), KCP + "rbac-dependency-workspace.yaml");
    inKcp(environment.orgPlace(), KCP + "rbac-parent-workspace.yaml");
    provider(environment.network());
    provider(environment.compute());
    if (environment.suite().userInKcp(Program.DEPENDENCY_WEBHOOK).isPresent()) {
      environment
          .shards()
          .forEach(shard ->
              kubectl.create(
                  shard, shard.name() + "-rbac-shard-system-admin.yaml", onShards(environment)));
    }
  }

  /** What the controller may read in the workspace of a provider. */
  void provider(ClusterClient cluster) {
    inKcp(cluster, KCP + "rbac-provider-workspace.yaml");
  }

  /** Grants above all workspaces outlive the story's; they are taken back with it. */
  static void withdrawFromShards(DemoEnvironment environment) {
    for (ClusterClient shard : environment.shards()) {
      for (KubeObject object : onShards(environment)) {
        if (shard.client().find(Manifests.typeOf(object), "", object.name()).isPresent()) {
          shard
              .client()
              .delete(
                  Manifests.typeOf(object), "", object.name(), new DeleteCondition.Unconditional());
        }
      }
    }
  }

  /** Under names of the story's own: an installation on the same kcp keeps its rights. */
  private static List<KubeObject> onShards(DemoEnvironment environment) {
    Map<String, String> users = users(environment);
    return Manifests.ofShard(
            environment.suite().layout().file(KCP + "rbac-shard-system-admin.yaml"), DEPENDENTS)
        .stream()
        .map(object -> forUsers(object, users))
        .map(object -> {
          String suffix = "-" + environment.org().name();
          KubeObject named = object.with(object.name() + suffix, "metadata", "name");
          String role = object.text("roleRef", "name");
          return role.isEmpty() ? named : named.with(role + suffix, "roleRef", "name");
        })
        .toList();
  }

  private void inKcp(ClusterClient cluster, String file) {
    apply(cluster, file, users(environment));
  }

  /** The services' users by the manifests' names; empty if they are the administrator. */
  private static Map<String, String> users(DemoEnvironment environment) {
    var users = new LinkedHashMap<String, String>();
    for (Program service :
        List.of(Program.SYNC_AGENT, Program.DEPENDENCY_CONTROLLER, Program.DEPENDENCY_WEBHOOK)) {
      Optional<String> user = environment.suite().userInKcp(service);
      user.ifPresent(name -> users.put(ServiceUsers.manifestName(service), name));
    }
    return users;
  }

  /**
   * @param users as of {@link #users}: the administrator needs no right, but the Namespaces
   */
  private void apply(ClusterClient cluster, String file, Map<String, String> users) {
    String name = file.substring(file.lastIndexOf('/') + 1);
    List<KubeObject> objects =
        Manifests.ofFile(environment.suite().layout().file(file)).stream()
            .filter(object -> !users.isEmpty() || object.kind().equals("Namespace"))
            .map(object -> forUsers(object, users))
            .toList();
    if (!objects.isEmpty()) {
      kubectl.create(cluster, cluster.name() + "-" + name, objects);
    }
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
