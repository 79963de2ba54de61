package dev.mooring.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.cli.CommandRun;
import dev.mooring.harness.KcpChoice;
import dev.mooring.harness.PortPlan;
import dev.mooring.harness.ProjectLayout;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The whole story, told by the real programs. */
class DemoIT {
  @TempDir Path scratch;

  @Test
  void tellsTheStoryAndPublishesACrdThatTheUserBrings() {
    Path crd = ProjectLayout.find().file("mooring-cli/src/test/resources/own-crd.yaml");

    int status =
        new CommandLine(new DemoCommand())
            .execute(
                "--check",
                "--free-ports",
                "--crd=" + crd,
                "--directory=" + scratch.resolve("demo"));

    assertThat(status).isZero();
  }

  @Test
  void namesTheCommandThatSaysWhyTheDeletionIsRefused() throws InterruptedException {
    var told = new ByteArrayOutputStream();
    var failure = new AtomicReference<Throwable>();
    Thread demo =
        Thread.ofPlatform()
            .uncaughtExceptionHandler((_, cause) -> failure.set(cause))
            .start(() ->
                new Demo(
                        ProjectLayout.find(),
                        scratch.resolve("demo"),
                        PortPlan.free(),
                        new KcpChoice.Sandbox(),
                        Optional.empty())
                    .run(
                        new Narrator(
                            new PrintStream(told, true, StandardCharsets.UTF_8),
                            Narrator.Look.PLAIN),
                        Demo.Ending.ON_SIGNAL));
    try {
      await()
          .atMost(Duration.ofMinutes(5))
          .until(() -> failure.get() != null || text(told).contains("nothing is lost"));
      assertThat(failure).hasNullValue();
      String command =
          text(told)
              .lines()
              .map(String::strip)
              .filter(line -> line.startsWith("./mooring why "))
              .findFirst()
              .orElseThrow();

      CommandRun run = CommandRun.of(command.substring("./mooring ".length()).split(" "));

      assertThat(run.status()).isEqualTo(1);
      assertThat(run.out())
          .contains("still referenced by VirtualMachine/web-1")
          .contains("DependencyRule virtual-machines in root:demo:compute")
          .contains("kubectl annotate vpcs.network.example.corp main -n default");
    } finally {
      demo.interrupt();
      demo.join();
    }
  }

  private static String text(ByteArrayOutputStream told) {
    return told.toString(StandardCharsets.UTF_8);
  }
}
