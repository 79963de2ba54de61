package dev.mooring.sandbox.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.sandbox.server.KilledIT.Client;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A process with a data directory that may not grow: its files have a limit. */
@Tag("full")
class FullDiskIT {
  /** In blocks of 512 or 1,024 bytes. */
  private static final int BLOCKS_MAX = 4_096;

  private static final int OBJECT_BYTES = 500_000;

  @TempDir private Path root;

  @ParameterizedTest
  @CsvSource({"kcp, /clusters/root", "kubernetes, ''"})
  void isNotReadyUntilItIsStartedAgainWithMoreRoom(String mode, String cluster) throws Exception {
    int port = KilledIT.freePort();
    String configMaps = cluster + "/api/v1/namespaces/default/configmaps";
    int written = 0;
    Process full = start(mode, port, "ulimit -f " + BLOCKS_MAX + "; exec \"$@\"");
    try {
      var client = new Client(root, port);
      assertThat(get(client, "/readyz").statusCode()).isEqualTo(200);
      HttpResponse<byte[]> answer = create(client, configMaps, written);
      while (answer.statusCode() == 201) {
        answer = create(client, configMaps, ++written);
      }

      assertThat(answer.statusCode()).as(text(answer)).isEqualTo(500);
      HttpResponse<byte[]> unready = get(client, "/readyz");
      assertThat(unready.statusCode()).isEqualTo(500);
      assertThat(text(unready))
          .contains("[+]ping ok\n", "[-]etcd failed: reason withheld\n")
          .endsWith("readyz check failed\n");
      assertThat(get(client, cluster + "/livez/etcd").statusCode()).isEqualTo(500);
      assertThat(get(client, "/livez?exclude=etcd").statusCode()).isEqualTo(200);
    } finally {
      full.destroyForcibly().waitFor();
    }

    Process roomy = start(mode, port, "exec \"$@\"");
    try {
      var client = new Client(root, port);
      assertThat(get(client, "/readyz").statusCode()).isEqualTo(200);
      assertThat(get(client, configMaps + "/object-" + (written - 1)).statusCode()).isEqualTo(200);
      assertThat(create(client, configMaps, written).statusCode()).isEqualTo(201);
    } finally {
      roomy.destroyForcibly().waitFor();
    }
  }

  private static HttpResponse<byte[]> get(Client client, String path) throws IOException {
    return client.send("GET", path, null).answer();
  }

  private static String text(HttpResponse<byte[]> answer) {
    return new String(answer.body(), UTF_8);
  }

  private static HttpResponse<byte[]> create(Client client, String configMaps, int number)
      throws IOException {
    var object =
        Map.of(
            "apiVersion",
            "v1",
            "kind",
            "ConfigMap",
            "metadata",
            Map.of("name", "object-" + number),
            "data",
            Map.of("text", "x".repeat(OBJECT_BYTES)));
    return client.send("POST", configMaps, object).answer();
  }

  private Process start(String mode, int port, String script) throws IOException {
    List<String> program =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            SandboxProgram.class.getName(),
            "start",
            "--mode",
            mode,
            "--root-directory",
            root.resolve("kcp").toString(),
            "--data-dir",
            root.resolve("data").toString(),
            "--secure-port",
            Integer.toString(port));
    Process process =
        new ProcessBuilder(
                Stream.concat(Stream.of("sh", "-c", script, "sh"), program.stream()).toList())
            .redirectError(root.resolve("log").toFile())
            .start();
    BufferedReader output = process.inputReader();
    assertThat(output.readLine()).as("see %s", root.resolve("log")).startsWith("kcp-sandbox is");
    return process;
  }
}
