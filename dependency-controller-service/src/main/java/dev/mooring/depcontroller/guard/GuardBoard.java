package dev.mooring.depcontroller.guard;

import dev.mooring.depcontroller.guard.decide.Installation;
import dev.mooring.model.identity.LogicalCluster;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * What became of each provider's workspace when it was last looked at. For reports only: nothing is
 * decided by it. Thread-safe.
 */
public final class GuardBoard {
  private final ConcurrentSkipListMap<LogicalCluster, Installation> installations =
      new ConcurrentSkipListMap<>();

  /** Whether that is news. */
  boolean put(LogicalCluster provider, Installation installation) {
    return !installation.equals(installations.put(provider, installation));
  }

  /** Whether it was there. */
  boolean remove(LogicalCluster provider) {
    return installations.remove(provider) != null;
  }

  public Map<LogicalCluster, Installation> all() {
    return new TreeMap<>(installations);
  }
}
