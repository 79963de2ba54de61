package dev.mooring.depcontroller.guard;

import dev.mooring.depcontroller.guard.decide.Installation;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * What became of each provider's workspace when it was last looked at. For reports only: nothing is
 * decided by it. Thread-safe.
 */
public final class InstallationStatuses {
  private final ConcurrentSkipListMap<LogicalCluster, Installation> installations =
      new ConcurrentSkipListMap<>();

  private final ConcurrentSkipListMap<LogicalCluster, SortedSet<ObjectKey>> shrinkBlockedBy =
      new ConcurrentSkipListMap<>();

  /** Whether that is news. */
  boolean put(LogicalCluster provider, Installation installation) {
    return !installation.equals(installations.put(provider, installation));
  }

  /** Whether it was there. */
  boolean remove(LogicalCluster provider) {
    return installations.remove(provider) != null;
  }

  /**
   * What keeps a provider's protection from shrinking.
   *
   * @param rules that may be about it; none if nothing is held up
   * @return whether that is news
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
