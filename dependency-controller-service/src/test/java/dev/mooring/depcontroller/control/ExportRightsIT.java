package dev.mooring.depcontroller.control;

import static dev.mooring.runtime.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.mooring.depcontroller.guard.ProviderWorkspaceReconciler;
import dev.mooring.depcontroller.guard.decide.GuardSettings;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.runtime.export.ExportListener;
import dev.mooring.runtime.export.ExportState;
import dev.mooring.runtime.export.ExportView;
import dev.mooring.runtime.export.ExportWatchOptions;
import dev.mooring.runtime.testing.TestWorkspaces;
import dev.mooring.runtime.watch.Change;
import java.nio.file.Path;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the users of both services may do through the export, by the shipped manifests. */
class ExportRightsIT {
  private static final ResourceType CONFIGURATIONS = ProviderWorkspaceReconciler.CONFIGURATIONS;

  private static TestWorkspaces workspaces;

  @BeforeAll
  static void starts(@TempDir Path directory) {
    workspaces = TestWorkspaces.onSandbox(directory);
  }

  @AfterAll
  static void stops() {
    workspaces.close();
  }

  @Test
  void letTheWebhookReadThroughTheExportAndWriteNothing() {
    ControllerEnvironment env = ControllerEnvironment.prepare(workspaces);
    env.writeRule("vpcs");
    try (var controllers = connect(env, "dependency-controller");
        var webhooks = connect(env, "dependency-webhook");
        ExportView controller = follow(controllers);
        ExportView webhook = follow(webhooks)) {
      KubeClient rules = client(webhook, env.compute());
      KubeClient configurations = client(webhook, env.network());

      // What the one may not do is there to be done, as the other does it.
      client(controller, env.network()).create(CONFIGURATIONS, configuration());
      KubeObject rule =
          rules.find(DependencyRule.TYPE, "", ControllerEnvironment.RULE).orElseThrow();
      client(controller, env.compute())
          .update(DependencyRule.TYPE, rule.with("yes", "metadata", "labels", "touched"));

      KubeObject found =
          configurations.find(CONFIGURATIONS, "", GuardSettings.CONFIGURATION).orElseThrow();
      var always = new DeleteCondition.Unconditional();
      forbidden(
          () -> configurations.delete(CONFIGURATIONS, "", GuardSettings.CONFIGURATION, always));
      forbidden(() -> configurations.update(CONFIGURATIONS, found));
      forbidden(() -> rules.create(CONFIGURATIONS, configuration()));
      forbidden(() -> rules.patch(DependencyRule.TYPE, "", ControllerEnvironment.RULE, labelled()));
      forbidden(() ->
          rules.patchStatus(
              DependencyRule.TYPE, "", ControllerEnvironment.RULE, Map.of("status", Map.of())));
      forbidden(() -> rules.delete(DependencyRule.TYPE, "", ControllerEnvironment.RULE, always));
    }
  }

  private static void forbidden(ThrowingCallable write) {
    assertThatExceptionOfType(KubeFailure.class)
        .isThrownBy(write)
        .matches(failure -> failure.kind() == KubeFailure.Kind.FORBIDDEN);
  }

  private static KubeConnection connect(ControllerEnvironment env, String service) {
    return workspaces.connect(env.dependencies(), "mooring:" + service);
  }

  /** All that it needs to read. */
  private static ExportView follow(KubeConnection kcp) {
    ExportView view =
        ExportView.of(
                kcp,
                ExportWatchOptions.of(
                    "dependencies.opendefense.cloud", DependencyRule.TYPE, CONFIGURATIONS),
                new ExportListener() {
                  @Override
                  public void changed(ResourceType type, Change change) {}

                  @Override
                  public void stateChanged() {}
                })
            .start();
    await().until(() -> view.state() instanceof ExportState.Ready);
    return view;
  }

  private static KubeClient client(ExportView view, WorkspacePath workspace) {
    return view.client(workspaces.cluster(workspace)).orElseThrow();
  }

  private static Map<String, Object> labelled() {
    return Map.of("metadata", Map.of("labels", Map.of("touched", "yes")));
  }

  private static KubeObject configuration() {
    return KubeObject.of(
        Map.of(
            "apiVersion", CONFIGURATIONS.apiVersion(),
            "kind", "ValidatingWebhookConfiguration",
            "metadata", Map.of("name", GuardSettings.CONFIGURATION)));
  }
}
