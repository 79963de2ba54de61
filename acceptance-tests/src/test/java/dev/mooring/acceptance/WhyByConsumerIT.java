package dev.mooring.acceptance;

import static dev.mooring.acceptance.Objects.awaitReady;
import static dev.mooring.acceptance.Objects.certificate;
import static dev.mooring.acceptance.Objects.machine;
import static dev.mooring.acceptance.Objects.vpc;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.cli.demo.ClusterClient;
import dev.mooring.cli.live.Types;
import dev.mooring.harness.Kubeconfig;
import dev.mooring.harness.Manifests;
import dev.mooring.harness.Program;
import dev.mooring.harness.Suite;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code mooring why} for consumers who may little: ServiceAccounts of their own workspace, by real
 * tokens, and services that want a token as well. Runs after {@link LeastPrivilegeIT}, as {@link
 * WhyIT}.
 */
@Tag("full")
@ExtendWith(Mooring.class)
@Order(Integer.MAX_VALUE)
class WhyByConsumerIT {
  private Suite suite;
  private ClusterClient blue;
  private ClusterClient dependencies;
  private ClusterClient service;

  @TempDir private Path directory;

  @BeforeEach
  void take(Mooring.Running running) {
    suite = running.suite();
    blue = running.stage().blue();
    dependencies = running.stage().dependencies();
    service = running.stage().serviceCluster();
  }

  @Test
  void namesTheCauseOfWhatIsNotSyncedToOneWhoMayReadTheObjectAlone() {
    blue.client()
        .create(
            Types.CERTIFICATES,
            certificate("few-rights", "a.example.org")
                .with("true", "metadata", "annotations", "syncagent.kcp.io/paused"));
    Path reader = consumer("reader", Map.of("certificates.example.corp/certificates", "get"));

    KubeObject answer =
        Why.answers(
            "syncing is paused for the object", "Paused", reader, "certificate", "few-rights");

    assertThat(Trees.texts(answer.at("not read")))
        .anySatisfy(line ->
            assertThat(line).startsWith("the workspace's APIBindings: ").contains("cannot list"))
        .anySatisfy(
            line -> assertThat(line).startsWith("the object's Events: ").contains("cannot list"));
  }

  @Test
  void namesTheRefusalOfADeletionToOneWhoMayDeleteTheObjectAlone() {
    blue.client().create(Types.VPCS, vpc("few-rights"));
    blue.client().create(Types.VIRTUAL_MACHINES, machine("few-rights-user", "few-rights"));
    Path deleter = consumer("deleter", Map.of("network.example.corp/vpcs", "get,delete"));

    KubeObject answer =
        Why.answers(
            "a deletion is refused", "Referenced", deleter, "vpc", "few-rights", "--deletion");

    assertThat(Trees.texts(answer.at("cause", "evidence")))
        .as("the webhook names no machine to one who may not list machines")
        .containsExactly(
            "cannot delete vpcs/few-rights: still referenced by 1 object that is not shown to you");
    assertThat(answer.text("cause", "fix"))
        .contains("you may not; ask a user who may patch the object");
    assertThat(answer.at("rule")).as("no rule of a provider is shown").isEqualTo(List.of());
  }

  @Test
  void saysThatTheCallerMayNotDelete() {
    blue.client().create(Types.VPCS, vpc("not-mine"));
    Path reader = consumer("looker", Map.of("network.example.corp/vpcs", "get"));

    KubeObject answer =
        Why.answers(
            "the caller may not delete the object",
            "NotPermitted",
            reader,
            "vpc",
            "not-mine",
            "--deletion");

    assertThat(Trees.texts(answer.at("cause", "evidence")).getFirst()).contains("cannot delete");
  }

  @Test
  void saysInOneLineThatTheCallerMayNotReadTheObject() {
    blue.client().create(Types.VPCS, vpc("not-seen"));
    Path stranger = consumer("stranger", Map.of());

    MooringRun run = Why.run(stranger, "vpc", "not-seen");

    assertThat(run.status()).isNotZero();
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains("cannot get").hasLineCount(1);
  }

