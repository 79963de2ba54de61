package dev.mooring.depwebhook.lookup.decide;

import dev.mooring.model.dependency.Blocker;
import dev.mooring.model.dependency.Blockers;
import dev.mooring.model.dependency.Mode;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** The referrers of a target, or why they are unknown. */
public sealed interface LookupResult {
  /** Nothing that an eligible rule denies the deletion for. */
  default boolean allowsDeletion() {
    return this instanceof Complete complete && complete.of(Mode.DENY).isEmpty();
  }

  /**
   * Every dependent type was read, or enough to deny.
   *
   * @param found by mode; modes without a blocker are left out
   * @param unchecked failed reads of dependents about which rules only warn
   */
  record Complete(Map<Mode, Found> found, List<String> unchecked) implements LookupResult {
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
  record Incomplete(String missing, String callerMessage) implements LookupResult {}

  /** A conflicting request is in flight: a retry helps. */
  record Contended(ClientRefusal refusal) implements LookupResult {}

  /**
   * The blockers of one mode.
   *
   * @param rules that found them, in order, by qualified name
   * @param doubts why the references of some are undecidable, so that they count; a few
   */
  record Found(Blockers blockers, List<String> rules, List<String> doubts) {
    private static final Found NOTHING = new Found(Blockers.NONE, List.of(), List.of());

    public Found {
      rules = List.copyOf(rules);
      doubts = List.copyOf(doubts);
    }

    /** Names only objects that a reader may list. A doubt names an object, too. */
    public Found naming(Predicate<Blocker> shown) {
      Blockers left = blockers.naming(shown);
      return new Found(left, rules, left.hidden() == 0 ? doubts : List.of());
    }

    public boolean isEmpty() {
      return blockers.isEmpty();
    }
  }
}
