package dev.mooring.benchmarks.protection;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class ControllerBenchmarkTest {
  @Test
  void refusesMoreRulesThanHaveATargetOfTheirOwn() {
    var errors = new StringWriter();

    int exit =
        new CommandLine(new ControllerBenchmark())
            .setErr(new PrintWriter(errors, true))
            .execute("--kubeconfig=none", "--providers=2", "--rules=10");

    assertThat(exit).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(errors.toString()).contains("as many rules as there are providers");
  }
}
