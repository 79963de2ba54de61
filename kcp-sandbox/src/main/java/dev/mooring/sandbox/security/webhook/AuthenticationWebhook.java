package dev.mooring.sandbox.security.webhook;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.security.token.TokenWebhook;
import dev.mooring.sandbox.security.user.UserInfo;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends TokenReviews to a server (apiserver {@code plugin/pkg/authenticator/token/webhook}).
 * Answers are cached, failures to get one are not. Thread-safe.
 */
public final class AuthenticationWebhook implements TokenWebhook, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AuthenticationWebhook.class);
  private static final int CACHED_MAX = 8192;

  private final ReviewClient client;
  private final String apiVersion;
  private final Cache<Question, Answer> answers;

  private record Question(String token, List<String> audiences) {}

  /**
   * How TokenReviews are sent.
   *
   * @param version of the reviews, such as {@code v1beta1}
   * @param life how long an answer counts
   */
  public record Terms(String version, Duration life) {
    /** Those of kcp. */
    public static final Terms DEFAULT = new Terms("v1beta1", Duration.ofMinutes(2));
  }

  public AuthenticationWebhook(WebhookKubeconfig target, Terms terms) {
    this.client = new ReviewClient(target);
    this.apiVersion = "authentication.k8s.io/" + terms.version();
    this.answers =
        CacheBuilder.newBuilder().maximumSize(CACHED_MAX).expireAfterWrite(terms.life()).build();
  }

  @Override
  public Answer review(String token, List<String> audiences) {
    var question = new Question(token, audiences);
    Answer known = answers.getIfPresent(question);
    if (known != null) {
      return known;
    }
    try {
      Answer answer = answer(client.post(asked(question)));
      if (!(answer instanceof Answer.Unknown(String why)) || why.isEmpty()) {
        answers.put(question, answer);
      }
      return answer;
    } catch (InterruptedException closing) {
      Thread.currentThread().interrupt();
      return new Answer.Unknown("context canceled");
    } catch (IOException e) {
      LOG.warn("A token could not be reviewed: {}", e.getMessage());
      return new Answer.Unknown(String.valueOf(e.getMessage()));
    }
  }

  private Map<String, Object> asked(Question question) {
    var review = new LinkedHashMap<String, Object>();
    review.put("kind", "TokenReview");
    review.put("apiVersion", apiVersion);
    review.put("metadata", Map.of());
    var spec = new LinkedHashMap<String, Object>();
    spec.put("token", question.token());
    spec.put("audiences", question.audiences());
    review.put("spec", spec);
    review.put("status", Map.of("user", Map.of()));
    return review;
  }

  private static Answer answer(KubeObject review) {
    if (!Boolean.TRUE.equals(review.at("status", "authenticated"))) {
      return new Answer.Unknown(review.text("status", "error"));
    }
    var extra = new LinkedHashMap<String, List<String>>();
    review
        .map("status", "user", "extra")
        .forEach((key, values) -> extra.put(key, Trees.texts(values)));
    return new Answer.Known(
        new UserInfo(
            review.text("status", "user", "username"),
            review.text("status", "user", "uid"),
            Trees.texts(review.at("status", "user", "groups")),
            extra),
        Trees.texts(review.at("status", "audiences")));
  }

  @Override
  public void close() {
    client.close();
  }
}
