package dev.mooring.syncagent.related.decide;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** One named step of a chain: empty if it does not apply. The name is for the test of the order. */
record Check(String name, Function<CopySnapshot, Optional<RelatedPlan>> decision) {
  static Optional<RelatedPlan> first(List<Check> chain, CopySnapshot context) {
    return chain.stream().flatMap(check -> check.decision().apply(context).stream()).findFirst();
  }

  static Optional<RelatedPlan> act(RelatedAction action) {
    return Optional.of(action);
  }
}
