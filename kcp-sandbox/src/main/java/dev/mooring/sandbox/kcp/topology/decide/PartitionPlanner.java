package dev.mooring.sandbox.kcp.topology.decide;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.kcp.object.decide.Conditions;
import dev.mooring.sandbox.selector.LabelSelector;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Divides the shards that a PartitionSet selects by the values that their labels have in its
 * dimensions: a Partition for each combination that some shard has.
 */
public final class PartitionPlanner {
  private static final ResourceType PARTITIONS =
      new ResourceType("topology.kcp.io", "v1alpha1", "partitions");
  private static final String VALID = "PartitionSetValid";
  private static final String READY = "PartitionsReady";
  private static final int NAME_MAX = 252;

  private PartitionPlanner() {}

  /**
   * What to write, in this order.
   *
   * @param stale partitions that fit no more
   * @param missing partitions to create, with a {@code generateName}
   * @param set with its status
   */
  public record Plan(List<KubeObject> stale, List<KubeObject> missing, KubeObject set) {}

  /**
   * @param shards all there are
   * @param owned the partitions that the set has
   * @param now RFC 3339
   */
  public static Plan plan(
      KubeObject set, List<KubeObject> shards, List<KubeObject> owned, String now) {
    var wanted = new ArrayList<SortedMap<String, String>>();
    LabelSelector selector = LabelSelector.of(set.at("spec", "shardSelector"));
    for (KubeObject shard : shards) {
      labels(set, shard)
          .filter(labels -> selector.matches(shard.labels()) && !wanted.contains(labels))
          .ifPresent(wanted::add);
    }
    var missing = new ArrayList<>(wanted);
    var stale = new ArrayList<KubeObject>();
    for (KubeObject partition : owned) {
      boolean fits =
          expressions(partition, "selector").equals(expressions(set, "shardSelector"))
              && wanted.contains(matchLabels(partition, "selector"));
      if (fits) {
        missing.remove(matchLabels(partition, "selector"));
      } else {
        stale.add(partition);
      }
    }
    KubeObject after = Conditions.met(set, VALID, now);
    after = Conditions.met(after, READY, now);
    after =
        wanted.isEmpty()
            ? after.without("status", "count")
            : after.with((long) wanted.size(), "status", "count");
    return new Plan(stale, missing.stream().map(labels -> partition(set, labels)).toList(), after);
  }

  /** The labels that tell the shard's partition; empty if the shard lacks one of them. */
  private static Optional<SortedMap<String, String>> labels(KubeObject set, KubeObject shard) {
    var keys = new TreeSet<>(dimensions(set));
    keys.addAll(matchLabels(set, "shardSelector").keySet());
    var labels = new TreeMap<String, String>();
    keys.forEach(key -> {
      if (shard.labels().containsKey(key)) {
        labels.put(key, shard.labels().get(key));
      }
    });
    return labels.isEmpty() || labels.size() < keys.size() ? Optional.empty() : Optional.of(labels);
  }

  private static TreeSet<String> dimensions(KubeObject set) {
    return new TreeSet<>(Trees.texts(set.at("spec", "dimensions")));
  }

  private static SortedMap<String, String> matchLabels(KubeObject object, String selector) {
    var labels = new TreeMap<String, String>();
    object
        .map("spec", selector, "matchLabels")
        .forEach((key, value) -> labels.put(key, Trees.textOrEmpty(value)));
    return labels;
  }

  private static List<Object> expressions(KubeObject object, String selector) {
    return object.list("spec", selector, "matchExpressions");
  }

  private static KubeObject partition(KubeObject set, SortedMap<String, String> labels) {
    var name = new StringBuilder(set.name());
    for (String dimension : dimensions(set)) {
      name.append('-').append(labels.getOrDefault(dimension, "").toLowerCase(Locale.ROOT));
    }
    var selector = new LinkedHashMap<String, Object>();
    if (!expressions(set, "shardSelector").isEmpty()) {
      selector.put("matchExpressions", expressions(set, "shardSelector"));
    }
    selector.put("matchLabels", labels);
    Map<String, Object> owner =
        Map.of(
            "apiVersion",
            PARTITIONS.apiVersion(),
            "blockOwnerDeletion",
            true,
            "controller",
            true,
            "kind",
            "PartitionSet",
            "name",
            set.name(),
            "uid",
            set.uid());
    String prefix = name.substring(0, Math.min(NAME_MAX, name.length())) + "-";
    return KubeObject.of(PARTITIONS, "Partition", "", "")
        .with(prefix, "metadata", "generateName")
        .with(List.of(owner), "metadata", "ownerReferences")
        .with(selector, "spec", "selector");
  }
}