  @Test
  void saysWhatAGuardedAgentWants() throws IOException {
    blue.client().create(Types.CERTIFICATES, certificate("guarded", "a.example.org"));
    awaitReady(blue, "guarded");
    Path reader = consumer("reader", Map.of("certificates.example.corp/certificates", "get"));
    Path operator = token(service, "why-operator");
    ServiceAccounts.makeOperator(service, "why-operator");

    withGuard(
        Program.SYNC_AGENT,
        "--mooring.sync-agent.endpoint-auth",
        () -> {
          String url = "--agent-url=http://127.0.0.1:" + suite.ports().agent();
          assertThat(unread(Why.ask(reader, "certificate", "guarded", url), "the sync agent"))
              .as("the consumer's token, which the service cluster does not know")
              .containsExactly("the sync agent: the cluster does not know this token");
          // It syncs again what it finds when it starts.
          await()
              .atMost(Duration.ofSeconds(60))
              .untilAsserted(() -> {
                KubeObject answer =
                    Why.ask(reader, "certificate", "guarded", url, "--token-file=" + operator);
                assertThat(unread(answer, "the sync agent")).isEmpty();
                assertThat(answer.text("state")).isEqualTo("synced");
              });
        });
  }

  @Test
  void saysWhatAGuardedWebhookWants() throws IOException {
    blue.client().create(Types.VPCS, vpc("guarded"));
    blue.client().create(Types.VIRTUAL_MACHINES, machine("guarded-user", "guarded"));
    Path deleter = consumer("deleter", Map.of("network.example.corp/vpcs", "get,delete"));
    Path operator = token(dependencies, "why-operator");
    ServiceAccounts.makeOperator(dependencies, "why-operator");
    Path namesake = token(blue, "why-operator");

    withGuard(
        Program.DEPENDENCY_WEBHOOK,
        "--mooring.dependency-webhook.endpoint-auth",
        () -> {
          String url = "--webhook-url=http://127.0.0.1:" + suite.ports().webhook();
          KubeObject answer = Why.ask(deleter, "vpc", "guarded", "--deletion", url);
          assertThat(answer.text("cause", "reason")).isEqualTo("Referenced");
          assertThat(unread(answer, "the dependency webhook"))
              .containsExactly(refused("why-deleter"));
          assertThat(
                  unread(
                      Why.ask(
                          deleter, "vpc", "guarded", "--deletion", url, "--token-file=" + namesake),
                      "the dependency webhook"))
              .as("a ServiceAccount of the same name in another workspace has no permission")
              .containsExactly(refused("why-operator"));
          assertThat(
                  Trees.texts(
                      Why.ask(
                              deleter,
                              "vpc",
                              "guarded",
                              "--deletion",
                              url,
                              "--token-file=" + operator)
                          .at("cause", "evidence")))
              .as("names what the webhook's operator may know")
              .anySatisfy(line ->
                  assertThat(line)
                      .startsWith("the dependency webhook: ")
                      .contains("VirtualMachine/guarded-user"));
        });
  }

  private static String refused(String account) {
    return "the dependency webhook: system:serviceaccount:default:"
        + account
        + " needs permission to get the nonResourceURL /actuator/blockers";
  }

  private static List<String> unread(KubeObject answer, String what) {
    return Trees.texts(answer.at("not read")).stream()
        .filter(line -> line.startsWith(what + ":"))
        .toList();
  }

  private void withGuard(Program program, String option, Runnable test) {
    suite.service(program).close();
    suite.relaunch(program, Map.of(option, "true"));
    try {
      suite.awaitReady(program);
      test.run();
    } finally {
      suite.service(program).close();
      suite.relaunch(program, Map.of(option, "false"));
      suite.awaitReady(program);
    }
  }

  /** Of a new ServiceAccount: the file with its token. */
  private Path token(ClusterClient cluster, String name) throws IOException {
    return Files.writeString(
        directory.resolve(cluster.name() + "-" + name + ".token"),
        ServiceAccounts.token(cluster, "default", name));
  }

  /**
   * A consumer of team-blue's workspace; the file of its kubeconfig.
   *
   * @param verbs it may in the whole workspace, separated by commas, by group/resource
   */
  private Path consumer(String name, Map<String, String> verbs) {
    String account = "why-" + name;
    var rules = new ArrayList<Object>();
    new TreeMap<>(verbs)
        .forEach((type, may) ->
            rules.add(
                Map.of(
                    "apiGroups", List.of(type.substring(0, type.indexOf('/'))),
                    "resources", List.of(type.substring(type.indexOf('/') + 1)),
                    "verbs", List.of(may.split(",")))));
    KubeObject role =
        KubeObject.of(
            Map.of(
                "apiVersion",
                "rbac.authorization.k8s.io/v1",
                "kind",
                "ClusterRole",
                "metadata",
                Map.of("name", account),
                "rules",
                rules));
    ServiceAccounts.ensure(blue, Manifests.typeOf(role), role);
    ServiceAccounts.bind(blue, account, account);
    return Kubeconfig.read(blue.kubeconfig())
        .withUser(Map.of("token", ServiceAccounts.token(blue, "default", account)))
        .write(directory.resolve(account + ".kubeconfig"));
  }
}
