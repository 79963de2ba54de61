package dev.mooring.depwebhook.lookup.decide;

import dev.mooring.model.dependency.Mode;
import java.util.List;
import java.util.Map;

/** The referrers of a target, or why they are unknown. */
public sealed interface Lookup {
  /**
   * Every dependent type was read, or enough to deny.
   *
   * @param found by mode; modes without a blocker are left out
   * @param unchecked failed reads of dependents about which rules only warn
   */
  record Complete(Map<Mode, Found> found, List<String> unchecked) implements Lookup {
    public Complete {
      found = Map.copyOf(found);
      unchecked = List.copyOf(unchecked);
    }

    public Found of(Mode mode) {
      return found.getOrDefault(mode, Found.NOTHING);
    }
  }

  /**
   * A read failed.
   *
   * @param missing which read, for which rules, why, and what to do
   * @param callerMessage whether a retry may help; names neither rules nor grants
   */
  record Incomplete(String missing, String callerMessage) implements Lookup {}
}
