package dev.mooring.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.mooring.cli.CommandRun;
import dev.mooring.cli.live.Types;
import dev.mooring.harness.KcpChoice;
import dev.mooring.harness.PortPlan;
import dev.mooring.harness.ProjectLayout;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.credentials.ConnectionOptions;
import dev.mooring.runtime.client.http.KubeConnection;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The whole story, with the real programs. */
class DemoIT {
  private static final String LAUNCHER = ProjectLayout.find().file("mooring").toString();
  private static final Pattern ANNOTATE =
      Pattern.compile("kubectl annotate vpcs.network.example.corp main -n default ([^ =]+)=(\\S+)");

  @TempDir Path scratch;

  @Test
  void tellsTheStory() {
    int status =
        new CommandLine(new DemoCommand())
            .execute("--check", "--free-ports", "--directory=" + scratch.resolve("demo"));

    assertThat(status).isZero();
  }

  /** As a newcomer would who pastes what the demo prints, and has read nothing else. */
  @Tag("full")
  @Test
  void leadsFromTheRefusedDeletionToItsCauseAndOn() throws InterruptedException {
    var printed = new ByteArrayOutputStream();
    PortPlan ports = PortPlan.free();
    var failure = new AtomicReference<Throwable>();
    Thread demo =
        Thread.ofPlatform()
            .uncaughtExceptionHandler((_, cause) -> failure.set(cause))
            .start(() ->
                new Demo(
                        ProjectLayout.find(),
                        scratch.resolve("demo"),
                        ports,
                        new KcpChoice.Sandbox())
                    .run(
                        new Narrator(
                            new PrintStream(printed, true, StandardCharsets.UTF_8),
                            Narrator.Look.PLAIN),
                        Demo.Ending.ON_SIGNAL));
    try {
      await()
          .atMost(Duration.ofMinutes(5))
          .until(() -> failure.get() != null || text(printed).contains("nothing is lost"));
      assertThat(failure).hasNullValue();
      assertThat(text(printed).substring(text(printed).indexOf("The services in a browser")))
          .contains(
              "http://127.0.0.1:" + ports.agent() + " ",
              "http://127.0.0.1:" + ports.controller() + " ",
              "http://127.0.0.1:" + ports.webhook() + " ");
      String command =
          text(printed)
              .lines()
              .map(String::strip)
              .filter(line -> line.startsWith(LAUNCHER + " why "))
              .findFirst()
              .orElseThrow();
      Path blue = Path.of(command.replaceFirst(".*--kubeconfig (\\S+).*", "$1"));

      CommandRun run = CommandRun.of(command.substring(LAUNCHER.length() + 1).split(" "));

      assertThat(run.status()).isEqualTo(1);
      assertThat(run.out())
          .contains("still referenced by VirtualMachine/web-1")
          .contains("DependencyRule virtual-machines in root:demo:compute")
          .doesNotContain("not read");
      Matcher fix = ANNOTATE.matcher(run.out());
      assertThat(fix.find()).as(run.out()).isTrue();
      try (var connection = KubeConnection.fromKubeconfig(blue, ConnectionOptions.of("test"))) {
        KubeClient team = connection.client();
        assertThatThrownBy(() -> delete(team))
            .hasMessageContaining("still referenced by VirtualMachine/web-1");
        team.patch(
            Types.VPCS,
            "default",
            "main",
            Map.of("metadata", Map.of("annotations", Map.of(fix.group(1), fix.group(2)))));
        delete(team);
        assertThat(team.find(Types.VPCS, "default", "main")).isEmpty();
      }
    } finally {
      demo.interrupt();
      demo.join();
    }
  }

  private static void delete(KubeClient team) {
    team.delete(Types.VPCS, "default", "main", new DeleteCondition.Unconditional());
  }

  private static String text(ByteArrayOutputStream printed) {
    return printed.toString(StandardCharsets.UTF_8);
  }
}
