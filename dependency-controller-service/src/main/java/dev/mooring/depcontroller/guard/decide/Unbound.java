package dev.mooring.depcontroller.guard.decide;

import dev.mooring.depcontroller.guard.decide.Installation.Blocked;
import dev.mooring.depcontroller.guard.decide.Installation.Cause;
import dev.mooring.depcontroller.rules.decide.RuleProblem;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import java.util.Optional;

/** The message for a provider that does not bind the export, or no longer. */
public final class Unbound {
  private Unbound() {}

  /**
   * @param left the configuration that remains: kcp keeps and shows it after the binding is
   *     deleted, and does not let it be written through the export
   */
  public static Installation from(LogicalCluster provider, Optional<KubeObject> left) {
    String what = RuleProblem.unbound(provider);
    return new Blocked(
        Cause.PROVIDER_NOT_BOUND,
        left.isEmpty()
            ? what
            : what
                + "; or, to leave for good, delete its ValidatingWebhookConfiguration "
                + GuardSettings.CONFIGURATION
                + " there: the controller can no longer update it, and deletions are denied once the"
                + " webhook is gone");
  }
}
