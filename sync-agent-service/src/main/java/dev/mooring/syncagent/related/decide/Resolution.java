package dev.mooring.syncagent.related.decide;

import java.util.List;
import java.util.Set;

/**
 * Which objects a related entry means for one primary.
 *
 * @param pairs in order, each once; the originals need not exist
 * @param queries what selectors matched against
 */
public record Resolution(List<RelatedPair> pairs, Set<LabelQuery> queries, Outcome outcome) {
  public Resolution {
    pairs = List.copyOf(pairs);
    queries = Set.copyOf(queries);
  }

  /** The primary does not name the objects yet. */
  public static Resolution pending(String message) {
    return new Resolution(List.of(), Set.of(), new Outcome.Pending(message));
  }

  /** As this, where further objects may be meant that are not seen. */
  public Resolution unclear(String reason, String message) {
    return outcome instanceof Outcome.Complete
        ? new Resolution(pairs, queries, new Outcome.Unclear(reason, message))
        : this;
  }

  /** How far the entry could be followed. */
  public sealed interface Outcome {
    /** The pairs are all there are. */
    record Complete() implements Outcome {}

    /** The primary does not name the objects yet, which is no failure. */
    record Pending(String message) implements Outcome {}

    /** Further objects may be meant: no copy is removed. */
    record Unclear(String reason, String message) implements Outcome {}
  }
}
