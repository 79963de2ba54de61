package dev.mooring.acceptance;

import static dev.mooring.acceptance.Objects.awaitReady;
import static dev.mooring.acceptance.Objects.certificate;
import static dev.mooring.acceptance.Objects.machine;
import static dev.mooring.acceptance.Objects.refusal;
import static dev.mooring.acceptance.Objects.vpc;
import static dev.mooring.runtime.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mooring.cli.demo.ClusterClient;
import dev.mooring.cli.demo.DemoEnvironment;
import dev.mooring.cli.live.Types;
import dev.mooring.harness.Kubeconfig;
import dev.mooring.harness.Manifests;
import dev.mooring.harness.Program;
import dev.mooring.harness.ServiceUsers;
import dev.mooring.harness.Suite;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.ListQuery;
import dev.mooring.runtime.client.credentials.ConnectionOptions;
import dev.mooring.runtime.client.http.KubeConnection;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Services that log in by tokens of real ServiceAccounts of kcp: the sync agent by one of its
 * provider's workspace, the webhook by one of the dependency workspace, which has another name
 * everywhere else. The controller cannot: it reads Workspaces in other workspaces.
 */
@ExtendWith(Mooring.class)
@Tag("full")
class ServiceAccountIT {
  private static final String KCP = "charts/mooring/kcp/";
  private static final String NAMESPACE = "dependency-system";

  private final List<Runnable> takeBack = new ArrayList<>();
  private Suite suite;
  private DemoEnvironment stage;

  @BeforeEach
  void takePlaces(Mooring.Running running) {
    suite = running.suite();
    stage = running.stage();
    assumeTrue(!stage.shards().isEmpty(), "skipped: no administrator's credentials for shards");
    assumeTrue(
        stage.shards().size() == 1,
        "skipped: a ServiceAccount's token is known to its own shard only");
  }

  @AfterEach
  void takeBack() {
    takeBack.reversed().forEach(Runnable::run);
  }

  @Test
  void theAgentSyncsByAServiceAccountOfItsOwnWorkspace() {
    Path token = account(stage.certificates(), "default", "agent");
    grant(
        stage.certificates(),
        "rbac-agent-workspace.yaml",
        Program.SYNC_AGENT,
        "system:serviceaccount:default:agent");

    relaunch(Program.SYNC_AGENT, "--mooring.sync-agent.kcp-kubeconfig", token);

    stage.blue().client().create(Types.CERTIFICATES, certificate("by-account", "a.example.org"));
    awaitReady(stage.blue(), "by-account");
  }

  @Test
  void theWebhookRefusesByAServiceAccountWithItsGlobalNameOnTheShard() {
    Path token = account(stage.dependencies(), NAMESPACE, "webhook");
    grant(
        stage.dependencies(),
        "rbac-dependency-workspace.yaml",
        Program.DEPENDENCY_WEBHOOK,
        "system:serviceaccount:" + NAMESPACE + ":webhook");
    grantOnShard(globalName("dependencies", "webhook"));

    relaunch(Program.DEPENDENCY_WEBHOOK, "--mooring.dependency-webhook.kubeconfig", token);

    stage.blue().client().create(Types.VPCS, vpc("by-account"));
    stage.blue().client().create(Types.VIRTUAL_MACHINES, machine("by-account-1", "by-account"));
    await()
        .untilAsserted(() ->
            assertThat(refusal(stage.blue(), Types.VPCS, "by-account"))
                .hasMessageEndingWith("still referenced by VirtualMachine/by-account-1"));
  }

  /** The local name in system:admin is a ServiceAccount of the consumer's own, not this one. */
  @Test
  void aServiceAccountsLocalNameOnTheShardIsTheConsumersOwnAccount() {
    Path ours = account(stage.dependencies(), NAMESPACE, "local");
    Path theirs = account(stage.blue(), NAMESPACE, "local");
    grantOnShard("system:serviceaccount:" + NAMESPACE + ":local");

    await().until(() -> mayList(theirs, stage.blue(), Types.VIRTUAL_MACHINES));
    assertThat(mayList(ours, stage.blue(), Types.VIRTUAL_MACHINES)).isFalse();
    assertThat(mayList(theirs, stage.green(), Types.VIRTUAL_MACHINES)).isFalse();
  }

