package dev.mooring.depcontroller.control;

import static dev.mooring.runtime.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depcontroller.rules.decide.RuleProblem;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.runtime.testing.TestWorkspaces;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
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

  private static TestWorkspaces workspaces;
  private static ControllerEnvironments environments;

  @BeforeAll
  static void starts(@TempDir Path directory) {
    workspaces = TestWorkspaces.onSandbox(directory);
    workspaces.create(
        WorkspacePath.ROOT, ControllerEnvironment.KCP.resolve("rbac-parent-workspace.yaml"));
    environments = ControllerEnvironments.ahead(workspaces, 5);
  }

  @AfterAll
  static void stops() {
    workspaces.close();
  }

  @Test
  void countsARuleWhoseExportsItMayNotReadAndSaysSo() {
    ControllerEnvironment env = environments.next();
    env.writeRule("vpcs");
    try (var kcp = env.connect();
        var controller = ControllerEnvironment.controller(kcp)) {
      await().until(() -> env.guardsOnly("vpcs"));
      env.awaitCondition(
          "AuthorityUnknown",
          "True",
          "Unreadable",
          "let the controller's user get, list and watch",
          "until then the rule is in force here");
      assertThat(controller.overview().ruleProblems())
          .hasEntrySatisfying(
              ruleOf(env),
              ruleProblem -> assertThat(ruleProblem.kind()).isEqualTo(RuleProblem.Kind.UNKNOWN));

      env.grantInProviders();

      await().until(() -> env.condition("AuthorityUnknown").isEmpty());
      assertThat(env.guardsOnly("vpcs")).isTrue();
      assertThat(controller.overview().ruleProblems()).isEmpty();
    }
  }

  /** So that names that nobody has read before can be put right before they count. */
  @Test
  void tellsBeforeItMayWriteWhichRulesWillNotCount() {
    ControllerEnvironment env = environments.next();
    env.writeRule("vpcs");
    workspaces.patch(
        env.compute(),
        DependencyRule.TYPE,
        "",
        ControllerEnvironment.RULE,
        Map.of("spec", Map.of("dependent", Map.of("apiExportName", "nosuch.example.com"))));
    env.grantInProviders();
    try (var kcp = env.connect();
        var waiting =
            ControllerEnvironment.controller(
                kcp, () -> ControllerEnvironment.SETTINGS, () -> false)) {
      await()
          .untilAsserted(() ->
              assertThat(waiting.overview().ruleProblems())
                  .hasEntrySatisfying(
                      ruleOf(env),
                      ruleProblem ->
                          assertThat(ruleProblem.reason()).isEqualTo("DependentExportNotFound")));
      assertThat(env.configuration()).isEmpty();
    }
  }

  @Test
  void namesTheRuleThatMayBeAboutAProviderWhosePathItMayNotReadAndKeepsWhatIsThere() {
    ControllerEnvironment env = environments.next();
    env.writeRule("vpcs");
    try (var kcp = env.connect();
        var controller = ControllerEnvironment.controller(kcp)) {
      await().until(() -> env.guardsOnly("vpcs"));

      env.editRule("vpcs", WorkspacePath.ROOT.child("nope").child("network"));

      ObjectKey rule = ruleOf(env);
      await()
          .untilAsserted(() ->
              assertThat(controller.overview().shrinkBlockedBy())
                  .isEqualTo(
                      Map.of(workspaces.cluster(env.network()), new TreeSet<>(Set.of(rule)))));
      assertThat(env.guardsOnly("vpcs")).isTrue();

      workspaces.create(
          env.network(), ControllerEnvironment.KCP.resolve("rbac-provider-workspace.yaml"));

      await().until(() -> env.configuration().isEmpty());
      await().until(() -> controller.overview().shrinkBlockedBy().isEmpty());
    }
  }

  @Test
  void namesTheRightThatItLacksInAProvidersParent() {
    ControllerEnvironment env = environments.next();
    WorkspacePath parent = env.network();
    env.writeRule("vpcs", parent.child("nested"));
    try (var kcp = env.connect();
        var controller = ControllerEnvironment.controller(kcp)) {
      awaitProblemMessage(controller, env, "WorkspaceUnreadable")
          .contains("the workspaces in " + parent + " cannot be listed")
          .contains(
              "in workspace "
                  + parent
                  + " let the controller's user get, list and watch workspaces.tenancy.kcp.io");

      workspaces.create(parent, ControllerEnvironment.KCP.resolve("rbac-parent-workspace.yaml"));

      awaitProblemMessage(controller, env, "WorkspaceNotFound")
          .contains("create workspace nested in " + parent);
    }
  }

  @Test
  void tellsAuthorsWhatBecameOfTheirRulesWithTheRightsThatTheGoProgramHas() {
    ControllerEnvironment env = environments.next();
    workspaces.patch(
        env.dependencies(),
        ROLES,
        "",
        "dependency-protection-controller",
        Map.of(
            "rules",
            List.of(
                Map.of(
                    "apiGroups", List.of("apis.kcp.io"),
                    "resources", List.of("apiexports/content"),
                    "resourceNames", List.of(ControllerEnvironment.EXPORT),
                    "verbs", VERBS_OF_THE_GO_PROGRAM))));
    env.writeRule("vpcs");
    try (var kcp = env.connect();
        var _ = ControllerEnvironment.controller(kcp)) {
      env.awaitCondition("TargetsResolved", "True", "Resolved");
      assertThat(env.guardsOnly("vpcs")).isTrue();
    }
  }

  /** The message that comes with it. */
  private static AbstractStringAssert<?> awaitProblemMessage(
      DependencyController controller, ControllerEnvironment env, String reason) {
    await()
        .untilAsserted(() ->
            assertThat(controller.overview().ruleProblems())
                .hasEntrySatisfying(
                    ruleOf(env),
                    ruleProblem -> assertThat(ruleProblem.reason()).isEqualTo(reason)));
    return assertThat(controller.overview().ruleProblems().get(ruleOf(env)).message());
  }

  private static ObjectKey ruleOf(ControllerEnvironment env) {
    return new ObjectKey(workspaces.cluster(env.compute()), "", ControllerEnvironment.RULE);
  }
}
