package dev.mooring.sandbox.kcp.claim.decide;

import dev.mooring.model.object.Trees;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Which of a claimed resource's objects a consumer grants: all of them, or those whose labels meet
 * every requirement. Without {@code matchAll} and without requirements nothing matches.
 */
public record ClaimSelector(Map<String, Object> tree) {
  public ClaimSelector {
    tree = Trees.freezeMap(tree);
  }

  public static ClaimSelector all() {
    return new ClaimSelector(Map.of("matchAll", true));
  }

  public boolean matchesAll() {
    return Boolean.TRUE.equals(tree.get("matchAll"));
  }

  /** The labels that objects must have, with their values. */
  Map<String, String> labels() {
    var labels = new LinkedHashMap<String, String>();
    Trees.mapOrEmpty(tree.get("matchLabels"))
        .forEach((key, value) -> labels.put(key, Trees.textOrEmpty(value)));
    return labels;
  }

  public boolean matches(Map<String, String> labels) {
    if (matchesAll()) {
      return true;
    }
    List<Predicate<Map<String, String>>> requirements = requirements();
    return !requirements.isEmpty() && requirements.stream().allMatch(r -> r.test(labels));
  }

  private List<Predicate<Map<String, String>>> requirements() {
    var requirements = new ArrayList<Predicate<Map<String, String>>>();
    Trees.mapOrEmpty(tree.get("matchLabels"))
        .forEach((key, value) -> requirements.add(labels -> value.equals(labels.get(key))));
    for (Object item : Trees.listOrEmpty(tree.get("matchExpressions"))) {
      requirements.add(expression(Trees.mapOrEmpty(item)));
    }
    return requirements;
  }

  /**
   * An unknown operator matches nothing, so that a grant is never wider than the consumer wrote.
   */
  private static Predicate<Map<String, String>> expression(Map<String, Object> expression) {
    String key = Trees.textOrEmpty(expression.get("key"));
    Set<String> values =
        Trees.listOrEmpty(expression.get("values")).stream()
            .map(Trees::textOrEmpty)
            .collect(Collectors.toUnmodifiableSet());
    return switch (Trees.textOrEmpty(expression.get("operator"))) {
      case "In" -> labels -> labels.containsKey(key) && values.contains(labels.get(key));
      case "NotIn" -> labels -> !labels.containsKey(key) || !values.contains(labels.get(key));
      case "Exists" -> labels -> labels.containsKey(key);
      case "DoesNotExist" -> labels -> !labels.containsKey(key);
      default -> labels -> false;
    };
  }
}
