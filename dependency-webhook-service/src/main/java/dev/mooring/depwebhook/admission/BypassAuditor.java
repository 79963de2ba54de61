package dev.mooring.depwebhook.admission;

import dev.mooring.depwebhook.admission.decide.AdmissionDecision;
import dev.mooring.depwebhook.reading.Workspaces;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.event.EventNote;
import dev.mooring.runtime.event.EventRecorder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records an Event in the consumer's workspace, and a log line, for every deletion that rules did
 * not stop.
 */
public record BypassAuditor(EventRecorder events, Workspaces<KubeClient> workspaces)
    implements DecisionListener {
  private static final Logger LOG = LoggerFactory.getLogger(BypassAuditor.class);

  @Override
  public void decided(Review.Deletion review, AdmissionDecision decision) {
    if (decision instanceof AdmissionDecision.Allowed(_, _, var audits, var bypassed)) {
      String user = review.caller().username();
      if (!bypassed.isEmpty()) {
        try (var _ = review.about().rules(bypassed).open()) {
          LOG.info(
              "{} deletes {} {} without regard to {} {}",
              user,
              review.target().type(),
              review.target().key(),
              bypassed.size(),
              bypassed.size() == 1 ? "rule" : "rules");
        }
        record(
            review,
            "ProtectionBypassed",
            "deleted by %s without regard to rule %s".formatted(user, String.join(", ", bypassed)));
      }
      audits.forEach(audit -> record(review, "DeletedWhileReferenced", audit.message()));
    }
  }

  private void record(Review.Deletion review, String reason, String message) {
    events.record(
        workspaces.in(review.target().key().cluster()),
        EventNote.warning(review.object(), reason, message));
  }
}
