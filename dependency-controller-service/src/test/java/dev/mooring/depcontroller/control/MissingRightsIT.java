package dev.mooring.depcontroller.control;

import static dev.mooring.runtime.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depcontroller.guard.decide.GuardSettings;
import dev.mooring.depcontroller.guard.decide.GuardSettings.FailurePolicy;
import dev.mooring.depcontroller.guard.decide.Installation.Blocked;
import dev.mooring.depcontroller.guard.decide.Installation.Cause;
import dev.mooring.depcontroller.workspace.WorkspaceAccess;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.credentials.ConnectionOptions;
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.runtime.export.ExportListener;
import dev.mooring.runtime.export.ExportState;
import dev.mooring.runtime.export.ExportTerms;
import dev.mooring.runtime.export.ExportView;
import dev.mooring.runtime.testing.TestSandbox;
import dev.mooring.runtime.testing.TestWorkspaces;
import dev.mooring.runtime.time.SystemTime;
import dev.mooring.runtime.watch.Change;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each service with the shipped rights in the dependency workspace but one. */
class MissingRightsIT {
  private static final ResourceType CLUSTER_ROLES =
      new ResourceType("rbac.authorization.k8s.io", "v1", "clusterroles");
  private static final ResourceType BINDINGS =
      new ResourceType("apis.kcp.io", "v1alpha2", "apibindings");
  private static final String EXPORT = "dependencies.opendefense.cloud";

  @TempDir static Path directory;

  private static TestSandbox sandbox;
  private static TestWorkspaces workspaces;
  private static ControllerEnvironments grounds;

  private ControllerEnvironment ground;

  @BeforeAll
  static void starts() {
    sandbox = TestSandbox.start(directory.resolve("kcp"));
    workspaces = TestWorkspaces.on(sandbox.kcp());
    workspaces.create(
        WorkspacePath.ROOT, ControllerEnvironment.KCP.resolve("rbac-parent-workspace.yaml"));
    grounds = ControllerEnvironments.ahead(workspaces, 9);
  }

  @AfterAll
  static void stops() {
    workspaces.close();
    sandbox.close();
  }

  @BeforeEach
  void prepares() {
    ground = grounds.next();
    for (WorkspacePath provider : List.of(ground.network(), ground.compute())) {
      workspaces.create(
          provider, ControllerEnvironment.KCP.resolve("rbac-provider-workspace.yaml"));
    }
    ground.writeRule("vpcs");
  }

  @Test
  void aControllerThatMayNotWriteThroughTheExportDoesNotBlameTheProvider() {
    grant("dependency-protection-controller", "patch", "update", "delete");
    try (var kcp = connect("dependency-controller");
        var controller = controller(kcp)) {
      await()
          .untilAsserted(() ->
              assertThat(ground.condition("WebhooksInstalled"))
                  .hasValueSatisfying(condition -> {
                    assertThat(Trees.at(condition, "status")).isEqualTo("False");
                    assertThat(Trees.at(condition, "reason")).isEqualTo("ContentForbidden");
                    assertThat(Trees.textOrEmpty(Trees.at(condition, "message")))
                        .contains(
                            "let this service's user get, create, update and delete"
                                + " apiexports/content of APIExport dependencies.opendefense.cloud"
                                + " in ",
                            dependencyWorkspace(),
                            "cannot create resource \"validatingwebhookconfigurations\"");
                  }));

      grant("dependency-protection-controller", "*");
      controller.resync();

      await().until(() -> ground.guardsOnly("vpcs"));
    }
  }

  /** It may not write the rules' statuses either: what is left is the status of the service. */
  @Test
  void aControllerWithTheWebhooksRightsSaysWhatItLacks() {
    grant("dependency-protection-controller");
    try (var kcp = connect("dependency-controller");
        var controller = controller(kcp)) {
      await()
          .untilAsserted(() ->
              assertThat(
                      controller
                          .overview()
                          .installations()
                          .get(workspaces.cluster(ground.network())))
                  .isInstanceOfSatisfying(
                      Blocked.class,
                      blocked -> {
                        assertThat(blocked.cause()).isEqualTo(Cause.CONTENT_FORBIDDEN);
                        assertThat(blocked.message())
                            .contains("apiexports/content", dependencyWorkspace());
                      }));
    }
  }

