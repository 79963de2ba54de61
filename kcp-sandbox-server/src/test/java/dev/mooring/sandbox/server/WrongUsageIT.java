package dev.mooring.sandbox.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the program says instead of starting: one line, with what to do. */
class WrongUsageIT {
  @TempDir private Path directory;

  private record Outcome(int status, String out, String err) {}

  private static Outcome run(String... arguments) {
    var out = new StringWriter();
    var err = new StringWriter();
    int status =
        SandboxProgram.commandLine()
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .execute(arguments);
    return new Outcome(status, out.toString(), err.toString());
  }

  private static String start(Path root, String option, String value) {
    Outcome outcome =
        run("start", "--secure-port=0", "--root-directory", root.toString(), option, value);
    assertThat(outcome.status()).isEqualTo(1);
    return outcome.err();
  }

  @Test
  void aWrongOptionIsOneLine() {
    assertThat(run("start", "--sharts", "2"))
        .isEqualTo(
            new Outcome(
                2,
                "",
                "kcp-sandbox: Unknown options: '--sharts', '2'; see kcp-sandbox start --help\n"));
    assertThat(run())
        .isEqualTo(
            new Outcome(
                2, "", "kcp-sandbox: Missing required subcommand; see kcp-sandbox --help\n"));
  }

  @Test
  void theCommandHasHelpAndTheProgramAVersion() {
    assertThat(run("start", "--help").out()).contains("--data-dir=");
    assertThat(run("--version").out()).isEqualTo("kcp-sandbox (not packaged)\n");
  }

  @Test
  void aFileThatCannotBeUsedComesWithTheReason() throws Exception {
    Path missing = directory.resolve("missing");
    Path file = Files.createFile(directory.resolve("file"));

    assertThat(start(directory, "--token-auth-file", missing.toString()))
        .isEqualTo(
            "kcp-sandbox: cannot read the token file " + missing + ": no such file or directory\n");
    assertThat(start(file, "--bind-address", "127.0.0.1"))
        .isEqualTo(
            "kcp-sandbox: cannot keep a certificate authority in " + file + ": not a directory\n");
  }

  @Test
  void plainKubernetesHasNoShards() {
    assertThat(run("start", "--mode=kubernetes", "--shards=2"))
        .isEqualTo(
            new Outcome(
                1, "", "kcp-sandbox: only kcp has shards; plain Kubernetes is one server\n"));
  }

  @Test
  void anAddressOfAnotherMachineIsToBeChanged() {
    assertThat(start(directory, "--bind-address", "192.0.2.1"))
        .matches(
            "kcp-sandbox: cannot listen on 192.0.2.1:0: (Cannot|Can't) assign requested address.*;"
                + " choose another --secure-port or --bind-address\n");
  }
}
