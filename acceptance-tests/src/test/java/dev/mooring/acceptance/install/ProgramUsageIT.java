package dev.mooring.acceptance.install;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.acceptance.Chart;
import dev.mooring.harness.Program;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What the services' jars say to someone who starts them by hand. */
class ProgramUsageIT {
  @ParameterizedTest
  @EnumSource(names = {"SYNC_AGENT", "DEPENDENCY_CONTROLLER", "DEPENDENCY_WEBHOOK"})
  void helpIsTheUsageAndNothingElse(Program program) throws Exception {
    Run run = run(program, List.of("--help"));

    assertThat(run.output())
        .startsWith("Usage: " + program.module() + " ")
        .contains("--kubeconfig", "--mooring.");
    assertThat(run.status()).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "SYNC_AGENT, mooring.sync-agent.kcp-kubeconfig: name the kubeconfig of kcp",
    "DEPENDENCY_CONTROLLER, mooring.dependency-controller.webhook-url: is required",
    "DEPENDENCY_WEBHOOK, mooring.dependency-webhook.tls-cert-dir:"
  })
  void whatIsMissingIsOneLineThatNamesTheProperty(Program program, String line) throws Exception {
    List<String> arguments =
        program == Program.DEPENDENCY_WEBHOOK
            ? List.of("--tls-cert-dir=/absent")
            : List.of("--server.port=0");
    Run run = run(program, arguments);

    assertThat(run.output().lines().filter(said -> said.contains(line))).hasSize(1);
    assertThat(run.output()).doesNotContain("\tat ", "APPLICATION FAILED", "Exception");
    assertThat(run.status()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(names = {"SYNC_AGENT", "DEPENDENCY_CONTROLLER", "DEPENDENCY_WEBHOOK"})
  void anUnknownFlagIsOneLine(Program program) throws Exception {
    Run run = run(program, List.of("--kubconfig=x"));

    assertThat(run.output())
        .isEqualTo(
            program.module() + ": unknown flag: --kubconfig (--help lists those that there are)\n");
    assertThat(run.status()).isEqualTo(2);
  }

  private static Run run(Program program, List<String> arguments)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(Jars.command(Chart.LAYOUT, program, arguments))
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Run(process.waitFor(), output);
  }

  private record Run(int status, String output) {}
}
