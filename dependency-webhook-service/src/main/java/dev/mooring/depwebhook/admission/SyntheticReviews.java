package dev.mooring.depwebhook.admission;

import dev.mooring.depwebhook.rules.decide.RuleIndex;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Dry runs about an object that does not exist, in the workspaces of rules' authors: the first
 * review of each kind loads hundreds of classes, which takes most of a second.
 */
public final class SyntheticReviews {
  private static final String NAME = "mooring-start-up";

  /** Rules have few forms. */
  private static final int RULES_MAX = 4;

  private SyntheticReviews() {}

  /** One without effect, and two for each of a few rules. */
  public static List<byte[]> of(RuleIndex rules) {
    Stream<Map<String, Object>> ofRules =
        rules.rules().stream()
            .sorted(Comparator.comparing(DependencyRule::qualifiedName))
            .limit(RULES_MAX)
            .flatMap(SyntheticReviews::of);
    return Stream.concat(
            Stream.of(Map.<String, Object>of("uid", NAME, "operation", "CONNECT")), ofRules)
        .map(request ->
            KubeObject.of(
                Map.of(
                    "apiVersion",
                    ReviewEncoder.API_VERSION,
                    "kind",
                    ReviewEncoder.KIND,
                    "request",
                    request)))
        .map(KubeJson::write)
        .toList();
  }

  private static Stream<Map<String, Object>> of(DependencyRule rule) {
    LogicalCluster cluster = rule.key().cluster();
    return Stream.concat(
        rule.dependencies().stream()
            .limit(1)
            .map(dependency -> request("DELETE", "oldObject", dependency.target(), cluster)),
        Stream.of(request("CREATE", "object", rule.dependent().type(), cluster)));
  }

  private static Map<String, Object> request(
      String operation, String field, ResourceType type, LogicalCluster cluster) {
    Map<String, Object> object =
        Map.of(
            "apiVersion",
            type.apiVersion(),
            "kind",
            "Synthetic",
            "metadata",
            Map.of(
                "name",
                NAME,
                "namespace",
                "default",
                "annotations",
                Map.of(LogicalCluster.ANNOTATION, cluster.name())));
    return Map.of(
        "uid",
        NAME,
        "operation",
        operation,
        "dryRun",
        true,
        "resource",
        Map.of("group", type.group(), "version", type.version(), "resource", type.resource()),
        "userInfo",
        Map.of("username", NAME),
        field,
        object);
  }
}
