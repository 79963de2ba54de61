package dev.mooring.depcontroller.control;

import static dev.mooring.runtime.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depcontroller.guard.decide.Installation.Blocked;
import dev.mooring.depcontroller.guard.decide.Installation.Cause;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.runtime.export.ExportListener;
import dev.mooring.runtime.export.ExportState;
import dev.mooring.runtime.export.ExportView;
import dev.mooring.runtime.export.ExportWatchOptions;
import dev.mooring.runtime.testing.TestWorkspaces;
import dev.mooring.runtime.watch.Change;
import java.nio.file.Path;
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

  private static TestWorkspaces workspaces;
  private static ControllerEnvironments environments;

  private ControllerEnvironment env;

  @BeforeAll
  static void starts(@TempDir Path directory) {
    workspaces = TestWorkspaces.onSandbox(directory);
    workspaces.create(
        WorkspacePath.ROOT, ControllerEnvironment.KCP.resolve("rbac-parent-workspace.yaml"));
    environments = ControllerEnvironments.ahead(workspaces, 9);
  }

  @AfterAll
  static void stops() {
    workspaces.close();
  }

  @BeforeEach
  void prepares() {
    env = environments.next();
    env.grantInProviders();
    env.writeRule("vpcs");
  }

  @Test
  void aControllerThatMayNotWriteThroughTheExportDoesNotBlameTheProvider() {
    grant("dependency-protection-controller", "patch", "update", "delete");
    try (var kcp = connect("dependency-controller");
        var controller = ControllerEnvironment.controller(kcp)) {
      env.awaitCondition(
          "WebhooksInstalled",
          "False",
          "ContentForbidden",
          "let this service's user get, create, update and delete apiexports/content of APIExport"
              + " dependencies.opendefense.cloud in ",
          dependencyWorkspace(),
          "cannot create resource \"validatingwebhookconfigurations\"");

      grant("dependency-protection-controller", "*");
      controller.resync();

      await().until(() -> env.guardsOnly("vpcs"));
    }
  }

  /** It may not write the rules' statuses either: what is left is the status of the service. */
  @Test
  void aControllerWithTheWebhooksRightsSaysWhatItLacks() {
    grant("dependency-protection-controller");
    try (var kcp = connect("dependency-controller");
        var controller = ControllerEnvironment.controller(kcp)) {
      await()
          .untilAsserted(() ->
              assertThat(
                      controller.overview().installations().get(workspaces.cluster(env.network())))
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
    workspaces.patch(
        env.network(),
        BINDINGS,
        "",
        ControllerEnvironment.EXPORT,
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
        var _ = ControllerEnvironment.controller(kcp)) {
      env.awaitCondition(
          "WebhooksInstalled",
          "False",
          "ClaimNotAccepted",
          "the APIBinding in the provider's workspace " + env.network(),
          workspaces.cluster(env.network()).name());
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

  private void namesTheRight(String message) {
    assertThat(message)
        .contains(
            "let this service's user get, list and watch apiexports/content of APIExport"
                + " dependencies.opendefense.cloud in "
                + dependencyWorkspace());
  }

  private String dependencyWorkspace() {
    return workspaces.client(env.dependencies()).url().toString();
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
        List.of(ControllerEnvironment.EXPORT),
        "verbs",
        verbs.length == 0 ? List.of("none") : List.of(verbs));
  }

  private void patch(String role, List<Object> rules) {
    workspaces.patch(env.dependencies(), CLUSTER_ROLES, "", role, Map.of("rules", rules));
  }

  private KubeConnection connect(String service) {
    return workspaces.connect(env.dependencies(), "mooring:" + service);
  }

  private static ExportView follow(KubeConnection kcp) {
    return ExportView.of(
            kcp,
            ExportWatchOptions.of(ControllerEnvironment.EXPORT, DependencyRule.TYPE),
            new ExportListener() {
              @Override
              public void changed(ResourceType type, Change change) {}

              @Override
              public void stateChanged() {}
            })
        .start();
  }
}
