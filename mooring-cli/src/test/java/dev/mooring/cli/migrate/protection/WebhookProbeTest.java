package dev.mooring.cli.migrate.protection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.harness.Kubeconfig;
import dev.mooring.harness.ServingCertificate;
import dev.mooring.sandbox.KcpSandbox;
import dev.mooring.sandbox.ServerOptions;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server is the sandbox: it serves TLS with a certificate of its own authority. */
class WebhookProbeTest {
  @TempDir private static Path directory;
  private static KcpSandbox server;

  @BeforeAll
  static void start() {
    server = KcpSandbox.start(ServerOptions.in(directory.resolve("server")));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void trustsACertificateOfTheBundleForTheHost() {
    WebhookProbe answer = WebhookProbe.ask(url("127.0.0.1"), bundle());

    assertThat(answer).isInstanceOf(WebhookProbe.Trusted.class);
    assertThat(((WebhookProbe.Trusted) answer).end()).isAfter(Instant.now());
  }

  @Test
  void trustsNoCertificateOfAnotherAuthority() {
    byte[] other = ServingCertificate.in(directory.resolve("other"), Instant.now()).authorityPem();

    assertThat(WebhookProbe.ask(url("127.0.0.1"), other))
        .isInstanceOf(WebhookProbe.Untrusted.class);
    assertThat(WebhookProbe.ask(url("127.0.0.1"), new byte[0]))
        .as("what the JDK trusts")
        .isInstanceOf(WebhookProbe.Untrusted.class);
  }

  @Test
  void saysThatNothingListens() throws IOException {
    int port;
    try (ServerSocket socket = new ServerSocket(0)) {
      port = socket.getLocalPort();
    }

    assertThat(WebhookProbe.ask(URI.create("https://127.0.0.1:" + port + "/validate"), bundle()))
        .isInstanceOf(WebhookProbe.Silent.class);
  }

  private static URI url(String host) {
    return URI.create("https://" + host + ":" + server.url().getPort() + "/validate");
  }

  private static byte[] bundle() {
    return Kubeconfig.read(server.kubeconfigFile()).authorities().orElseThrow();
  }
}
