package dev.mooring.depwebhook.admission;

import dev.mooring.depwebhook.admission.WebhookEntry.Kind;
import dev.mooring.depwebhook.rules.decide.RuleIndex;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Reviews about an object that does not exist, in the workspaces of rules' authors: the first
 * review of each kind loads hundreds of classes, which takes most of a second. They are dry runs,
 * but for notifications, which would be ignored then: those are about an object that bypasses no
 * rule. So no decision is reported.
 */
public final class SyntheticReviews {
  private static final String NAME = "mooring-start-up";

  /** Rules have few forms. */
  private static final int RULES_MAX = 4;

  private SyntheticReviews() {}

  /** One without effect, and for each of a few rules a creation and a deletion of each kind. */
  public static void evaluate(RuleIndex rules, ReviewLimiter reviews) throws IOException {
    evaluate(Kind.DENYING, Map.of("uid", NAME, "operation", "CONNECT"), reviews);
    List<DependencyRule> few =
        rules.rules().stream()
            .sorted(Comparator.comparing(DependencyRule::qualifiedName))
            .limit(RULES_MAX)
            .toList();
    for (DependencyRule rule : few) {
      LogicalCluster cluster = rule.key().cluster();
      ResourceType target = rule.dependencies().getFirst().target();
      for (Kind kind : Kind.values()) {
        evaluate(kind, request(kind, "DELETE", "oldObject", target, cluster), reviews);
      }
      ResourceType type = rule.dependent().type();
      evaluate(Kind.DENYING, request(Kind.DENYING, "CREATE", "object", type, cluster), reviews);
    }
  }

  private static void evaluate(Kind kind, Map<String, Object> request, ReviewLimiter reviews)
      throws IOException {
    var review =
        Map.of(
            "apiVersion", ReviewEncoder.API_VERSION,
            "kind", ReviewEncoder.KIND,
            "request", request);
    byte[] body = KubeJson.write(KubeObject.of(review));
    reviews.limit(new ByteArrayInputStream(body), body.length, new WebhookEntry("", kind), "");
  }

  private static Map<String, Object> request(
      Kind kind, String operation, String field, ResourceType type, LogicalCluster cluster) {
    var metadata =
        Map.of(
            "name",
            NAME,
            "namespace",
            "default",
            "annotations",
            Map.of(LogicalCluster.ANNOTATION, cluster.name()));
    var object = Map.of("apiVersion", type.apiVersion(), "kind", "Synthetic", "metadata", metadata);
    var resource =
        Map.of("group", type.group(), "version", type.version(), "resource", type.resource());
    return Map.of(
        "uid",
        NAME,
        "operation",
        operation,
        "dryRun",
        kind != Kind.NOTIFYING,
        "resource",
        resource,
        "userInfo",
        Map.of("username", NAME),
        field,
        object);
  }
}
