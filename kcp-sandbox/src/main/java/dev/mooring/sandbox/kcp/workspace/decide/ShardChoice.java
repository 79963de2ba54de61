package dev.mooring.sandbox.kcp.workspace.decide;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.selector.LabelSelector;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Chooses the shard of a new logical cluster. */
public final class ShardChoice {
  private static final String UNSCHEDULABLE = "experimental.core.kcp.io/unschedulable";

  private ShardChoice() {}

  /**
   * One of the shards that the workspace's {@code spec.location.selector} selects, none of those
   * that are marked as unschedulable. A function of the name of the logical cluster, by rendezvous
   * hashing: with one shard more, only the names that go to it move.
   */
  public static Optional<KubeObject> of(
      KubeObject workspace, List<KubeObject> shards, String cluster) {
    LabelSelector selector = LabelSelector.of(workspace.at("spec", "location", "selector"));
    return shards.stream()
        .filter(shard -> shard.annotation(UNSCHEDULABLE).isEmpty())
        .filter(shard -> selector.matches(shard.labels()))
        .max(
            Comparator.comparingLong((KubeObject shard) -> weight(cluster, shard.name()))
                .thenComparing(KubeObject::name));
  }

  /** Spreads evenly: the finalizer of SplitMix64 (Steele, Lea, Flood 2014). */
  private static long weight(String cluster, String shard) {
    long mixed = ((long) cluster.hashCode() << 32) ^ (shard.hashCode() * 0x9E3779B97F4A7C15L);
    mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
    return mixed ^ (mixed >>> 31);
  }
}
