package dev.mooring.depcontroller.control;

import static dev.mooring.runtime.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depcontroller.guard.decide.GuardSettings;
import dev.mooring.depcontroller.guard.decide.GuardSettings.FailurePolicy;
import dev.mooring.depcontroller.rules.decide.RuleProblem;
import dev.mooring.depcontroller.workspace.WorkspaceAccess;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.credentials.ConnectionOptions;
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.runtime.testing.TestSandbox;
import dev.mooring.runtime.testing.TestWorkspaces;
import dev.mooring.runtime.time.SystemTime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.assertj.core.api.AbstractStringAssert;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The controller as a user with the shipped rights, or those that the Go program has, but none in
 * workspaces of providers.
 */
class AuthorityUnknownIT {
  private static final ResourceType ROLES =
      new ResourceType("rbac.authorization.k8s.io", "v1", "clusterroles");

  /** What the Go program's manifests let it do with the content of the export. */
  private static final List<String> VERBS_OF_THE_GO_PROGRAM =
      List.of("get", "list", "watch", "create", "update", "delete");

  private static TestSandbox sandbox;
  private static TestWorkspaces workspaces;
  private static ControllerEnvironments grounds;

  @BeforeAll
  static void starts(@TempDir Path directory) {
    sandbox = TestSandbox.start(directory.resolve("kcp"));
    workspaces = TestWorkspaces.on(sandbox.kcp());
    workspaces.create(
        WorkspacePath.ROOT, ControllerEnvironment.KCP.resolve("rbac-parent-workspace.yaml"));
    grounds = ControllerEnvironments.ahead(workspaces, 5);
  }

  @AfterAll
  static void stops() {
    workspaces.close();
    sandbox.close();
  }

  @Test
  void countsARuleWhoseExportsItMayNotReadAndSaysSo(@TempDir Path files) {
    ControllerEnvironment ground = grounds.next();
    ground.writeRule("vpcs");
    try (var kcp = KubeConnection.fromKubeconfig(kubeconfig(ground, files), options());
        var controller = controller(kcp)) {
      await().until(() -> ground.guardsOnly("vpcs"));
      await()
          .untilAsserted(() ->
              assertThat(ground.condition("AuthorityUnknown"))
                  .hasValueSatisfying(condition -> {
                    assertThat(Trees.at(condition, "status")).isEqualTo("True");
                    assertThat(Trees.at(condition, "reason")).isEqualTo("Unreadable");
                    assertThat(Trees.textOrEmpty(Trees.at(condition, "message")))
                        .contains("let the controller's user get, list and watch")
                        .contains("until then the rule is in force here");
                  }));
      assertThat(controller.overview().ruleProblems())
          .hasEntrySatisfying(
              ruleOf(ground),
              ruleProblem -> assertThat(ruleProblem.kind()).isEqualTo(RuleProblem.Kind.UNKNOWN));

      for (WorkspacePath provider : List.of(ground.network(), ground.compute())) {
        workspaces.create(
            provider, ControllerEnvironment.KCP.resolve("rbac-provider-workspace.yaml"));
      }

      await().until(() -> ground.condition("AuthorityUnknown").isEmpty());
      assertThat(ground.guardsOnly("vpcs")).isTrue();
      assertThat(controller.overview().ruleProblems()).isEmpty();
    }
  }

  /** So that names that nobody has read before can be put right before they count. */
  @Test
  void tellsBeforeItMayWriteWhichRulesWillNotCount(@TempDir Path files) {
    ControllerEnvironment ground = grounds.next();
    ground.writeRule("vpcs");
    workspaces
        .client(ground.compute())
        .patch(
            DependencyRule.TYPE,
            "",
            ControllerEnvironment.RULE,
            Map.of("spec", Map.of("dependent", Map.of("apiExportName", "nosuch.example.com"))));
    for (WorkspacePath provider : List.of(ground.network(), ground.compute())) {
      workspaces.create(
          provider, ControllerEnvironment.KCP.resolve("rbac-provider-workspace.yaml"));
    }
    try (var kcp = KubeConnection.fromKubeconfig(kubeconfig(ground, files), options());
        var waiting = controller(kcp, () -> false)) {
      await()
          .untilAsserted(() ->
              assertThat(waiting.overview().ruleProblems())
                  .hasEntrySatisfying(
                      ruleOf(ground),
                      ruleProblem ->
                          assertThat(ruleProblem.reason()).isEqualTo("DependentExportNotFound")));
      assertThat(ground.configuration()).isEmpty();
    }
  }

