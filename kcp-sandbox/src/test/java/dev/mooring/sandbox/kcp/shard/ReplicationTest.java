package dev.mooring.sandbox.kcp.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.controller.Controller;
import dev.mooring.sandbox.controller.LoopbackClient;
import dev.mooring.sandbox.kcp.object.KcpResources;
import dev.mooring.sandbox.security.rbac.BootstrapPolicy;
import dev.mooring.sandbox.security.rbac.RbacPolicies;
import dev.mooring.sandbox.storage.InMemoryResourceStore;
import dev.mooring.sandbox.storage.ListScope;
import dev.mooring.sandbox.storage.ResourceKey;
import dev.mooring.sandbox.storage.ResourceStore;
import dev.mooring.sandbox.storage.ShardStores;
import dev.mooring.sandbox.storage.StorageKey;
import dev.mooring.sandbox.storage.StoredObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReplicationTest {
  private static final LogicalCluster ONE = new LogicalCluster("one");

  private final ResourceStore own = new InMemoryResourceStore();
  private final ResourceStore replicas = new InMemoryResourceStore();
  private final Semaphore writers = new Semaphore(8);
  private final RbacPolicies policies =
      new RbacPolicies(new ShardStores(own), BootstrapPolicy.kcp());
  private Replication replication;
  private Controller<LogicalCluster> marks;

  @BeforeEach
  void start() {
    create(KcpResources.LOGICAL_CLUSTERS, ONE, "cluster", Map.of());
    marks =
        ReplicationMarks.start(
            new LoopbackClient(own, java.time.Clock.systemUTC(), _ -> Optional.empty()), policies);
    replication = Replication.start(own, "a", replicas, writers);
  }

  @AfterEach
  void stop() {
    replication.close();
    marks.close();
    policies.close();
  }

  private StoredObject create(
      ResourceKey resource, LogicalCluster cluster, String name, Map<String, Object> more) {
    return own.create(
        new StorageKey(resource, cluster, "", name),
        KubeObject.of(more).with(name, "metadata", "name"));
  }

  private StoredObject role(String name, Map<String, Object> rule) {
    return create(ReplicationRules.ROLES, ONE, name, Map.of("rules", List.of(rule)));
  }

  private void binding(String name, String role, String user) {
    create(
        KcpResources.ROLE_BINDINGS,
        ONE,
        name,
        Map.of(
            "roleRef",
            Map.of("kind", "ClusterRole", "name", role),
            "subjects",
            List.of(
                Map.of("kind", "User", "apiGroup", "rbac.authorization.k8s.io", "name", user))));
  }

  private Set<String> replicated(ResourceKey resource) {
    var names = new TreeSet<String>();
    replicas.list(ListScope.everywhere(resource)).items().forEach(it -> names.add(it.key().name()));
    return names;
  }

  private void awaitReplicas(ResourceKey resource, String... names) {
    await().untilAsserted(() -> assertThat(replicated(resource)).containsExactlyInAnyOrder(names));
  }

  private static Map<String, Object> rule(String verb, String group, String resource) {
    return Map.of(
        "verbs", List.of(verb), "apiGroups", List.of(group), "resources", List.of(resource));
  }

  @Test
  void copiesChangesAndDeletionsOfExports() {
    StoredObject export =
        create(KcpResources.EXPORTS, ONE, "e", Map.of("spec", Map.of("level", 1L)));
    awaitReplicas(KcpResources.EXPORTS, "e");
    StorageKey key = export.key();

    StoredObject changed = own.update(export, export.object().with(2L, "spec", "level"));
    await()
        .untilAsserted(() ->
            assertThat(replicas.get(key).orElseThrow().object().at("spec", "level")).isEqualTo(2L));
    assertThat(Replication.shardOf(replicas.get(key).orElseThrow().object())).isEqualTo("a");

    own.delete(changed, changed.object());
    awaitReplicas(KcpResources.EXPORTS);
  }

  @Test
  void sharesTheLogicalClusterOnceItHasAnExport() {
    StoredObject export = create(KcpResources.EXPORTS, ONE, "e", Map.of());
    awaitReplicas(KcpResources.LOGICAL_CLUSTERS, "cluster");

    own.delete(export, export.object());

    awaitReplicas(KcpResources.LOGICAL_CLUSTERS);
  }

  @Test
  void sharesTheRightsToBindToUseAndToEnter() {
    role("binds", rule("bind", "apis.kcp.io", "apiexports"));
    role("reads-content", rule("list", "apis.kcp.io", "apiexports/content"));
    role("uses", rule("use", "tenancy.kcp.io", "workspacetypes"));
    role("enters", Map.of("verbs", List.of("access"), "nonResourceURLs", List.of("/")));
    role("reads", rule("get", "", "configmaps"));
    binding("may-bind", "binds", "alice");
    binding("may-read", "reads", "alice");
    awaitReplicas(ReplicationRules.ROLES, "binds", "reads-content", "uses");
    awaitReplicas(KcpResources.ROLE_BINDINGS, "may-bind");

    create(KcpResources.EXPORTS, ONE, "e", Map.of());
    awaitReplicas(ReplicationRules.ROLES, "binds", "enters", "reads-content", "uses");

    binding("policy", "reads", "apis.kcp.io:binding:alice");
    awaitReplicas(ReplicationRules.ROLES, "binds", "enters", "reads", "reads-content", "uses");
    awaitReplicas(KcpResources.ROLE_BINDINGS, "may-bind", "policy");
  }

  @Test
  void sharesWhatIsAnnotated() {
    create(
        ReplicationRules.ROLES,
        ONE,
        "marked",
        Map.of("metadata", Map.of("annotations", Map.of("internal.kcp.io/replicate", "mine"))));

    awaitReplicas(ReplicationRules.ROLES, "marked");
  }

  @Test
  void keepsReplicasOfAShardThatIsDownAndCatchesUp() {
    StoredObject export = create(KcpResources.EXPORTS, ONE, "e", Map.of());
    awaitReplicas(KcpResources.EXPORTS, "e");

    replication.close();
    own.delete(export, export.object());
    assertThat(replicated(KcpResources.EXPORTS)).containsExactly("e");

    replication = Replication.start(own, "a", replicas, writers);
    awaitReplicas(KcpResources.EXPORTS);
  }

  @Test
  void leavesSystemClustersAndReplicasOfOtherShardsAlone() {
    replicas.create(
        new StorageKey(KcpResources.EXPORTS, ONE, "", "theirs"),
        KubeObject.of(Map.of("metadata", Map.of("name", "theirs")))
            .with("b", "metadata", "annotations", "kcp.io/shard"));

    create(KcpResources.EXPORTS, LogicalCluster.SYSTEM_ADMIN, "internal", Map.of());
    create(KcpResources.EXPORTS, ONE, "ours", Map.of());

    awaitReplicas(KcpResources.EXPORTS, "ours", "theirs");
  }
}
