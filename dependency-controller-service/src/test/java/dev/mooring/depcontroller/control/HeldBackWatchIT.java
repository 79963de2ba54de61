package dev.mooring.depcontroller.control;

import static dev.mooring.runtime.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depcontroller.guard.ProviderWorkspaceReconciler;
import dev.mooring.depcontroller.guard.decide.GuardSettings;
import dev.mooring.depcontroller.guard.decide.GuardSettings.FailurePolicy;
import dev.mooring.depcontroller.guard.decide.Installation.Installed;
import dev.mooring.depcontroller.workspace.WorkspaceAccess;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.credentials.ConnectionOptions;
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.runtime.testing.TestWorkspaces;
import dev.mooring.runtime.time.SystemTime;
import dev.mooring.sandbox.KcpSandbox;
import dev.mooring.sandbox.ServerOptions;
import dev.mooring.sandbox.fault.Fault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A controller whose watch of webhook configurations hangs, and nothing else. */
class HeldBackWatchIT {
  private static final String TOKEN = "controllers-token";

  private static KcpSandbox sandbox;
  private static TestWorkspaces workspaces;
  private static ControllerEnvironments grounds;

  @TempDir private Path files;
  private ControllerEnvironment ground;
  private KubeConnection kcp;
  private DependencyController controller;
  private volatile boolean leads = true;

  @BeforeAll
  static void starts(@TempDir Path directory) throws IOException {
    Path tokens =
        Files.writeString(
            directory.resolve("tokens.csv"), TOKEN + ",controller,controller,system:masters\n");
    sandbox =
        KcpSandbox.start(
            ServerOptions.in(directory.resolve("kcp")).withPort(0).withTokenFile(tokens));
    sandbox.faults().affect("controller"::equals).slowest(Duration.ofHours(1));
    workspaces = TestWorkspaces.on(sandbox.kubeconfigFile());
    grounds = ControllerEnvironments.ahead(workspaces, 3);
  }

  @AfterAll
  static void stops() {
    workspaces.close();
    sandbox.close();
  }

  @BeforeEach
  void controls() throws IOException {
    ground = grounds.next();
    kcp = KubeConnection.fromKubeconfig(kubeconfig(), ConnectionOptions.of("controller"));
    controller = controller();
    ground.writeRule("vpcs");
    await().until(() -> ground.guardsOnly("vpcs"));
    awaitReady();
    holdsTheWatchBack();
  }

  @AfterEach
  void leaves() {
    sandbox.faults().reset();
    controller.close();
    kcp.close();
  }

  @Test
  void isNotTakenForReadyByWhatItRemovedItself() {
    ground.deleteRule();
    await().until(() -> ground.configuration().isEmpty());

    ground.writeRule("vpcs");

    awaitReady();
    assertThat(ground.guardsOnly("vpcs")).isTrue();
  }

  @Test
  void isNotTakenForReadyByWhatItReplacedItself() {
    ground.editRule("subnets");
    await().until(() -> ground.guardsOnly("subnets"));

    ground.editRule("vpcs");

    awaitReady();
    assertThat(ground.guardsOnly("vpcs")).isTrue();
  }

  @Test
  void isNotTakenForInstalledByWhatAnotherReplicaChanged() {
    leads = false;
    controller.resync();
    await().until(() -> controller.overview().installations().isEmpty());
    workspaces
        .client(ground.network())
        .delete(
            ProviderWorkspaceReconciler.CONFIGURATIONS,
            "",
            GuardSettings.CONFIGURATION,
            new DeleteCondition.Unconditional());

    leads = true;
    controller.resync();

    await()
        .until(() ->
            controller.overview().installations().get(workspaces.cluster(ground.network()))
                instanceof Installed);
    assertThat(ground.guardsOnly("vpcs")).isTrue();
  }

  /** The next event hangs, and what comes after it in the same watch; all else is answered. */
  private void holdsTheWatchBack() {
    await().until(this::idle);
    long before = sandbox.faults().injected(Fault.SLOW);
    sandbox.faults().inject(Fault.SLOW, 1);
    workspaces.create(
        ground.network(),
        ProviderWorkspaceReconciler.CONFIGURATIONS,
        KubeObject.of(
            Map.of(
                "apiVersion",
                "admissionregistration.k8s.io/v1",
                "kind",
                "ValidatingWebhookConfiguration",
                "metadata",
                Map.of("name", "of-somebody-else"))));
    await().until(() -> sandbox.faults().injected(Fault.SLOW) > before);
    sandbox.faults().reset();
  }

  private boolean idle() {
    var queue = controller.overview().queue();
    return queue.waiting() == 0 && queue.running() == 0 && queue.failing() == 0;
  }

  /** For the rule as it is now. */
  private void awaitReady() {
    await()
        .until(() -> {
          KubeObject rule = ground.found();
          return rule.list("status", "conditions").stream()
              .anyMatch(condition ->
                  "Ready".equals(Trees.at(condition, "type"))
                      && "True".equals(Trees.at(condition, "status"))
                      && Long.valueOf(rule.generation())
                          .equals(Trees.at(condition, "observedGeneration")));
        });
  }

  private DependencyController controller() {
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
        () -> leads);
  }

  private Path kubeconfig() throws IOException {
    Path file = workspaces.kubeconfigFor(ground.dependencies(), files.resolve("kubeconfig"));
    return Files.writeString(
        file, Files.readString(file).replaceAll("(?m)token: .*$", "token: " + TOKEN));
  }
}
