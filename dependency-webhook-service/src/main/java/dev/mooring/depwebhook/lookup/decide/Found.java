package dev.mooring.depwebhook.lookup.decide;

import dev.mooring.model.dependency.Blocker;
import dev.mooring.model.dependency.Blockers;
import java.util.List;
import java.util.function.Predicate;

/**
 * The blockers of one mode.
 *
 * @param rules that found them, in order, by qualified name
 * @param doubts why the references of some are undecidable, so that they count; a few
 */
public record Found(Blockers blockers, List<String> rules, List<String> doubts) {
  public static final Found NOTHING = new Found(Blockers.NONE, List.of(), List.of());

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
