package dev.mooring.depwebhook.endpoint;

import static dev.mooring.depwebhook.endpoint.WebhookEnvironment.MACHINES;
import static dev.mooring.depwebhook.endpoint.WebhookEnvironment.REGIONS;
import static dev.mooring.depwebhook.endpoint.WebhookEnvironment.VPCS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.signature.ReviewKeys;
import dev.mooring.runtime.signature.ReviewKeys.Unsigned;
import dev.mooring.runtime.signature.SigningKey;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A replica in a process that has evaluated no review yet. */
class FreshProcessIT extends OnWebhookEnvironment {
  private static final SigningKey KEY = SigningKey.generate();
  private static final int FIRST = 16;

  @TempDir private static Path directory;

  private final HttpClient management = HttpClient.newHttpClient();

  @BeforeAll
  static void starts() throws Exception {
    land = WebhookEnvironment.onSandbox(directory, 1);
    land.rule("named", MACHINES, "{path: .spec.ref.name}", "vpcs");
    land.rule("absent", MACHINES, "{path: .spec.absent.name}", "regions");
    ForgedReviewsIT.keep(
        land,
        "dependency-system",
        new ReviewKeys(KEY, Optional.empty(), new Unsigned.Refused(new TreeSet<>())).data());
    land.create(VPCS, "default", "shared", "");
    land.create(MACHINES, "default", "vm-shared", "shared");
    land.create(REGIONS, "", "empty", "");
  }

  /** Its first reviews come together, and find a reference or none. */
  @Test
  void answersItsFirstReviews() throws Exception {
    int port = freePort();
    int managementPort = freePort();
    Process replica = land.process(port, managementPort);
    try {
      await()
          .atMost(Duration.ofMinutes(3))
          .ignoreExceptions()
          .until(() -> get(managementPort, "readyz").statusCode() == 200);
      byte[] referred = KubeJson.write(land.reviewOf(VPCS, "default", "shared", "alice"));
      byte[] free = KubeJson.write(land.reviewOf(REGIONS, "", "empty", "alice"));
      String path =
          "/validate/" + KEY.segment(land.workspaces.cluster(land.network)) + "?timeout=30s";
      try (HttpClient client = land.client();
          var threads = Executors.newVirtualThreadPerTaskExecutor()) {
        var answers = new ArrayList<Future<HttpResponse<byte[]>>>();
        for (int i = 0; i < FIRST; i++) {
          byte[] review = i % 2 == 0 ? referred : free;
          answers.add(threads.submit(() -> WebhookEnvironment.post(client, port, path, review)));
        }
        for (int i = 0; i < FIRST; i++) {
          KubeObject answer = KubeJson.readObject(answers.get(i).get().body());
          assertThat(answer.at("response", "allowed")).as("%s", answer).isEqualTo(i % 2 == 1);
          assertThat(answer.text("response", "status", "message"))
              .contains(i % 2 == 0 ? "still referenced by VirtualMachine/vm-shared" : "");
        }
      }
    } finally {
      replica.destroyForcibly();
    }
  }

  private HttpResponse<String> get(int port, String path) throws Exception {
    return management.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/" + path)).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
