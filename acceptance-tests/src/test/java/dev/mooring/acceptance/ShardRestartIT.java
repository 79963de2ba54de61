package dev.mooring.acceptance;

import static dev.mooring.acceptance.Objects.awaitGone;
import static dev.mooring.acceptance.Objects.awaitReady;
import static dev.mooring.acceptance.Objects.awaitSecret;
import static dev.mooring.acceptance.Objects.certificate;
import static dev.mooring.acceptance.Objects.copy;
import static dev.mooring.acceptance.Objects.delete;
import static dev.mooring.acceptance.Objects.deleteGuard;
import static dev.mooring.acceptance.Objects.find;
import static dev.mooring.acceptance.Objects.guard;
import static dev.mooring.acceptance.Objects.machine;
import static dev.mooring.acceptance.Objects.refusal;
import static dev.mooring.acceptance.Objects.vpc;
import static dev.mooring.runtime.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cli.demo.ClusterClient;
import dev.mooring.cli.demo.DemoEnvironment;
import dev.mooring.cli.demo.Kubectl;
import dev.mooring.cli.demo.Story;
import dev.mooring.cli.live.Types;
import dev.mooring.harness.HttpProbe;
import dev.mooring.harness.KcpChoice;
import dev.mooring.harness.Kubeconfig;
import dev.mooring.harness.Manifests;
import dev.mooring.harness.Program;
import dev.mooring.harness.Suite;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeFailure;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * All three services while a shard of kcp is killed and started again. The shard has one consumer,
 * and a provider whose rule protects objects of all consumers; the other providers and consumers
 * are on the shard {@code root}.
 */
