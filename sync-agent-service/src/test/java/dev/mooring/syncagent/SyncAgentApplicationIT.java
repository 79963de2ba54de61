package dev.mooring.syncagent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.ActiveProfiles;

/** The application where nothing that it needs is there yet. */
@SpringBootTest(
    webEnvironment = WebEnvironment.RANDOM_PORT,
    properties = {
      "mooring.sync-agent.kubeconfig=missing-service.kubeconfig",
      "mooring.sync-agent.kcp-kubeconfig=missing-kcp.kubeconfig",
      "mooring.sync-agent.apiexportendpointslice-ref=certs"
    })
@ActiveProfiles("local")
class SyncAgentApplicationIT {
  @LocalServerPort private int port;

  @Test
  void staysUpAndSaysWhatItWaitsFor() throws Exception {
    assertThat(get("/actuator/health/liveness").statusCode()).isEqualTo(200);
    await()
        .untilAsserted(() ->
            assertThat(get("/actuator/status").body()).contains("missing-service.kubeconfig"));
    HttpResponse<String> readiness = get("/actuator/health/readiness");
    assertThat(readiness.statusCode()).isEqualTo(503);
    assertThat(readiness.body()).contains("missing-service.kubeconfig");
  }

  @Test
  void cannotResyncYet() throws Exception {
    assertThat(post("/actuator/resync").statusCode()).isEqualTo(503);
    assertThat(post("/actuator/resync/certs").statusCode()).isEqualTo(404);
    assertThat(post("/actuator/resync/certs/c1/default/web").statusCode()).isEqualTo(404);
    assertThat(post("/actuator/resync/certs/NOT_A_CLUSTER/default/web").statusCode())
        .isEqualTo(400);
    assertThat(get("/actuator/status/certs").statusCode()).isEqualTo(404);
  }

  @Test
  void countsUnderTheGoAgentsName() throws Exception {
    assertThat(get("/actuator/prometheus").body()).contains("sync_agent_published_resource 0.0");
  }

  private HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return send(HttpRequest.newBuilder(uri(path)).GET().build());
  }

  private HttpResponse<String> post(String path) throws IOException, InterruptedException {
    return send(
        HttpRequest.newBuilder(uri(path)).POST(HttpRequest.BodyPublishers.noBody()).build());
  }

  private URI uri(String path) {
    return URI.create("http://127.0.0.1:" + port + path);
  }

  private static HttpResponse<String> send(HttpRequest request)
      throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(request, HttpResponse.BodyHandlers.ofString());
    }
  }
}
