package dev.mooring.depcontroller.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.depcontroller.guard.ProviderWorkspaceReconciler;
import dev.mooring.depcontroller.guard.decide.GuardSettings;
import dev.mooring.depcontroller.guard.decide.GuardSettings.Bypass;
import dev.mooring.depcontroller.guard.decide.GuardSettings.FailurePolicy;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.ConnectionOptions;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeConnection;
import dev.mooring.runtime.testing.Manifests;
import dev.mooring.runtime.testing.TestWorkspaces;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the controller makes of rules, on whatever kcp a subclass starts or finds. */
abstract class DependencyControllerContract {
  private static final Path KCP = Path.of("src/main/resources/kcp");
  private static final String EXPORT = "dependencies.opendefense.cloud";
  private static final Duration PATIENCE = TestWorkspaces.PATIENCE;

  @TempDir static Path files;

  private static TestWorkspaces workspaces;
  private static WorkspacePath dependencies;
  private static KubeConnection kcp;

  private volatile GuardSettings settings = settings("https://hook.example:9443/validate", "Q0E=");
  private DependencyController controller;
  private WorkspacePath network;
  private WorkspacePath compute;

  /** To be called before all tests. */
  static void enter(Path kubeconfig) {
    workspaces = TestWorkspaces.on(kubeconfig);
    dependencies = workspaces.create("dc-deps");
    workspaces.create(dependencies, KCP.resolve("apiresourceschema.yaml"));
    workspaces.create(dependencies, KCP.resolve("apiexport.yaml"));
    Path moved = workspaces.kubeconfigFor(dependencies, files.resolve("kubeconfig"));
    kcp = KubeConnection.fromKubeconfig(moved, ConnectionOptions.of("dependency-controller"));
  }

  @AfterAll
  static void leave() {
    if (workspaces != null) {
      kcp.close();
      workspaces.close();
      workspaces = null;
    }
  }

  @BeforeEach
  void start() {
    network = workspaces.create("dc-network");
    compute = workspaces.create("dc-compute");
    bind(compute);
    controller = controller();
  }

  @AfterEach
  void stop() {
    controller.close();
  }

  @Test
  void installsWhatARuleProtectsEvenIfTheProviderBindsLater() {
    write(rule("vm", "vpcs", "subnets"));
    awaitCondition("vm", "WebhooksInstalled", "False", "ProviderNotBound");

    bind(network);

    awaitProtected("subnets", "vpcs");
    awaitCondition("vm", "Ready", "True", "Protected");
  }

  @Test
  void stopsInterceptingWhatARuleNoLongerNames() {
    bind(network);
    write(rule("vm", "vpcs", "subnets"));
    awaitProtected("subnets", "vpcs");

    edit("vm", rule("vm", "subnets"));

    awaitProtected("subnets");
  }

  @Test
  void unitesRulesAndKeepsWhatTheOthersSayWhenOneGoes() {
    bind(network);
    write(rule("vm", "vpcs"));
    write(rule("lb", "vpcs", "subnets"));
    awaitProtected("subnets", "vpcs");

    delete("lb");

    awaitProtected("vpcs");
  }

  @Test
  void removesWhatRulesLeftThatWentWhileItWasAway() {
    bind(network);
    write(rule("vm", "vpcs"));
    awaitProtected("vpcs");
    controller.close();
    delete("vm");

    controller = controller();

    await().atMost(PATIENCE).until(() -> configuration().isEmpty());
  }

  @Test
  void writesNothingWhenItStartsAgain() {
    bind(network);
    write(rule("vm", "vpcs"));
    awaitProtected("vpcs");
    awaitCondition("vm", "Ready", "True", "Protected");
    String before = configuration().orElseThrow().resourceVersion();
    String status = found("vm").resourceVersion();
    controller.close();

    controller = controller();

    await()
        .atMost(PATIENCE)
        .until(() -> controller.overview().installations().size() > 0 && idle());
    assertThat(configuration().orElseThrow().resourceVersion()).isEqualTo(before);
    assertThat(found("vm").resourceVersion()).isEqualTo(status);
  }

  @Test
  void correctsTheUrlAndTheCaOfWhatIsInstalled() {
    bind(network);
    write(rule("vm", "vpcs"));
    awaitProtected("vpcs");

    settings = settings("https://other.example:9443/validate", "T1RIRVI=");
    controller.resync();

    await()
        .atMost(PATIENCE)
        .untilAsserted(() ->
            assertThat(
                    Trees.at(
                        configuration().orElseThrow().list("webhooks").getFirst(), "clientConfig"))
                .isEqualTo(
                    Map.of(
                        "url",
                        "https://other.example:9443/validate/" + workspaces.cluster(network),
                        "caBundle",
                        "T1RIRVI=")));
  }

