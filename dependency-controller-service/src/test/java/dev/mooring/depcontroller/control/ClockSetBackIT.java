package dev.mooring.depcontroller.control;

import static dev.mooring.runtime.testing.Eventually.await;

import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.runtime.testing.TestWorkspaces;
import dev.mooring.runtime.time.Clocks;
import dev.mooring.runtime.time.SystemTime;
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
    try (TestWorkspaces workspaces = TestWorkspaces.onSandbox(directory)) {
      ControllerEnvironment env = ControllerEnvironment.prepare(workspaces);
      try (KubeConnection kcp = workspaces.connect(env.dependencies());
          DependencyController _ =
              ControllerEnvironment.controller(
                  clocks,
                  kcp,
                  () -> ControllerEnvironment.SETTINGS,
                  ControllerEnvironment.TIMINGS,
                  () -> true)) {
        env.writeRule("vpcs");
        await().until(() -> env.guardsOnly("vpcs"));

        ahead.set(Duration.ZERO);
        env.editRule("subnets");

        await().until(() -> env.guardsOnly("subnets"));
      }
    }
  }
}