  @Test
  void aProviderThatAcceptsTooFewVerbsIsNamed() {
    workspaces
        .client(ground.network())
        .patch(
            BINDINGS,
            "",
            EXPORT,
            Map.of(
                "spec",
                Map.of(
                    "permissionClaims",
                    List.of(
                        Map.of(
                            "group", "admissionregistration.k8s.io",
                            "resource", "validatingwebhookconfigurations",
                            "verbs", List.of("get", "list", "watch"),
                            "selector", Map.of("matchAll", true),
                            "state", "Accepted")))));
    try (var kcp = connect("dependency-controller");
        var _ = controller(kcp)) {
      await()
          .untilAsserted(() ->
              assertThat(ground.condition("WebhooksInstalled"))
                  .hasValueSatisfying(condition -> {
                    assertThat(Trees.at(condition, "reason")).isEqualTo("ClaimNotAccepted");
                    assertThat(Trees.textOrEmpty(Trees.at(condition, "message")))
                        .contains(
                            "the APIBinding in the provider's workspace " + ground.network(),
                            workspaces.cluster(ground.network()).name());
                  }));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"dependency-controller", "dependency-webhook"})
  void aServiceThatMayNotListThroughTheExportNamesTheRight(String service) {
    grant("dependency-protection-controller");
    grant("dependency-protection", "get", "watch");
    try (var kcp = connect(service);
        ExportView view = follow(kcp)) {
      await()
          .untilAsserted(() ->
              assertThat(view.state())
                  .isInstanceOfSatisfying(
                      ExportState.Waiting.class, state -> namesTheRight(state.reason())));

      grant("dependency-protection", "get", "list", "watch");

      await().until(() -> view.state() instanceof ExportState.Ready);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"dependency-controller", "dependency-webhook"})
  void aServiceThatMayNotWatchThroughTheExportNamesTheRightInItsStatus(String service) {
    grant("dependency-protection-controller");
    grant("dependency-protection", "get", "list");
    try (var kcp = connect(service);
        ExportView view = follow(kcp)) {
      await().untilAsserted(() -> namesTheRight(view.describe().toString()));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"dependency-controller", "dependency-webhook"})
  void aServiceThatMayNotListEndpointSlicesNamesTheRight(String service) {
    patch("dependency-protection", List.of(content("get", "list", "watch")));
    try (var kcp = connect(service);
        ExportView view = follow(kcp)) {
      await()
          .untilAsserted(() ->
              assertThat(view.state())
                  .isInstanceOfSatisfying(
                      ExportState.Waiting.class,
                      state ->
                          assertThat(state.reason())
                              .contains(
                                  "get, list and watch apiexportendpointslices.apis.kcp.io in "
                                      + dependencyWorkspace())));
    }
  }

  private void namesTheRight(String told) {
    assertThat(told)
        .contains(
            "let this service's user get, list and watch apiexports/content of APIExport"
                + " dependencies.opendefense.cloud in "
                + dependencyWorkspace());
  }

  private String dependencyWorkspace() {
    return workspaces.client(ground.dependencies()).url().toString();
  }

  /** These verbs on the export's content, and what a role has besides. */
  private void grant(String role, String... verbs) {
    patch(
        role,
        List.of(
            Map.of(
                "apiGroups", List.of("apis.kcp.io"),
                "resources", List.of("apiexportendpointslices"),
                "verbs", List.of("get", "list", "watch")),
            content(verbs)));
  }

  private static Map<String, Object> content(String... verbs) {
    return Map.of(
        "apiGroups",
        List.of("apis.kcp.io"),
        "resources",
        List.of("apiexports/content"),
        "resourceNames",
        List.of(EXPORT),
        "verbs",
        verbs.length == 0 ? List.of("none") : List.of(verbs));
  }

  private void patch(String role, List<Object> rules) {
    workspaces.client(ground.dependencies()).patch(CLUSTER_ROLES, "", role, Map.of("rules", rules));
  }

  private DependencyController controller(KubeConnection kcp) {
    var settings =
        new GuardSettings(
            "https://hook.example:9443/validate", "", FailurePolicy.FAIL, Duration.ofSeconds(10));
    return DependencyController.start(
        SystemTime.clocks(),
        new WorkspaceAccess(kcp, ""),
        EXPORT,
        () -> settings,
        4,
        ControllerEnvironment.TIMINGS,
        () -> true);
  }

  private KubeConnection connect(String service) {
    Path file = directory.resolve(service);
    workspaces.kubeconfigFor(ground.dependencies(), file, "mooring:" + service);
    return KubeConnection.fromKubeconfig(file, ConnectionOptions.of(service));
  }

  private static ExportView follow(KubeConnection kcp) {
    return ExportView.start(
        kcp,
        ExportTerms.of(EXPORT, DependencyRule.TYPE),
        new ExportListener() {
          @Override
          public void changed(ResourceType type, Change change) {}

          @Override
          public void stateChanged() {}
        });
  }
}
