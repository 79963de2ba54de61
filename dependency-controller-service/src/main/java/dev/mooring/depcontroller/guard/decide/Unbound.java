package dev.mooring.depcontroller.guard.decide;

import dev.mooring.depcontroller.guard.decide.Installation.Blocked;
import dev.mooring.depcontroller.guard.decide.Installation.Cause;
import dev.mooring.depcontroller.rules.decide.RuleProblem;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import java.util.Optional;

/** What is told of a provider that does not bind the export, or not any more. */
public final class Unbound {
  private Unbound() {}

  /**
   * @param left the configuration that is still there: kcp leaves it when a binding goes, shows it,
   *     and lets nobody change it through the export
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
                + " there: nobody keeps it any more, and deletions are refused once the webhook is"
                + " gone");
  }
}
