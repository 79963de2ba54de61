package dev.mooring.syncagent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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

  /** Without a token each page that the user of a browser visits could else act. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "POST /actuator/resync | Host: 127.0.0.1 | 503",
        "POST /actuator/resync | Host: agent.mooring-system.svc:8085 | 503",
        "POST /actuator/resync | Host: localhost, Sec-Fetch-Site: same-origin | 503",
        "POST /actuator/resync | Host: localhost:1, Origin: http://localhost:1 | 503",
        "POST /actuator/resync | Host: localhost, Sec-Fetch-Site: cross-site | 403",
        "POST /actuator/resync | Host: localhost, Sec-Fetch-Site: same-site | 403",
        "POST /actuator/resync/certs | Host: localhost, Origin: http://evil.example | 403",
        "POST /actuator/resync | Host: localhost, Origin: null | 403",
        "POST /actuator/resync | Host: evil.example | 403",
        "GET /actuator/status | Host: evil.example:8085 | 403",
        "GET /actuator/status | Host: localhost, Sec-Fetch-Site: cross-site | 200",
        "GET /console/ | Host: evil.example | 403",
        "GET /actuator/health/liveness | Host: evil.example | 200",
      })
  void refusesPagesOfOtherSitesWithoutAToken(String request, String headers, int status)
      throws Exception {
    try (var socket = new Socket("127.0.0.1", port)) {
      socket
          .getOutputStream()
          .write(
              (request
                      + " HTTP/1.1\r\n"
                      + headers.replace(", ", "\r\n")
                      + "\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
      var answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

      assertThat(answer).startsWith("HTTP/1.1 " + status + " ");
    }
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
