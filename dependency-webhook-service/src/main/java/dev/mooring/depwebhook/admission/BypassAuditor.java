package dev.mooring.depwebhook.admission;

import dev.mooring.depwebhook.admission.decide.AdmissionDecision;
import dev.mooring.depwebhook.bypass.DecisionEvents;
import dev.mooring.model.identity.LogicalCluster;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Records an Event and a log line for every deletion that rules did not stop. */
public final class BypassAuditor implements DecisionListener {
  private static final Logger LOG = LoggerFactory.getLogger(BypassAuditor.class);

  private final DecisionEvents events;

  public BypassAuditor(DecisionEvents events) {
    this.events = events;
  }

  @Override
  public void decided(Review.Deletion review, AdmissionDecision decision) {
    LogicalCluster cluster = review.target().key().cluster();
    if (decision instanceof AdmissionDecision.Allowed(_, _, var audits, var bypassed)) {
      if (!bypassed.isEmpty()) {
        try (var _ = review.about().rules(bypassed).open()) {
          LOG.info(
              "{} deletes {} {} without regard to {} {}",
              review.caller().username(),
              review.target().type(),
              review.target().key(),
              bypassed.size(),
              bypassed.size() == 1 ? "rule" : "rules");
        }
        events.bypassed(cluster, review.object(), review.caller().username(), bypassed);
      }
      audits.forEach(audit -> events.audited(cluster, review.object(), audit.message()));
    }
  }
}
