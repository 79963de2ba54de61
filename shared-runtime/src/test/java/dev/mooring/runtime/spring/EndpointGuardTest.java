package dev.mooring.runtime.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.access.AccessReviewer;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.StubServer;
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.runtime.time.ManualTime;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the guard makes of a cluster's answers; what it guards, each service's contract tests. */
class EndpointGuardTest {
  @TempDir private Path directory;
  private StubServer cluster;
  private KubeConnection connection;
  private final AtomicReference<Optional<KubeClient>> known =
      new AtomicReference<>(Optional.empty());
  private EndpointGuard guard;

  @BeforeEach
  void starts() throws Exception {
    cluster = StubServer.start(EndpointGuardTest::review);
    connection = cluster.connect(directory, "", "{token: own}");
    known.set(Optional.of(connection.client()));
    guard = new EndpointGuard(Optional.of(new AccessReviewer(known::get, new ManualTime())));
  }

  @AfterEach
  void stops() {
    connection.close();
    cluster.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Basic YTpi", "Bearer", "Bearer  "})
  void asksForATokenWithoutAskingTheCluster(String authorization) {
    assertThat(guard.refusal(Optional.empty(), authorization, "/actuator/status", "get"))
        .hasValueSatisfying(refusal -> assertThat(refusal.status()).isEqualTo(401));
    assertThat(cluster.asked()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "bobs, 403, bob needs permission to get the nonResourceURL /actuator/status",
    "forged, 401, the cluster does not know this token",
    "storm, 503, the cluster cannot be asked whether this is permitted; try again"
  })
  void refusesWhomTheClusterDoesNotPermit(String token, int status, String message) {
    assertThat(guard.refusal(Optional.empty(), "Bearer " + token, "/actuator/status", "get"))
        .hasValueSatisfying(refusal -> {
          assertThat(refusal.status()).isEqualTo(status);
          assertThat(refusal.message()).isEqualTo(message);
        });
  }

  @Test
  void permitsReadingApartFromActing() {
    assertThat(guard.refusal(Optional.empty(), "bearer alices", "/actuator/status", "get"))
        .isEmpty();
    assertThat(guard.refusal(Optional.empty(), "bearer alices", "/actuator/resync", "post"))
        .hasValueSatisfying(refusal -> assertThat(refusal.status()).isEqualTo(403));
  }

  @Test
  void allowsNoUserWhileItDoesNotKnowTheCluster() {
    assertThat(guard.refusal(Optional.empty(), "Bearer alices", "/actuator/status", "get"))
        .isEmpty();
    known.set(Optional.empty());

    assertThat(guard.refusal(Optional.empty(), "Bearer alices", "/actuator/status", "get"))
        .hasValueSatisfying(refusal -> assertThat(refusal.status()).isEqualTo(503));
  }

  /** alice may read, bob may nothing, and one token brings the cluster down. */
  private static void review(StubServer.Asked asked, HttpExchange exchange) throws IOException {
    KubeObject review = KubeJson.readObject(asked.body());
    String token = review.text("spec", "token");
    if (token.equals("storm")) {
      StubServer.reply(exchange, 500, "text/plain", "down");
      return;
    }
    Map<String, Object> status =
        review.kind().equals("TokenReview")
            ? Map.of(
                "authenticated",
                !token.equals("forged"),
                "user",
                Map.of("username", token.replaceFirst("s$", "")))
            : Map.of(
                "allowed",
                review.text("spec", "user").equals("alice")
                    && review.text("spec", "nonResourceAttributes", "verb").equals("get"));
    StubServer.reply(
        exchange,
        201,
        "application/json",
        KubeJson.writeText(review.with(status, "status").tree()));
  }
}
