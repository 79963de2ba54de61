package dev.mooring.sandbox.kcp.workspace.decide;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.kcp.object.decide.Conditions;
import dev.mooring.sandbox.kcp.object.decide.Conditions.Severity;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What is left in a logical cluster that is being deleted.
 *
 * @param state of all of it
 * @param resources number of objects by {@code resource.group}, of cluster-scoped resources that no
 *     APIBinding adds; as kcp reports them
 * @param finalizers number of those objects by finalizer
 * @param refusal why the deletion of some objects was denied; empty if none was
 */
public record ClusterContent(
    State state,
    SortedMap<String, Integer> resources,
    SortedMap<String, Integer> finalizers,
    Optional<String> refusal) {
  public static final String DELETED = "WorkspaceContentDeleted";

  /** Of the whole content. */
  public enum State {
    PRESENT,
    GONE
  }

  public ClusterContent {
    resources = Collections.unmodifiableSortedMap(new TreeMap<>(resources));
    finalizers = Collections.unmodifiableSortedMap(new TreeMap<>(finalizers));
  }

  /** Of a cluster that is not being deleted. */
  public static ClusterContent kept() {
    return new ClusterContent(State.PRESENT, new TreeMap<>(), new TreeMap<>(), Optional.empty());
  }

  /** The LogicalCluster with a condition that says what is left. */
  KubeObject reported(KubeObject cluster, String now) {
    var parts = new ArrayList<String>();
    if (!resources.isEmpty()) {
      parts.add(
          "Some resources are remaining: " + joined(resources, "%s has %d resource instances"));
    }
    if (!finalizers.isEmpty()) {
      parts.add(
          "Some content in the logical cluster has finalizers remaining: "
              + joined(finalizers, "%s in %d resource instances"));
    }
    if (!parts.isEmpty()) {
      return Conditions.unmet(
          cluster, DELETED, Severity.INFO, "SomeResourcesRemain", String.join("; ", parts), now);
    }
    return refusal
        .map(why ->
            Conditions.unmet(cluster, DELETED, Severity.ERROR, "ContentDeletionFailed", why, now))
        .orElse(cluster);
  }

  private static String joined(SortedMap<String, Integer> counts, String form) {
    return counts.entrySet().stream()
        .map((Map.Entry<String, Integer> count) -> form.formatted(count.getKey(), count.getValue()))
        .collect(Collectors.joining(", "));
  }
}
