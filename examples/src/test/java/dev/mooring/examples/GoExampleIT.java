package dev.mooring.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mooring.sandbox.KcpSandbox;
import dev.mooring.sandbox.ServerOptions;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Slow where Kubernetes' client is not compiled yet. */
@Tag("full")
class GoExampleIT {
  @Test
  void passesOnTheSandbox(@TempDir Path directory) throws Exception {
    Optional<Path> go = go();
    assumeTrue(go.isPresent(), "skipped: no go on PATH or in /usr/local/go/bin");
    Path example = Clone.root().resolve("examples/go-multicluster");
    Command.Outcome modules =
        new Command(example, List.of(go.get().toString(), "mod", "download"), Map.of()).run();
    assumeTrue(
        modules.status() == 0,
        () -> "skipped: Go's modules cannot be fetched: " + modules.output().strip());
    try (KcpSandbox kcp = KcpSandbox.start(ServerOptions.in(directory))) {
      var test =
          new Command(
              example,
              List.of(go.get().toString(), "test", "-count=1", "-v", "./..."),
              Map.of(
                  "USE_EXISTING_KCP", "true",
                  "EXISTING_KCP_CONTEXT", "base",
                  "KUBECONFIG", kcp.kubeconfigFile().toString()));

      Command.Outcome outcome = test.run();

      assertThat(outcome.status()).as(outcome.output()).isZero();
      assertThat(outcome.output()).contains("--- PASS: TestEachConsumersBucketGetsItsOwnEndpoint");
    }
  }

  private static Optional<Path> go() {
    return Stream.concat(
            Pattern.compile(File.pathSeparator).splitAsStream(System.getenv("PATH")),
            Stream.of("/usr/local/go/bin"))
        .map(directory -> Path.of(directory, "go"))
        .filter(Files::isExecutable)
        .findFirst();
  }
}