@Tag("full")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ShardRestartIT {
  private static final String SHARD = "shard-1";
  private static final String UNSCHEDULABLE = "experimental.core.kcp.io/unschedulable";
  private static final String EXPORT_OF_RULES = "dependencies.opendefense.cloud";
  private static final String RULE = "volumes";

  private static Mooring.Started started;
  private static Suite suite;
  private static final ResourceType VOLUMES =
      new ResourceType("storage.example.corp", "v1", "volumes");

  private static Story story;
  private static Kubectl kubectl;
  private static DemoEnvironment stage;
  private static ClusterClient near;
  private static ClusterClient far;
  private static ClusterClient storage;

  @BeforeAll
  static void start() {
    started =
        new Mooring.Started(
            "shard-restart",
            new KcpChoice.Sandbox(2),
            environment -> annotateShard(environment, Map.of(UNSCHEDULABLE, "true")));
    suite = started.running().suite();
    story = started.running().story();
    kubectl = story.kubectl();
    stage = started.running().stage();
    annotateShard(stage, Collections.singletonMap(UNSCHEDULABLE, null));
    near = stage.blue();
    far = workspaceOnTheShard("team-far");
    storage = workspaceOnTheShard("storage");
    story.grant(storage);
    story.bind(storage, stage.dependencies(), EXPORT_OF_RULES);
    kubectl.create(
        storage, "storage-apis.yaml", Manifests.ofResource("/demo/storage-apis.yaml", Map.of()));
    kubectl.create(
        storage,
        "rule-volumes.yaml",
        List.of(ruleOfVolumes(RULE, "machine", stage.compute(), Types.VIRTUAL_MACHINES)));
    for (ClusterClient provider : List.of(stage.certificates(), stage.network(), stage.compute())) {
      bind(far, provider);
    }
    bind(near, storage);
    bind(far, storage);
  }

  @AfterAll
  static void stop() {
    started.close();
  }

  private static void annotateShard(DemoEnvironment environment, Map<String, ?> annotations) {
    environment
        .parent()
        .client()
        .patch(Types.SHARDS, "", SHARD, Map.of("metadata", Map.of("annotations", annotations)));
  }

  private static ClusterClient workspaceOnTheShard(String name) {
    kubectl.create(
        stage.orgPlace(),
        "workspace-" + name + ".yaml",
        List.of(
            Manifests.ofResource("/demo/workspace.yaml", Map.of("name", name))
                .getFirst()
                .with(
                    Map.of("matchLabels", Map.of("name", SHARD)), "spec", "location", "selector")));
    kubectl.await(
        stage.orgPlace().ref(Types.WORKSPACES, name),
        "is ready",
        workspace -> workspace.text("status", "phase").equals("Ready"),
        KubeObject::name);
    return stage.child(name);
  }

  private static void bind(ClusterClient consumer, ClusterClient provider) {
    story.bind(consumer, provider, provider.name() + ".example.corp");
  }

  /**
   * @param field of a volume's spec
   * @param provider of the target, whose export has the name of the target's group
   */
  private static KubeObject ruleOfVolumes(
      String name, String field, ClusterClient provider, ResourceType target) {
    return KubeObject.of(Types.DEPENDENCY_RULES, "DependencyRule", "", name)
        .with(
            Map.of(
                "dependent",
                Map.of(
                    "apiExportName", VOLUMES.group(),
                    "group", VOLUMES.group(),
                    "version", VOLUMES.version(),
                    "kind", "Volume",
                    "resource", VOLUMES.resource()),
                "dependencies",
                List.of(
                    Map.of(
                        "apiExportRef",
                        Map.of(
                            "path", stage.org().child(provider.name()).value(),
                            "name", target.group()),
                        "group",
                        target.group(),
                        "version",
                        target.version(),
                        "resource",
                        target.resource(),
                        "fieldRef",
                        Map.of("path", ".spec." + field)))),
            "spec");
  }

  @Test
  @Order(1)
  void goOnForOtherConsumersAndCatchUpOnceItIsBack() {
    for (ClusterClient consumer : List.of(near, far)) {
      consumer.client().create(Types.CERTIFICATES, certificate("kept", "old.example.org"));
      consumer.client().create(Types.VPCS, vpc("used"));
      consumer
          .client()
          .create(
              VOLUMES,
              KubeObject.of(VOLUMES, "Volume", "default", "disk")
                  .with(Map.of("machine", "user", "network", "attached"), "spec"));
      await("both rules are in force for " + consumer.name())
          .untilAsserted(() -> {
            if (find(consumer, Types.VIRTUAL_MACHINES, "user").isEmpty()) {
              consumer.client().create(Types.VIRTUAL_MACHINES, machine("user", "used"));
            }
            assertProtected(consumer);
          });
    }
    awaitReady(near, "kept");
    KubeObject source = awaitReady(far, "kept");
    KubeObject before = copy(stage.serviceCluster(), source).orElseThrow();
    String secretBefore = awaitSecret(far, "kept-tls").uid();

    killed(SHARD);

    near.client().create(Types.CERTIFICATES, certificate("meanwhile", "a.example.org"));
    awaitReady(near, "meanwhile");
    near.client().create(Types.VPCS, vpc("unused"));
    assertProtected(near);
    delete(near, Types.VPCS, "unused");
    awaitGone(near, Types.VPCS, "unused");
    for (ClusterClient provider : List.of(stage.network(), stage.compute())) {
      deleteGuard(provider);
    }
    await("the controller installs the webhooks again, by the shard's rule too")
        .until(() -> guard(stage.network()).isPresent() && guardsMachines());
    assertProtected(near);
    assertThat(copy(stage.serviceCluster(), source)).map(KubeObject::uid).contains(before.uid());
    suite.requireAllAlive();

    killed();

    await("the webhook protects the consumers of the shard again")
        .ignoreExceptionsMatching(KubeFailure.class::isInstance)
        .untilAsserted(() -> assertProtected(far));
    assertProtected(near);
    far.client()
        .patch(
            Types.CERTIFICATES,
            "default",
            "kept",
            Map.of("spec", Map.of("dnsNames", List.of("new.example.org"))));
    await()
        .untilAsserted(() ->
            assertThat(copy(stage.serviceCluster(), source).orElseThrow().list("spec", "dnsNames"))
                .containsExactly("new.example.org"));
    assertThat(copy(stage.serviceCluster(), source)).map(KubeObject::uid).contains(before.uid());
    assertThat(find(far, Types.SECRETS, "kept-tls")).map(KubeObject::uid).contains(secretBefore);
    far.client().create(Types.CERTIFICATES, certificate("afterwards", "a.example.org"));
    awaitReady(far, "afterwards");
    storage
        .client()
        .create(
            Types.DEPENDENCY_RULES,
            ruleOfVolumes("volumes-in-networks", "network", stage.network(), Types.VPCS));
    await("the webhook learns of a new rule of the shard")
        .untilAsserted(() -> {
          if (find(far, Types.VPCS, "attached").isEmpty()) {
            far.client().create(Types.VPCS, vpc("attached"));
          }
          assertThat(refusal(far, Types.VPCS, "attached"))
              .hasMessageEndingWith("still referenced by Volume/disk");
        });
    storage.client().delete(Types.DEPENDENCY_RULES, "", RULE, new DeleteCondition.Unconditional());
    await("the controller removes what the shard's rule needed").until(() -> !guardsMachines());
    for (ClusterClient consumer : List.of(near, far)) {
      delete(consumer, Types.VIRTUAL_MACHINES, "user");
      await("the VPC may go from " + consumer.name())
          .ignoreExceptionsMatching(KubeFailure.class::isInstance)
          .until(() -> deleted(consumer, Types.VPCS, "used"));
    }
    for (Program service :
        List.of(Program.SYNC_AGENT, Program.DEPENDENCY_CONTROLLER, Program.DEPENDENCY_WEBHOOK)) {
      suite.awaitReady(service);
    }
  }

  @Test
  @Order(2)
  void aWebhookThatStartsMeanwhileDeniesUntilItHasTheRulesOfTheShard() {
    near.client().create(Types.VPCS, vpc("unknown"));
    killed(SHARD);

    suite.service(Program.DEPENDENCY_WEBHOOK).kill();
    suite.relaunch(Program.DEPENDENCY_WEBHOOK);
    suite.awaitAlive(Program.DEPENDENCY_WEBHOOK);

    assertThat(refusal(near, Types.VPCS, "unknown"))
        .hasMessageContaining("dependency webhook not yet initialized, retry later");
    killed();
    await("a VPC without dependents can be deleted again")
        .ignoreExceptionsMatching(KubeFailure.class::isInstance)
        .until(() -> deleted(near, Types.VPCS, "unknown"));
    suite.awaitReady(Program.DEPENDENCY_WEBHOOK);
  }

  /** Kills the named shards and starts all others, as an administrator of the sandbox may. */
  private static void killed(String... shards) {
    Kubeconfig root = Kubeconfig.read(stage.parent().kubeconfig());
    try (HttpClient client =
        HttpClient.newBuilder()
            .sslContext(HttpProbe.contextsTrusting(root.authorities().orElseThrow()).get())
            .build()) {
      var request =
          HttpRequest.newBuilder(URI.create(root.server() + "/faults"))
              .header("Authorization", "Bearer " + root.user().get("token"))
              .PUT(HttpRequest.BodyPublishers.ofString("down: " + List.of(shards)))
              .build();
      assertThat(client.send(request, HttpResponse.BodyHandlers.ofString()).statusCode())
          .isEqualTo(200);
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void assertProtected(ClusterClient consumer) {
    assertThat(refusal(consumer, Types.VIRTUAL_MACHINES, "user"))
        .hasMessageEndingWith("still referenced by Volume/disk");
    assertThat(refusal(consumer, Types.VPCS, "used"))
        .hasMessageEndingWith("still referenced by VirtualMachine/user");
  }

  private static boolean deleted(ClusterClient consumer, ResourceType type, String name) {
    if (find(consumer, type, name).isPresent()) {
      delete(consumer, type, name);
    }
    return find(consumer, type, name).isEmpty();
  }

  private static boolean guardsMachines() {
    return guard(stage.compute()).stream()
        .flatMap(found -> found.list("webhooks").stream())
        .flatMap(webhook -> Trees.listOrEmpty(Trees.at(webhook, "rules")).stream())
        .anyMatch(rule ->
            Trees.listOrEmpty(Trees.at(rule, "resources"))
                .contains(Types.VIRTUAL_MACHINES.resource()));
  }
}
