package dev.mooring.depcontroller.control;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;

/** A key of the work queue. */
sealed interface Work {
  /** Watch the paths that rules name, and enqueue every provider and rule. */
  record Everything() implements Work {}

  /** Reconcile one provider's webhook configuration. */
  record Guard(LogicalCluster provider) implements Work {}

  /** Review which types of rules the webhook's user may read. */
  record Rights() implements Work {}

  /** Write one rule's status. */
  record Report(ObjectKey rule) implements Work {}
}