  @Test
  void namesTheRuleThatMayBeAboutAProviderWhosePathItMayNotReadAndKeepsWhatIsThere(
      @TempDir Path files) {
    ControllerEnvironment ground = grounds.next();
    ground.writeRule("vpcs");
    try (var kcp = KubeConnection.fromKubeconfig(kubeconfig(ground, files), options());
        var controller = controller(kcp)) {
      await().until(() -> ground.guardsOnly("vpcs"));

      ground.editRule("vpcs", WorkspacePath.ROOT.child("nope").child("network"));

      ObjectKey rule = ruleOf(ground);
      await()
          .untilAsserted(() ->
              assertThat(controller.overview().shrinkBlockedBy())
                  .isEqualTo(
                      Map.of(workspaces.cluster(ground.network()), new TreeSet<>(Set.of(rule)))));
      assertThat(ground.guardsOnly("vpcs")).isTrue();

      workspaces.create(
          ground.network(), ControllerEnvironment.KCP.resolve("rbac-provider-workspace.yaml"));

      await().until(() -> ground.configuration().isEmpty());
      await().until(() -> controller.overview().shrinkBlockedBy().isEmpty());
    }
  }

  @Test
  void namesTheRightThatItLacksInAProvidersParent(@TempDir Path files) {
    ControllerEnvironment ground = grounds.next();
    WorkspacePath parent = ground.network();
    ground.writeRule("vpcs", parent.child("nested"));
    try (var kcp = KubeConnection.fromKubeconfig(kubeconfig(ground, files), options());
        var controller = controller(kcp)) {
      awaitProblemMessage(controller, ground, "WorkspaceUnreadable")
          .contains("the workspaces in " + parent + " cannot be listed")
          .contains(
              "in workspace "
                  + parent
                  + " let the controller's user get, list and watch workspaces.tenancy.kcp.io");

      workspaces.create(parent, ControllerEnvironment.KCP.resolve("rbac-parent-workspace.yaml"));

      awaitProblemMessage(controller, ground, "WorkspaceNotFound")
          .contains("create workspace nested in " + parent);
    }
  }

  @Test
  void tellsAuthorsWhatBecameOfTheirRulesWithTheRightsThatTheGoProgramHas(@TempDir Path files) {
    ControllerEnvironment ground = grounds.next();
    workspaces
        .client(ground.dependencies())
        .patch(
            ROLES,
            "",
            "dependency-protection-controller",
            Map.of(
                "rules",
                List.of(
                    Map.of(
                        "apiGroups", List.of("apis.kcp.io"),
                        "resources", List.of("apiexports/content"),
                        "resourceNames", List.of("dependencies.opendefense.cloud"),
                        "verbs", VERBS_OF_THE_GO_PROGRAM))));
    ground.writeRule("vpcs");
    try (var kcp = KubeConnection.fromKubeconfig(kubeconfig(ground, files), options());
        var _ = controller(kcp)) {
      await()
          .untilAsserted(() ->
              assertThat(ground.condition("TargetsResolved"))
                  .hasValueSatisfying(
                      condition -> assertThat(Trees.at(condition, "status")).isEqualTo("True")));
      assertThat(ground.guardsOnly("vpcs")).isTrue();
    }
  }

  /** The message that comes with it. */
  private static AbstractStringAssert<?> awaitProblemMessage(
      DependencyController controller, ControllerEnvironment ground, String reason) {
    await()
        .untilAsserted(() ->
            assertThat(controller.overview().ruleProblems())
                .hasEntrySatisfying(
                    ruleOf(ground),
                    ruleProblem -> assertThat(ruleProblem.reason()).isEqualTo(reason)));
    return assertThat(controller.overview().ruleProblems().get(ruleOf(ground)).message());
  }

  private static ObjectKey ruleOf(ControllerEnvironment ground) {
    return new ObjectKey(workspaces.cluster(ground.compute()), "", ControllerEnvironment.RULE);
  }

  private static DependencyController controller(KubeConnection kcp) {
    return controller(kcp, () -> true);
  }

  private static DependencyController controller(KubeConnection kcp, BooleanSupplier leads) {
    var settings =
        new GuardSettings(
            "https://hook.example:9443/validate", "", FailurePolicy.FAIL, Duration.ofSeconds(10));
    return DependencyController.start(
        SystemTime.clocks(),
        new WorkspaceAccess(kcp, ""),
        "dependencies.opendefense.cloud",
        () -> settings,
        4,
        ControllerEnvironment.TIMINGS,
        leads);
  }

  private static Path kubeconfig(ControllerEnvironment ground, Path files) {
    return workspaces.kubeconfigFor(
        ground.dependencies(), files.resolve("kubeconfig"), ControllerEnvironment.USER);
  }

  private static ConnectionOptions options() {
    return ConnectionOptions.of("dependency-controller");
  }
}
