package dev.mooring.depcontroller.control;

import static dev.mooring.runtime.testing.Eventually.await;

import dev.mooring.depcontroller.guard.decide.GuardSettings;
import dev.mooring.depcontroller.guard.decide.GuardSettings.FailurePolicy;
import dev.mooring.depcontroller.workspace.WorkspaceAccess;
import dev.mooring.runtime.client.credentials.ConnectionOptions;
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.runtime.testing.TestWorkspaces;
import dev.mooring.runtime.time.Clocks;
import dev.mooring.runtime.time.SystemTime;
import dev.mooring.sandbox.KcpSandbox;
import dev.mooring.sandbox.ServerOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A controller on a machine whose clock is corrected. */
class ClockSetBackIT {
  @TempDir private Path directory;

  @Test
  void goesOnAtOnceAfterTheClockWasSetBack() {
    var ahead = new AtomicReference<>(Duration.ofHours(1));
    var clocks =
        new Clocks(() -> SystemTime.clock().instant().plus(ahead.get()), SystemTime.steadyClock());
    try (KcpSandbox sandbox =
            KcpSandbox.start(ServerOptions.in(directory.resolve("kcp")).withPort(0));
        TestWorkspaces workspaces = TestWorkspaces.on(sandbox.kubeconfigFile())) {
      ControllerEnvironment ground = ControllerEnvironment.prepare(workspaces);
      Path kubeconfig =
          workspaces.kubeconfigFor(ground.dependencies(), directory.resolve("kubeconfig"));
      try (KubeConnection kcp =
              KubeConnection.fromKubeconfig(kubeconfig, ConnectionOptions.of("controller"));
          DependencyController _ =
              DependencyController.start(
                  clocks,
                  new WorkspaceAccess(kcp, ""),
                  "dependencies.opendefense.cloud",
                  () ->
                      new GuardSettings(
                          "https://hook.example.com:9443/validate",
                          "",
                          FailurePolicy.FAIL,
                          Duration.ofSeconds(10)),
                  4,
                  ControllerEnvironment.TIMINGS,
                  () -> true)) {
        ground.writeRule("vpcs");
        await().until(() -> ground.guardsOnly("vpcs"));

        ahead.set(Duration.ZERO);
        ground.editRule("subnets");

        await().until(() -> ground.guardsOnly("subnets"));
      }
    }
  }
}