  @Test
  void putsBackWhatSomebodyTookAway() {
    bind(network);
    write(rule("vm", "vpcs"));
    awaitProtected("vpcs");
    String first = configuration().orElseThrow().uid();

    workspaces
        .client(network)
        .delete(
            ProviderWorkspaceReconciler.CONFIGURATIONS,
            "",
            GuardSettings.CONFIGURATION,
            new DeleteCondition.SameObject(first));

    await()
        .atMost(PATIENCE)
        .until(
            () -> configuration().map(KubeObject::uid).filter(u -> !u.equals(first)).isPresent());
  }

  @Test
  void namesAWorkspaceThatDoesNotExist() {
    KubeObject rule =
        rule("typo", "vpcs")
            .with(
                List.of(dependency(WorkspacePath.ROOT.child("no-such-workspace"), "vpcs")),
                "spec",
                "dependencies");

    write(rule);

    awaitCondition("typo", "TargetsResolved", "False", "WorkspaceNotFound");
  }

  @Test
  void followsAWorkspaceThatWasDeletedAndMadeAgain() {
    bind(network);
    write(rule("vm", "vpcs"));
    awaitProtected("vpcs");

    workspaces.recreate(network);
    awaitCondition("vm", "WebhooksInstalled", "False", "ProviderNotBound");
    bind(network);

    awaitProtected("vpcs");
  }

  private DependencyController controller() {
    return DependencyController.start(
        kcp, EXPORT, () -> settings, 4, Duration.ofMinutes(10), () -> true);
  }

  private boolean idle() {
    var queue = controller.overview().queue();
    return queue.waiting() == 0 && queue.running() == 0 && queue.failing() == 0;
  }

  private void bind(WorkspacePath provider) {
    KubeObject binding = Manifests.read(KCP.resolve("provider-apibinding.yaml")).getFirst();
    workspaces.bind(
        provider, binding.with(dependencies.value(), "spec", "reference", "export", "path"));
  }

  private KubeObject rule(String name, String... resources) {
    var on = new ArrayList<Map<String, Object>>();
    for (String resource : resources) {
      on.add(dependency(network, resource));
    }
    return KubeObject.of(
        Map.of(
            "apiVersion", DependencyRule.TYPE.apiVersion(),
            "kind", DependencyRule.KIND,
            "metadata", Map.of("name", name),
            "spec",
                Map.of(
                    "dependent",
                    Map.of(
                        "apiExportName", "compute.example.com",
                        "group", "compute.example.com",
                        "version", "v1alpha1",
                        "kind", "VirtualMachine",
                        "resource", "virtualmachines"),
                    "dependencies",
                    on)));
  }

  private static Map<String, Object> dependency(WorkspacePath provider, String resource) {
    return Map.of(
        "apiExportRef",
        Map.of("path", provider.value(), "name", "network.example.com"),
        "group",
        "network.example.com",
        "version",
        "v1alpha1",
        "resource",
        resource,
        "fieldRef",
        Map.of("path", ".spec.ref.name"));
  }

  private void write(KubeObject rule) {
    workspaces.create(compute, DependencyRule.TYPE, rule);
  }

  private void edit(String name, KubeObject rule) {
    workspaces
        .client(compute)
        .patch(DependencyRule.TYPE, "", name, Map.of("spec", rule.map("spec")));
  }

  private void delete(String name) {
    workspaces
        .client(compute)
        .delete(DependencyRule.TYPE, "", name, new DeleteCondition.Unconditional());
  }

  private KubeObject found(String rule) {
    return workspaces.client(compute).find(DependencyRule.TYPE, "", rule).orElseThrow();
  }

  private Optional<KubeObject> configuration() {
    return workspaces
        .client(network)
        .find(ProviderWorkspaceReconciler.CONFIGURATIONS, "", GuardSettings.CONFIGURATION);
  }

  private void awaitProtected(String... resources) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(protectedNow()).containsExactly(resources));
  }

  private TreeSet<String> protectedNow() {
    var resources = new TreeSet<String>();
    for (Object webhook : configuration().map(c -> c.list("webhooks")).orElse(List.of())) {
      for (Object rule : Trees.listOrEmpty(Trees.at(webhook, "rules"))) {
        Trees.listOrEmpty(Trees.at(rule, "resources"))
            .forEach(resource -> resources.add((String) resource));
      }
    }
    return resources;
  }

  private void awaitCondition(String rule, String type, String status, String reason) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(() ->
            assertThat(found(rule).list("status", "conditions"))
                .anySatisfy(condition -> {
                  assertThat(Trees.at(condition, "type")).isEqualTo(type);
                  assertThat(Trees.at(condition, "status")).isEqualTo(status);
                  assertThat(Trees.at(condition, "reason")).isEqualTo(reason);
                }));
  }

  private static GuardSettings settings(String url, String ca) {
    return new GuardSettings(
        url, ca, FailurePolicy.IGNORE, Duration.ofSeconds(10), Bypass.ANNOTATION);
  }
}
