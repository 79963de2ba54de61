package dev.mooring.sandbox.kcp.claim.decide;

import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.selector.LabelSelector;
import java.util.LinkedHashMap;
import java.util.Map;

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
    LabelSelector selector = LabelSelector.of(tree);
    return matchesAll() || !selector.matchesEverything() && selector.matches(labels);
  }
}