  @Test
  void noServiceAccountReadsWorkspacesOutsideItsOwn() {
    Path token = account(stage.dependencies(), NAMESPACE, "controller");
    String name = globalName("dependencies", "controller");
    grant(stage.orgPlace(), "rbac-parent-workspace.yaml", Program.DEPENDENCY_CONTROLLER, name);
    grant(stage.orgPlace(), "rbac-provider-workspace.yaml", Program.DEPENDENCY_CONTROLLER, name);

    await().until(() -> mayList(token, stage.orgPlace(), Types.API_EXPORTS));
    assertThat(mayList(token, stage.orgPlace(), Types.WORKSPACES)).isFalse();
  }

  private void relaunch(Program program, String option, Path kubeconfig) {
    String before = suite.argument(program, option);
    suite.service(program).close();
    suite.relaunch(program, Map.of(option, kubeconfig.toString()));
    takeBack.add(() -> {
      suite.service(program).close();
      suite.relaunch(program, Map.of(option, before));
      suite.awaitReady(program);
    });
    suite.awaitReady(program);
  }

  private static boolean mayList(Path kubeconfig, ClusterClient where, ResourceType type) {
    try (var connection =
        KubeConnection.fromKubeconfig(kubeconfig, ConnectionOptions.of("acceptance"))) {
      connection.client(where.client().url()).list(type, ListQuery.ALL);
      return true;
    } catch (KubeFailure failure) {
      assertThat(failure.kind()).isEqualTo(KubeFailure.Kind.FORBIDDEN);
      return false;
    }
  }

  /** A new ServiceAccount; the file of a kubeconfig with its token. */
  private Path account(ClusterClient cluster, String namespace, String name) {
    return Kubeconfig.read(cluster.kubeconfig())
        .withUser(Map.of("token", ServiceAccounts.token(cluster, namespace, name)))
        .write(suite.directory().resolve(cluster.name() + "-" + name + ".kubeconfig"));
  }

  private String globalName(String workspace, String name) {
    String cluster =
        stage
            .orgPlace()
            .client()
            .find(Types.WORKSPACES, "", workspace)
            .orElseThrow()
            .text("spec", "cluster");
    return "system:kcp:serviceaccount:" + cluster + ":" + NAMESPACE + ":" + name;
  }

  /** Grants the user what a shipped manifest grants the service; under names of its own. */
  private void grant(ClusterClient cluster, String file, Program service, String user) {
    grant(cluster, Manifests.ofFile(suite.layout().file(KCP + file)), service, user);
  }

  private void grant(
      ClusterClient cluster, List<KubeObject> manifest, Program service, String user) {
    for (KubeObject shipped : manifest) {
      boolean binding =
          shipped.list("subjects").stream()
              .anyMatch(
                  subject -> ServiceUsers.manifestName(service).equals(Trees.at(subject, "name")));
      if (!binding && !shipped.kind().endsWith("Role")) {
        continue;
      }
      KubeObject own = renamed(shipped, user);
      var type =
          new ResourceType(
              "rbac.authorization.k8s.io", "v1", own.kind().toLowerCase(Locale.ROOT) + "s");
      ServiceAccounts.ensure(cluster, type, own);
      takeBack.add(() ->
          cluster
              .client()
              .delete(type, own.namespace(), own.name(), new DeleteCondition.Unconditional()));
    }
  }

  private void grantOnShard(String user) {
    grant(
        stage.shards().getFirst(),
        Manifests.ofShard(
            suite.layout().file(KCP + "rbac-shard-system-admin.yaml"),
            List.of(Types.VIRTUAL_MACHINES.group())),
        Program.DEPENDENCY_WEBHOOK,
        user);
  }

  private KubeObject renamed(KubeObject shipped, String user) {
    String suffix = "-" + stage.org().name() + "-account";
    KubeObject own = shipped.with(shipped.name() + suffix, "metadata", "name");
    if (shipped.list("subjects").isEmpty()) {
      return own;
    }
    return own.with(shipped.text("roleRef", "name") + suffix, "roleRef", "name")
        .with(
            List.of(Map.of("kind", "User", "apiGroup", "rbac.authorization.k8s.io", "name", user)),
            "subjects");
  }
}
