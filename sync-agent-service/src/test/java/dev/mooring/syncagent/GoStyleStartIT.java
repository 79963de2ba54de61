package dev.mooring.syncagent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.syncagent.config.PlainEndpoints;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

/** The agent as whoever starts the Go agent starts it. */
class GoStyleStartIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Any free port, for both servers together. */
  private static final String ANY = "127.0.0.1:0";

  @RegisterExtension static final TwoClusters clusters = TwoClusters.withoutAgent();

  @Test
  void syncsAndServesMetricsAndProbesWhereFlagsSayAndNothingElse() throws Exception {
    var certificates = new Certificates(clusters, "consumer-1");
    try (ConfigurableApplicationContext agent =
        agent(clusters.kcpKubeconfig(), "--metrics-address", ANY, "--health-address", ANY)) {
      int port = agent.getBean(PlainEndpoints.class).port(ANY);
      certificates.order("flags");
      certificates.copy("flags");

      assertThat(agent).isNotInstanceOf(WebServerApplicationContext.class);
      assertThat(get(port, "/metrics").body().lines())
          .contains("sync_agent_published_resource 1")
          .anyMatch(line -> line.startsWith("jvm_memory_used_bytes"));
      assertThat(get(port, "/healthz").body()).isEqualTo("ok");
      await()
          .atMost(PATIENCE)
          .untilAsserted(() -> assertThat(get(port, "/readyz").statusCode()).isEqualTo(200));
      assertThat(send(port, "/metrics", "POST").statusCode()).isEqualTo(405);
      assertThat(send(port, "/healthz", "HEAD").statusCode()).isEqualTo(200);
      assertThat(get(port, "/other").statusCode()).isEqualTo(404);
    }
  }

  @Test
  void servesNothingWhereItIsAskedNotTo() {
    try (ConfigurableApplicationContext agent =
        agent(clusters.kcpKubeconfig(), "--metrics-address", "0", "--health-address", "0")) {
      assertThat(agent.getBean(PlainEndpoints.class).port("0")).isZero();
    }
  }

  @Test
  void saysOnItsProbeWhatKeepsItFromWork() throws Exception {
    Path elsewhere =
        Files.writeString(
            clusters.directory().resolve("no-workspace.kubeconfig"),
            Files.readString(clusters.kcpKubeconfig()).replaceAll("/clusters/[a-z:-]+", ""));
    try (ConfigurableApplicationContext agent =
        agent(elsewhere, "--metrics-address=0", "--health-address", ANY)) {
      int port = agent.getBean(PlainEndpoints.class).port(ANY);

      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> assertThat(get(port, "/readyz").body()).contains("which is no workspace"));
      assertThat(get(port, "/readyz").statusCode()).isEqualTo(503);
      assertThat(get(port, "/healthz").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void namesAnAddressThatIsTaken() throws Exception {
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Assertions.assertThatThrownBy(() ->
              agent(
                  clusters.kcpKubeconfig(), "--metrics-address=127.0.0.1:" + taken.getLocalPort()))
          .rootCause()
          .hasMessageContaining("in use");
    }
  }

  private static ConfigurableApplicationContext agent(Path kcpKubeconfig, String... more) {
    return AgentStart.between(clusters)
        .toKcp(kcpKubeconfig)
        .startByFlags(
            Stream.concat(Stream.of("--enable-leader-election=false"), Stream.of(more))
                .toArray(String[]::new));
  }

  private static HttpResponse<String> get(int port, String path) throws Exception {
    return send(port, path, "GET");
  }

  private static HttpResponse<String> send(int port, String path, String method)
      throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
              .method(method, HttpRequest.BodyPublishers.noBody())
              .build(),
          HttpResponse.BodyHandlers.ofString());
    }
  }
}
