package dev.mooring.depwebhook.admission;

import static dev.mooring.depwebhook.admission.ReviewFixture.UID;
import static dev.mooring.depwebhook.admission.ReviewFixture.VPC;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depwebhook.admission.ReviewHandler.Answer;
import dev.mooring.depwebhook.admission.WebhookEntry.Kind;
import dev.mooring.depwebhook.admission.decide.Outcome;
import dev.mooring.depwebhook.reading.Deadline;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Reviews that are to be refused as they are, with every field in turn made what it should not be,
 * and their text cut and broken at every byte.
 */
class MalformedReviewLaws {
  /** What a refusal may take: whoever asks pays for what he sends. */
  private static final int ANSWER_BYTES_MAX = 2_000;

  private static final String HUGE = "x".repeat(100_000);

  private final ReviewFixture ground = new ReviewFixture();

  static Stream<Arguments> reviews() {
    KubeObject deletion =
        ReviewFixture.deletion("net1", VPC)
            .with(
                Map.of(
                    "username",
                    "alice",
                    "groups",
                    List.of("system:authenticated"),
                    "extra",
                    Map.of("scopes", List.of("cluster:consumer1"))),
                "request",
                "userInfo")
            .with(false, "request", "dryRun")
            .with("u-1", "request", "oldObject", "metadata", "uid");
    Object vpc = deletion.at("request", "oldObject");
    KubeObject creation =
        deletion
            .with("CREATE", "request", "operation")
            .with(vpc, "request", "object")
            .without("request", "oldObject");
    return Stream.of(
        Arguments.of("DELETE", deletion),
        Arguments.of("CREATE", creation),
        Arguments.of(
            "UPDATE",
            creation.with("UPDATE", "request", "operation").with(vpc, "request", "oldObject")));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("reviews")
  void everyFieldOfAnyTypeGetsAWellFormedAnswer(String operation, KubeObject review) {
    for (List<String> path : paths(review.tree())) {
      for (Object value : values()) {
        byte[] body = KubeJson.write(review.with(value, path.toArray(String[]::new)));

        KubeObject answer = answer(body, path + " as " + abridged(value));

        if (!path.getLast().equals("uid") || path.size() > 2) {
          assertThat(answer.text("response", "uid"))
              .as(path + " as " + abridged(value))
              .isEqualTo(path.equals(List.of("request")) ? "" : UID);
        }
      }
    }
  }

  /** A field of the wrong type is none that is absent, empty or of the core group. */
  @Test
  void noDeletionIsAllowedBecauseAFieldCannotBeRead() {
    KubeObject review = (KubeObject) reviews().findFirst().orElseThrow().get()[1];
    for (List<String> path : paths(review.tree())) {
      Object there = review.at(path.toArray(String[]::new));
      for (Object value : List.of(5L, true, List.of("a"), Map.of("a", "b"), "text")) {
        if (value.getClass() == there.getClass()
            || value instanceof Map && there instanceof Map
            || value instanceof List && there instanceof List
            || there instanceof String && value.equals("text")) {
          continue;
        }
        byte[] body = KubeJson.write(review.with(value, path.toArray(String[]::new)));
        assertThat(answer(body, path + " as " + value).at("response", "allowed"))
            .as(path + " as " + value)
            .isEqualTo(false);
      }
      byte[] without = KubeJson.write(review.without(path.toArray(String[]::new)));
      if (!path.getLast().equals("namespace")) {
        assertThat(answer(without, "without " + path).at("response", "allowed"))
            .as("without " + path)
            .isEqualTo(false);
      }
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("reviews")
  void aTextThatIsCutOrBrokenAtAnyByteGetsAWellFormedAnswer(String operation, KubeObject review) {
    byte[] whole = KubeJson.write(review);
    var random = new Random(42);
    for (int at = 0; at < whole.length; at++) {
      answer(Arrays.copyOf(whole, at), "cut at " + at);
      for (int broken : List.of(0xff, 0xc3, 0x00, random.nextInt(256))) {
        byte[] body = whole.clone();
        body[at] = (byte) broken;
        answer(body, "byte " + at + " as " + broken);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("documents")
  void aDocumentOfAnyKindGetsAWellFormedAnswer(String name, byte[] body) {
    KubeObject answer = answer(body, name);

    assertThat(answer.at("response", "allowed")).isEqualTo(false);
    assertThat(answer.at("response", "status", "code")).isEqualTo(400L);
  }

  static Stream<Arguments> documents() {
    return Stream.of(
        Arguments.of("maps in maps", bytes("{\"a\":".repeat(100_000))),
        Arguments.of("lists in lists", bytes("[".repeat(100_000))),
        Arguments.of("a number without end", bytes("{\"a\":" + "9".repeat(100_000) + "}")),
        Arguments.of("a name without end", bytes("{\"" + HUGE + "\":1}")),
        Arguments.of("a far exponent", bytes("{\"a\":1e999999999}")),
        Arguments.of(
            "half a character's escape",
            bytes("{\"kind\":\"\\ud83d\",\"request\":{\"uid\":\"r\\ud83d\"}}")),
        Arguments.of("UTF-16", "{\"kind\":\"AdmissionReview\"}".getBytes(StandardCharsets.UTF_16)),
        Arguments.of("UTF-32", new byte[] {0, 0, 0, '{', 0, 0x11, 0, 0, 0, 0, 0, '}'}),
        Arguments.of("half a character", new byte[] {'{', '"', (byte) 0xf0, (byte) 0x9f}),
        Arguments.of("nothing but zeros", new byte[1_000]));
  }

  private KubeObject answer(byte[] body, String what) {
    Answer answer =
        ground.handler().handleReview(body, new WebhookEntry("", Kind.DENYING), Deadline.none());

    KubeObject review = KubeJson.readObject(answer.body());
    assertThat(review.apiVersion()).as(what).isEqualTo("admission.k8s.io/v1");
    assertThat(review.kind()).as(what).isEqualTo("AdmissionReview");
    assertThat(review.at("response", "allowed")).as(what).isInstanceOf(Boolean.class);
    assertThat(answer.outcome()).as(what).isNotEqualTo(Outcome.FAILED);
    if (Boolean.FALSE.equals(review.at("response", "allowed"))) {
      assertThat(review.text("response", "status", "message")).as(what).isNotEmpty();
      assertThat(answer.body()).as(what).hasSizeLessThan(ANSWER_BYTES_MAX);
    }
    return review;
  }

  private static List<Object> values() {
    Object deep = "bottom";
    for (int i = 0; i < Trees.DEPTH_MAX - 32; i++) {
      deep = List.of(deep);
    }
    var values = new ArrayList<Object>();
    values.add(null);
    values.addAll(
        List.of("", "text", HUGE, "a\nb\u0000", 5L, -1.5, true, List.of(), Map.of(), deep));
    return values;
  }

  /** Of every map's fields. */
  private static List<List<String>> paths(Map<String, Object> tree) {
    var paths = new ArrayList<List<String>>();
    tree.forEach((name, value) -> {
      if (value != null) {
        paths.add(List.of(name));
      }
      for (List<String> below : paths(Trees.mapOrEmpty(value))) {
        paths.add(Stream.concat(Stream.of(name), below.stream()).toList());
      }
    });
    return paths;
  }

  private static String abridged(Object value) {
    String text = String.valueOf(value);
    return text.length() < 50 ? text : text.substring(0, 50) + "…";
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
