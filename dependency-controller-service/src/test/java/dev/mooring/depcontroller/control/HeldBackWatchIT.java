package dev.mooring.depcontroller.control;

import static dev.mooring.runtime.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depcontroller.guard.ProviderWorkspaceReconciler;
import dev.mooring.depcontroller.guard.decide.GuardSettings;
import dev.mooring.depcontroller.guard.decide.Installation.Installed;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.runtime.testing.TestWorkspaces;
import dev.mooring.sandbox.fault.Fault;
import dev.mooring.sandbox.fault.FaultInjector;
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
  private static final String USER = "controller";

  private static TestWorkspaces workspaces;
  private static FaultInjector faults;
  private static ControllerEnvironments environments;

  private ControllerEnvironment env;
  private KubeConnection kcp;
  private DependencyController controller;
  private volatile boolean leads = true;

  @BeforeAll
  static void starts(@TempDir Path directory) {
    workspaces = TestWorkspaces.onSandbox(directory);
    faults = workspaces.sandbox().faults();
    faults.affect(USER::equals).slowest(Duration.ofHours(1));
    environments = ControllerEnvironments.ahead(workspaces, 3);
  }

  @AfterAll
  static void stops() {
    workspaces.close();
  }

  @BeforeEach
  void controls() {
    env = environments.next();
    kcp = workspaces.connect(env.dependencies(), USER, "system:masters");
    controller =
        ControllerEnvironment.controller(kcp, () -> ControllerEnvironment.SETTINGS, () -> leads);
    env.writeRule("vpcs");
    await().until(() -> env.guardsOnly("vpcs"));
    awaitReady();
    holdsTheWatchBack();
  }

  @AfterEach
  void leaves() {
    faults.reset();
    controller.close();
    kcp.close();
  }

  @Test
  void isNotTakenForReadyByWhatItRemovedItself() {
    env.deleteRule();
    await().until(() -> env.configuration().isEmpty());

    env.writeRule("vpcs");

    awaitReady();
    assertThat(env.guardsOnly("vpcs")).isTrue();
  }

  @Test
  void isNotTakenForReadyByWhatItReplacedItself() {
    env.editRule("subnets");
    await().until(() -> env.guardsOnly("subnets"));

    env.editRule("vpcs");

    awaitReady();
    assertThat(env.guardsOnly("vpcs")).isTrue();
  }

  @Test
  void isNotTakenForInstalledByWhatAnotherReplicaChanged() {
    leads = false;
    controller.resync();
    await().until(() -> controller.overview().installations().isEmpty());
    workspaces.delete(
        env.network(), ProviderWorkspaceReconciler.CONFIGURATIONS, "", GuardSettings.CONFIGURATION);

    leads = true;
    controller.resync();

    await()
        .until(() ->
            controller.overview().installations().get(workspaces.cluster(env.network()))
                instanceof Installed);
    assertThat(env.guardsOnly("vpcs")).isTrue();
  }

  /** The next event hangs, and what comes after it in the same watch; all else is answered. */
  private void holdsTheWatchBack() {
    await().until(this::idle);
    long before = faults.injected(Fault.SLOW);
    faults.inject(Fault.SLOW, 1);
    workspaces.create(
        env.network(),
        ProviderWorkspaceReconciler.CONFIGURATIONS,
        KubeObject.of(
            Map.of(
                "apiVersion",
                "admissionregistration.k8s.io/v1",
                "kind",
                "ValidatingWebhookConfiguration",
                "metadata",
                Map.of("name", "of-somebody-else"))));
    await().until(() -> faults.injected(Fault.SLOW) > before);
    faults.reset();
  }

  private boolean idle() {
    var queue = controller.overview().queue();
    return queue.waiting() == 0 && queue.running() == 0 && queue.failing() == 0;
  }

  /** For the rule as it is now. */
  private void awaitReady() {
    await()
        .until(() -> {
          KubeObject rule = env.found();
          return rule.list("status", "conditions").stream()
              .anyMatch(condition ->
                  "Ready".equals(Trees.at(condition, "type"))
                      && "True".equals(Trees.at(condition, "status"))
                      && Long.valueOf(rule.generation())
                          .equals(Trees.at(condition, "observedGeneration")));
        });
  }
}
