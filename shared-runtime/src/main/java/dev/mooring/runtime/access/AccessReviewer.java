package dev.mooring.runtime.access;

import com.google.common.base.Ticker;
import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.common.hash.HashCode;
import com.google.common.hash.Hashing;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Asks a cluster whether a bearer token's owner may use one of our own URLs: a TokenReview, then a
 * SubjectAccessReview for the URL's path and a verb. Answers are reused for a few seconds. Tokens
 * are never kept: a digest stands for them. Thread-safe.
 */
public final class AccessReviewer {
  /** Age up to which an answer is reused, and so for which a revoked permission may still work. */
  static final Duration KEPT = Duration.ofSeconds(10);

  /** Answers: more than one service's people and scrapers cause within {@link #KEPT}. */
  static final int KEPT_MAX = 1_000;

  private static final ResourceType TOKEN_REVIEWS =
      new ResourceType("authentication.k8s.io", "v1", "tokenreviews");

  private final Supplier<Optional<KubeClient>> cluster;
  private final Cache<Question, Access> answers;

  public AccessReviewer(KubeClient client, InstantSource clock) {
    this(() -> Optional.of(client), clock);
  }

  /**
   * @param cluster to ask; empty while it is not known. No answer outlives a change of it
   */
  public AccessReviewer(Supplier<Optional<KubeClient>> cluster, InstantSource clock) {
    this.cluster = cluster;
    this.answers =
        CacheBuilder.newBuilder()
            .maximumSize(KEPT_MAX)
            .expireAfterWrite(KEPT)
            .ticker(
                new Ticker() {
                  @Override
                  public long read() {
                    return Duration.between(Instant.EPOCH, clock.instant()).toNanos();
                  }
                })
            .build();
  }

  /**
   * @param path such as {@code /actuator/status}
   * @param verb {@code get} or {@code post}
   * @throws KubeFailure if the cluster could not say; access is denied then
   */
  public Access review(String bearerToken, String path, String verb) {
    KubeClient client =
        cluster
            .get()
            .orElseThrow(
                () -> KubeFailure.unavailable("the cluster to ask is not known yet", null));
    HashCode digest = Hashing.sha256().hashString(bearerToken, StandardCharsets.UTF_8);
    var question = new Question(client, digest, path, verb);
    Access kept = answers.getIfPresent(question);
    if (kept != null) {
      return kept;
    }
    Access access = ask(client, bearerToken, path, verb);
    answers.put(question, access);
    return access;
  }

  private static Access ask(KubeClient client, String bearerToken, String path, String verb) {
    KubeObject token =
        PermissionReviewer.review(
            client, TOKEN_REVIEWS, "TokenReview", Map.of("token", bearerToken));
    if (!Boolean.TRUE.equals(token.at("status", "authenticated"))) {
      return new Access.Unauthenticated();
    }
    Caller caller = Caller.of(token.map("status", "user"));
    return PermissionReviewer.permits(
            client, caller, "nonResourceAttributes", Map.of("path", path, "verb", verb))
        ? new Access.Granted(caller)
        : new Access.Denied(caller);
  }

  private record Question(KubeClient cluster, HashCode tokenDigest, String path, String verb) {}
}
