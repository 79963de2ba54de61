package dev.mooring.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program in a process of its own. */
class SandboxProgramIT {
  private static final Duration READ_TIMEOUT = Duration.ofSeconds(60);
  private static final Pattern READY = Pattern.compile("kcp-sandbox is ready at (\\S+),.*");
  private static final int STATUS_OF_SIGTERM = 128 + 15;

  @Test
  void closesEverythingAtSigterm(@TempDir Path root) throws Exception {
    Process program =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                SandboxProgram.class.getName(),
                "start",
                "--root-directory",
                root.toString(),
                "--secure-port",
                "0")
            .redirectErrorStream(true)
            .start();
    try (BufferedReader output = program.inputReader()) {
      Matcher ready = READY.matcher("");
      while (!ready.reset(output.readLine()).matches()) {}
      SandboxClient client =
          SandboxClient.of(
              Files.readString(root.resolve("admin.kubeconfig")),
              URI.create(ready.group(1)),
              "kcp-admin");
      try (SSLSocket watch =
          client.connection("/clusters/root/api/v1/configmaps?watch=true", READ_TIMEOUT)) {
        InputStream in = watch.getInputStream();
        assertThat(in.read()).isEqualTo('H');

        // Of the handle, for the process's own would close its output before it is read.
        program.toHandle().destroy();

        // A connection that breaks has no last chunk.
        assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8)).endsWith("0\r\n\r\n");
      }
      assertThat(output.lines()).endsWith("kcp-sandbox has stopped");
      assertThat(program.waitFor(READ_TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(program.exitValue()).isEqualTo(STATUS_OF_SIGTERM);
    } finally {
      program.destroyForcibly();
    }
  }
}
