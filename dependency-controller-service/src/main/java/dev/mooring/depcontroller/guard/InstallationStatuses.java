package dev.mooring.depcontroller.guard;

import dev.mooring.depcontroller.guard.decide.Installation;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The outcome of each provider's last reconciliation. For reports only: no decision uses it.
 * Thread-safe.
 */
public final class InstallationStatuses {
  private final ConcurrentSkipListMap<LogicalCluster, Installation> installations =
      new ConcurrentSkipListMap<>();

  private final ConcurrentSkipListMap<LogicalCluster, SortedSet<ObjectKey>> shrinkBlockedBy =
      new ConcurrentSkipListMap<>();

  /** Returns whether it changed. */
  boolean put(LogicalCluster provider, Installation installation) {
    return !installation.equals(installations.put(provider, installation));
  }

  /** Returns whether it was present. */
  boolean remove(LogicalCluster provider) {
    return installations.remove(provider) != null;
  }

  /**
   * Sets the rules that keep a provider's protection from shrinking.
   *
   * @param rules that may name it; none if nothing is blocked
   * @return whether they changed
   */
  boolean putShrinkBlockedBy(LogicalCluster provider, SortedSet<ObjectKey> rules) {
    return rules.isEmpty()
        ? shrinkBlockedBy.remove(provider) != null
        : !rules.equals(shrinkBlockedBy.put(provider, rules));
  }

  public Map<LogicalCluster, Installation> all() {
    return new TreeMap<>(installations);
  }

  /** The rules that keep the protection of providers from shrinking. */
  public Map<LogicalCluster, SortedSet<ObjectKey>> shrinkBlockedBy() {
    return new TreeMap<>(shrinkBlockedBy);
  }
}
