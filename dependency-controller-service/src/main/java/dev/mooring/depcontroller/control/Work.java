package dev.mooring.depcontroller.control;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;

/** What there is to do. */
sealed interface Work {
  /** Look at everything: follow the paths that rules name, and queue every provider and rule. */
  record Everything() implements Work {}

  /** Bring one provider's webhook configuration in line. */
  record Guard(LogicalCluster provider) implements Work {}

  /** Bring one rule's status in line. */
  record Report(ObjectKey rule) implements Work {}
}
