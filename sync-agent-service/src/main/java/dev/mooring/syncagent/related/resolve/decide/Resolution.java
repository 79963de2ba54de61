package dev.mooring.syncagent.related.resolve.decide;

import dev.mooring.syncagent.related.share.decide.ClaimVisibility;
import dev.mooring.syncagent.related.sync.decide.CopyPlanner;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Which objects a related entry means for one primary.
 *
 * @param pairs in order, each once; the originals need not exist
 * @param selections what has to be watched beside these places
 */
public record Resolution(List<RelatedPair> pairs, Set<Selection> selections, Outcome outcome) {
  public Resolution {
    pairs = List.copyOf(pairs);
    selections = Set.copyOf(selections);
    Objects.requireNonNull(outcome, "outcome");
  }

  /**
   * Where Namespaces that are not seen may be selected, too: what is not meant may be all the same.
   */
  public Resolution within(ClaimVisibility ofNamespaces) {
    return ofNamespaces instanceof ClaimVisibility.Partial(var why)
            && outcome instanceof Outcome.Complete
        ? new Resolution(pairs, selections, new Outcome.Unclear(CopyPlanner.NARROWED, why))
        : this;
  }

  /** How far the entry could be followed. */
  public sealed interface Outcome {
    /** The pairs are all there are. */
    record Complete() implements Outcome {}

    /** The primary does not say it yet: that is nobody's mistake. */
    record Pending(String message) implements Outcome {}

    /** It cannot be told which objects are meant; what is there stays as it is. */
    record Unclear(String reason, String message) implements Outcome {}
  }
}
