package dev.mooring.sandbox.kcp.binding.decide;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.kcp.object.decide.KcpNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeMap;

/**
 * Which APIBinding serves which resource in a logical cluster, or whether it is kept for a
 * CustomResourceDefinition: an annotation of the LogicalCluster, so that two bindings cannot both
 * write it. As at kcp, a resource stays kept when its CustomResourceDefinition is deleted.
 */
public final class ResourceLocks {
  /** As who owns what belongs to no APIBinding. */
  private static final String OF_CRD = "";

  /** By {@code resource.group}. */
  private final Map<String, String> owners;

  private ResourceLocks(Map<String, String> owners) {
    this.owners = owners;
  }

  public static ResourceLocks in(KubeObject logicalCluster) {
    var owners = new TreeMap<String, String>();
    logicalCluster
        .annotation(KcpNames.RESOURCE_BINDINGS)
        .map(KubeJson::read)
        .map(Trees::mapOrEmpty)
        .orElse(Map.of())
        .forEach((resource, lock) -> owners.put(resource, Trees.text(lock, "n")));
    return new ResourceLocks(owners);
  }

  Optional<String> ownerOf(String resource) {
    return Optional.ofNullable(owners.get(resource));
  }

  /**
   * The LogicalCluster with free ones of these resources taken; itself if there is nothing to take.
   */
  static KubeObject taken(KubeObject logicalCluster, List<String> resources, String binding) {
    ResourceLocks before = in(logicalCluster);
    var after = new TreeMap<>(before.owners);
    resources.forEach(resource -> after.putIfAbsent(resource, binding));
    return after.equals(before.owners) ? logicalCluster : written(logicalCluster, after);
  }

  /** As {@link #taken}, for CustomResourceDefinitions, by their names. */
  public static KubeObject takenByCrds(KubeObject logicalCluster, List<String> resources) {
    return taken(logicalCluster, resources, OF_CRD);
  }

  /** The LogicalCluster without any lock of this binding; itself if it had none. */
  public static KubeObject released(KubeObject logicalCluster, String binding) {
    ResourceLocks before = in(logicalCluster);
    var after = new TreeMap<>(before.owners);
    after.values().removeIf(binding::equals);
    return after.equals(before.owners) ? logicalCluster : written(logicalCluster, after);
  }

  /** As Go prints the map of what was skipped. */
  static String described(SequencedMap<String, String> skipped) {
    var parts = new ArrayList<String>();
    skipped.forEach(
        (resource, owner) -> parts.add(resource + ":{" + owner + " " + owner.equals(OF_CRD) + "}"));
    return "map[" + String.join(" ", parts) + "]";
  }

  private static KubeObject written(KubeObject logicalCluster, Map<String, String> owners) {
    var tree = new TreeMap<String, Object>();
    owners.forEach((resource, owner) ->
        tree.put(resource, owner.equals(OF_CRD) ? Map.of("c", true) : Map.of("n", owner)));
    return logicalCluster.with(
        KubeJson.writeText(tree), "metadata", "annotations", KcpNames.RESOURCE_BINDINGS);
  }
}
