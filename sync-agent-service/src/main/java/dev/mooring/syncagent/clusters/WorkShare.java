package dev.mooring.syncagent.clusters;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.runtime.lease.Share;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * The logical clusters that this replica works on, and those that it is working in. Thread-safe.
 */
public final class WorkShare {
  private final ConcurrentHashMap<LogicalCluster, Integer> underWay = new ConcurrentHashMap<>();
  private volatile Share share;

  public WorkShare(Share share) {
    this.share = share;
  }

  /** Work in one logical cluster, until it is closed. */
  @FunctionalInterface
  public interface Work extends AutoCloseable {
    @Override
    void close();
  }

  /** No work is begun outside of this any more; what is under way goes on. */
  public void divide(Share another) {
    share = another;
  }

  public Share share() {
    return share;
  }

  public boolean owns(LogicalCluster cluster) {
    return share.owns(cluster);
  }

  /** Empty if the cluster is another replica's. */
  public Optional<Work> begin(LogicalCluster cluster) {
    // Counted first: after a division changed, either it is seen here or it is not begun.
    underWay.merge(cluster, 1, Integer::sum);
    Work work =
        () -> underWay.computeIfPresent(cluster, (_, count) -> count == 1 ? null : count - 1);
    if (owns(cluster)) {
      return Optional.of(work);
    }
    work.close();
    return Optional.empty();
  }

  public boolean isWorkingOutside(Predicate<LogicalCluster> owned) {
    return underWay.keySet().stream().anyMatch(owned.negate());
  }

  /**
   * As {@link #begin}, for a Namespace of the service cluster: while replicas divide the work, only
   * one that has a logical cluster's name is known to be one replica's alone.
   */
  Optional<Work> beginIn(String namespace) {
    return share.equals(Share.EVERYTHING)
        ? Optional.of(() -> {})
        : LogicalCluster.parse(namespace).flatMap(this::begin);
  }
}
