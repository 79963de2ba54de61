package dev.mooring.sandbox.security.webhook;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.security.authorization.Authorizer;
import dev.mooring.sandbox.security.authorization.Decision;
import dev.mooring.sandbox.security.authorization.KubernetesAuthorizer;
import dev.mooring.sandbox.security.rbac.AuthorizationAttributes;
import dev.mooring.sandbox.security.user.EffectiveUsers;
import dev.mooring.sandbox.security.user.UserInfo;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends SubjectAccessReviews to a server (apiserver {@code plugin/pkg/authorizer/webhook}), one for
 * each user as whom the request counts until one is decided. Masters are allowed without. A server
 * that cannot be asked has no opinion. Answers are cached. Thread-safe.
 */
public final class AuthorizationWebhook implements Authorizer, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AuthorizationWebhook.class);
  private static final int CACHED_MAX = 8192;
  private static final String GROUP = "authorization.k8s.io/";
  private static final List<String> CLUSTER_KEYS =
      List.of("authorization.kubernetes.io/cluster-name", "authorization.kcp.io/cluster-name");
  private static final Decision NO_OPINION = new Decision.NoOpinion("");

  private final String version;
  private final ReviewClient client;
  private final Cache<Map<String, Object>, Decision> allowed;
  private final Cache<Map<String, Object>, Decision> others;

  /**
   * How long answers count.
   *
   * @param version of the reviews, such as {@code v1beta1}
   */
  public record Terms(String version, Duration allowed, Duration others) {
    /** Those of kcp. */
    public static final Terms DEFAULT =
        new Terms("v1beta1", Duration.ofMinutes(5), Duration.ofSeconds(30));
  }

  public AuthorizationWebhook(WebhookKubeconfig target, Terms terms) {
    this.version = terms.version();
    this.allowed = cache(terms.allowed());
    this.others = cache(terms.others());
    this.client = new ReviewClient(target);
  }

  private static Cache<Map<String, Object>, Decision> cache(Duration life) {
    return CacheBuilder.newBuilder().maximumSize(CACHED_MAX).expireAfterWrite(life).build();
  }

  @Override
  public Decision authorize(AuthorizationAttributes attributes) {
    if (KubernetesAuthorizer.ofMasters(attributes)) {
      return new Decision.Allowed("");
    }
    List<UserInfo> users =
        attributes
            .cluster()
            .map(cluster -> EffectiveUsers.in(cluster, attributes.user()))
            .orElseGet(() -> List.of(attributes.user()));
    Decision last = NO_OPINION;
    for (UserInfo user : users) {
      last = ask(spec(user, attributes));
      if (!(last instanceof Decision.NoOpinion)) {
        return last;
      }
    }
    return last;
  }

  private Decision ask(Map<String, Object> spec) {
    Decision known = allowed.getIfPresent(spec);
    known = known == null ? others.getIfPresent(spec) : known;
    if (known != null) {
      return known;
    }
    try {
      Decision answer = post(spec);
      (answer.allowed() ? allowed : others).put(spec, answer);
      return answer;
    } catch (InterruptedException closing) {
      Thread.currentThread().interrupt();
      return NO_OPINION;
    } catch (IOException e) {
      LOG.warn("A request could not be authorized: {}", e.getMessage());
      return NO_OPINION;
    }
  }

  private Decision post(Map<String, Object> spec) throws IOException, InterruptedException {
    var review = new LinkedHashMap<String, Object>();
    review.put("kind", "SubjectAccessReview");
    review.put("apiVersion", GROUP + version);
    review.put("metadata", Map.of());
    review.put("spec", spec);
    review.put("status", Map.of("allowed", false));
    return decision(client.post(review));
  }

  private static Decision decision(KubeObject review) {
    String reason = review.text("status", "reason");
    if (Boolean.TRUE.equals(review.at("status", "denied"))) {
      return new Decision.Denied(reason);
    }
    return Boolean.TRUE.equals(review.at("status", "allowed"))
        ? new Decision.Allowed(reason)
        : new Decision.NoOpinion(reason);
  }

  private Map<String, Object> spec(UserInfo user, AuthorizationAttributes attributes) {
    var spec = new LinkedHashMap<String, Object>();
    switch (attributes.target()) {
      case AuthorizationAttributes.Url(String path) ->
          spec.put("nonResourceAttributes", Map.of("path", path, "verb", attributes.verb()));
      case AuthorizationAttributes.Resource resource ->
          spec.put("resourceAttributes", tree(resource, attributes.verb()));
    }
    Trees.putUnlessEmpty(spec, "user", user.name());
    if (!user.groups().isEmpty()) {
      // v1beta1 alone names groups so.
      spec.put(version.equals("v1beta1") ? "group" : "groups", user.groups());
    }
    var extra = new LinkedHashMap<String, Object>(user.extra());
    attributes
        .cluster()
        .map(LogicalCluster::name)
        .ifPresent(cluster -> CLUSTER_KEYS.forEach(key -> extra.put(key, List.of(cluster))));
    if (!extra.isEmpty()) {
      spec.put("extra", extra);
    }
    Trees.putUnlessEmpty(spec, "uid", user.uid());
    return spec;
  }

  private static Map<String, Object> tree(AuthorizationAttributes.Resource resource, String verb) {
    var tree = new LinkedHashMap<String, Object>();
    Trees.putUnlessEmpty(tree, "namespace", resource.namespace());
    Trees.putUnlessEmpty(tree, "verb", verb);
    Trees.putUnlessEmpty(tree, "group", resource.group());
    Trees.putUnlessEmpty(tree, "version", resource.version());
    Trees.putUnlessEmpty(tree, "resource", resource.resource());
    Trees.putUnlessEmpty(tree, "subresource", resource.subresource());
    Trees.putUnlessEmpty(tree, "name", resource.name());
    return tree;
  }

  @Override
  public void close() {
    client.close();
  }
}
