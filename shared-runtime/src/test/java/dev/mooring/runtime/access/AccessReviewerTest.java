package dev.mooring.runtime.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.StubServer;
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.runtime.time.ManualTime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AccessReviewerTest {
  private static final String STATUS = "/actuator/status";
  private static final Caller ALICE =
      new Caller("alice", "u1", List.of("viewers"), Map.of("scope", List.of("a")));

  @TempDir private Path directory;
  private final ManualTime time = new ManualTime();
  private StubServer server;
  private KubeConnection connection;
  private AccessReviewer reviewer;

  @BeforeEach
  void connects() {
    server = StubServer.start(StubServer.replying(500, "text/plain", ""));
    connection = server.connect(directory, "", "{token: own}");
    reviewer = new AccessReviewer(connection.client(), time);
    serve(true);
  }

  @AfterEach
  void closes() {
    connection.close();
    server.close();
  }

  @Test
  void asksWhoHoldsTheTokenAndThenWhatTheyMay() {
    assertThat(reviewer.review("alices", STATUS, "get")).isEqualTo(new Access.Granted(ALICE));

    assertThat(server.asked())
        .extracting(StubServer.Asked::target)
        .containsExactly(
            "/apis/authentication.k8s.io/v1/tokenreviews",
            "/apis/authorization.k8s.io/v1/subjectaccessreviews");
    KubeObject asked = KubeJson.readObject(server.lastAsked().body());
    assertThat(asked.map("spec"))
        .isEqualTo(
            Map.of(
                "user",
                "alice",
                "uid",
                "u1",
                "groups",
                List.of("viewers"),
                "extra",
                Map.of("scope", List.of("a")),
                "nonResourceAttributes",
                Map.of("path", STATUS, "verb", "get")));
  }

  @Test
  void deniesWhomTheClusterDenies() {
    serve(false);

    assertThat(reviewer.review("alices", STATUS, "post")).isEqualTo(new Access.Denied(ALICE));
  }

  @Test
  void asksNothingMoreAboutAnUnknownToken() {
    assertThat(reviewer.review("forged", STATUS, "get")).isEqualTo(new Access.Unauthenticated());
    assertThat(server.asked()).hasSize(1);
  }

  @Test
  void keepsAnAnswerForAWhileAndForItsOwnQuestionAlone() {
    reviewer.review("alices", STATUS, "get");
    serve(false);

    assertThat(reviewer.review("alices", STATUS, "get")).isInstanceOf(Access.Granted.class);
    assertThat(reviewer.review("alices", STATUS, "post")).isInstanceOf(Access.Denied.class);
    time.advance(AccessReviewer.KEPT.minus(Duration.ofMillis(1)));
    assertThat(reviewer.review("alices", STATUS, "get")).isInstanceOf(Access.Granted.class);
    time.advance(Duration.ofMillis(1));
    assertThat(reviewer.review("alices", STATUS, "get")).isInstanceOf(Access.Denied.class);
  }

  @Test
  void allowsNoUserWhenTheReviewFails() {
    server.now(StubServer.replying(503, "text/plain", "down"));

    assertThatThrownBy(() -> reviewer.review("alices", STATUS, "get"))
        .isInstanceOf(KubeFailure.class);
    serve(true);
    assertThat(reviewer.review("alices", STATUS, "get")).isInstanceOf(Access.Granted.class);
  }

  private void serve(boolean allowed) {
    server.now((asked, exchange) -> {
      KubeObject review = KubeJson.readObject(asked.body());
      Map<String, Object> status =
          switch (review.kind()) {
            case "TokenReview" ->
                review.text("spec", "token").equals("alices")
                    ? Map.of(
                        "authenticated",
                        true,
                        "user",
                        Map.of(
                            "username", ALICE.username(),
                            "uid", ALICE.uid(),
                            "groups", ALICE.groups(),
                            "extra", ALICE.extra()))
                    : Map.of("error", "unknown");
            case "SubjectAccessReview" -> Map.of("allowed", allowed);
            default -> throw new AssertionError(review.kind());
          };
      StubServer.reply(
          exchange,
          201,
          "application/json",
          KubeJson.writeText(review.with(status, "status").tree()));
    });
  }
}
