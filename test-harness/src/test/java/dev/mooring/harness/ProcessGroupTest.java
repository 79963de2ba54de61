package dev.mooring.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs({OS.LINUX, OS.MAC})
class ProcessGroupTest {
  @TempDir Path scratch;

  @Test
  void tellsOfADeathWithTheEndOfTheLog() {
    try (var group = new ProcessGroup()) {
      ServiceProcess process = start(group, "echo no such host: kcp.example.org; exit 7");
      await().until(() -> !process.isAlive());

      assertThatThrownBy(group::requireAllAlive)
          .isInstanceOf(HarnessFailure.class)
          .hasMessageContaining("The service (process " + process.pid())
          .hasMessageContaining("has ended with exit status 7")
          .hasMessageContaining("no such host: kcp.example.org");
    }
  }

  @Test
  void doesNotTakeAStopForADeath() {
    try (var group = new ProcessGroup()) {
      ServiceProcess process = start(group, "exec sleep 60");

      process.close();

      assertThat(process.isAlive()).isFalse();
      group.requireAllAlive();
    }
  }

  @Test
  void leavesNoProcessBehind() {
    var group = new ProcessGroup();
    ServiceProcess first = start(group, "exec sleep 60");
    ServiceProcess second = start(group, "exec sleep 60");

    group.close();

    assertThat(first.isAlive()).isFalse();
    assertThat(second.isAlive()).isFalse();
  }

  @Test
  void startsNothingOnceItIsClosed() {
    var group = new ProcessGroup();
    group.close();

    assertThatThrownBy(() -> start(group, "exec sleep 60"))
        .isInstanceOf(HarnessFailure.class)
        .hasMessageContaining("everything is being stopped");
  }

  private ServiceProcess start(ProcessGroup group, String script) {
    return group.start(
        "service", List.of("/bin/sh", "-c", script), Map.of(), scratch.resolve("service.log"));
  }
}
