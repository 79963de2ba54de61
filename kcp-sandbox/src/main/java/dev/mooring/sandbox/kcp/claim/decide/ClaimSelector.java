package dev.mooring.sandbox.kcp.claim.decide;

import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.selector.LabelSelector;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Which of a claimed resource's objects a consumer grants: all of them, or those whose labels meet
 * every requirement. Without {@code matchAll} and without requirements nothing matches. An unknown
 * operator matches nothing, so that a grant is never wider than the consumer wrote.
 */
public record ClaimSelector(Map<String, Object> tree) {
  public ClaimSelector {
    tree = Trees.freezeMap(tree);
  }

  public static ClaimSelector all() {
    return new ClaimSelector(Map.of("matchAll", true));
  }

  /** Of a claim of an APIBinding. */
  public static ClaimSelector ofClaim(Object claim) {
    return new ClaimSelector(Trees.map(claim, "selector"));
  }

  /** Fields that have no meaning next to {@code matchAll}. */
  public List<String> contradictions() {
    return Stream.of("matchLabels", "matchExpressions")
        .filter(part -> matchesAll() && isFilled(part))
        .toList();
  }

  /** Whether it selects neither all nor by labels. */
  public boolean isEmpty() {
    return !matchesAll() && !isFilled("matchLabels") && !isFilled("matchExpressions");
  }

  private boolean isFilled(String part) {
    return !Trees.mapOrEmpty(tree.get(part)).isEmpty()
        || !Trees.listOrEmpty(tree.get(part)).isEmpty();
  }

  public boolean matchesAll() {
    return Boolean.TRUE.equals(tree.get("matchAll"));
  }

  /** The labels that objects must have, with their values. */
  Map<String, String> labels() {
    var labels = new LinkedHashMap<String, String>();
    Trees.map(tree, "matchLabels")
        .forEach((key, value) -> labels.put(key, Trees.textOrEmpty(value)));
    return labels;
  }

  public boolean matches(Map<String, String> labels) {
    LabelSelector selector = LabelSelector.of(tree);
    return matchesAll() || !selector.matchesEverything() && selector.matches(labels);
  }
}
