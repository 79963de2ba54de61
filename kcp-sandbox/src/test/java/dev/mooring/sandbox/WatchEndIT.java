package dev.mooring.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** How watches end, as seen on a connection of HTTP/1.1. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WatchEndIT {
  private static final Duration READ_TIMEOUT = Duration.ofSeconds(20);
  private static final String LAST_CHUNK = "0\r\n\r\n";

  private KcpSandbox sandbox;
  private SandboxClient client;

  @BeforeAll
  void start(@TempDir Path root) {
    sandbox = KcpSandbox.start(ServerOptions.in(root));
    client = SandboxClient.of(sandbox, "kcp-admin");
  }

  @AfterAll
  void stop() {
    sandbox.close();
  }

  private static String watch(String query) {
    return "/clusters/root/api/v1/configmaps?watch=true" + query;
  }

  /** Everything up to, and with, the first occurrence of an ending. */
  private static String readTo(String ending, InputStream in) throws Exception {
    var text = new StringBuilder();
    while (text.indexOf(ending) < 0) {
      int next = in.read();
      assertThat(next).as("end of the connection after: %s", text).isNotEqualTo(-1);
      text.append((char) next);
    }
    return text.toString();
  }

  @Test
  void endsAWatchWhoseClientHasLeft() throws Exception {
    try (SSLSocket connection = client.connection(watch(""), READ_TIMEOUT)) {
      InputStream in = connection.getInputStream();
      assertThat(readTo("\r\n\r\n", in)).startsWith("HTTP/1.1 200");

      // All that a client's leaving is on the wire; this one stays to see what becomes of it.
      connection.shutdownOutput();

      // Reads to the end; a watch that goes on would let the read time out.
      assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
          .contains("kube-root-ca.crt");
    }
  }

  @Test
  void answersTheNextRequestOnTheConnectionOfAWatch() throws Exception {
    String over = watch("&timeoutSeconds=1");
    try (SSLSocket connection = client.connection(over, READ_TIMEOUT)) {
      InputStream in = connection.getInputStream();
      readTo(LAST_CHUNK, in);

      client.send(connection, "/clusters/root/api/v1/namespaces/default");

      assertThat(readTo("\"name\":\"default\"", in)).startsWith("HTTP/1.1 200");
      client.send(connection, over);
      assertThat(readTo(LAST_CHUNK, in)).contains("HTTP/1.1 200");
    }
  }

  @Test
  void endsWatchesInOrderWhenTheServerIsClosed(@TempDir Path root) throws Exception {
    KcpSandbox closing = KcpSandbox.start(ServerOptions.in(root));
    try (SSLSocket connection =
        SandboxClient.of(closing, "kcp-admin").connection(watch(""), READ_TIMEOUT)) {
      InputStream in = connection.getInputStream();
      readTo("\r\n\r\n", in);

      closing.close();

      readTo(LAST_CHUNK, in);
    }
  }
}
