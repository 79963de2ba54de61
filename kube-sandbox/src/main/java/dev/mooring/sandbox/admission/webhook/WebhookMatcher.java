package dev.mooring.sandbox.admission.webhook;

import dev.mooring.sandbox.admission.AdmissionRequest;
import dev.mooring.sandbox.admission.match.MatchConditions;
import dev.mooring.sandbox.admission.match.MatchCriteria;
import dev.mooring.sandbox.admission.match.VersionedRequest;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import java.util.Optional;

/** Decides whether a webhook is to be called about a write. */
final class WebhookMatcher {
  /** Whether to call. */
  sealed interface Match {
    record Skip() implements Match {}

    record Call(WebhookCall call) implements Match {}

    /** The match conditions had no value; the failure policy decides. */
    record Undecided(String problem) implements Match {}
  }

  private WebhookMatcher() {}

  static Match match(
      Webhook webhook, AdmissionRequest request, MatchCriteria.MatchContext context) {
    Optional<ResourceDefinition> seen = webhook.criteria().match(request, context);
    if (seen.isEmpty()) {
      return new Match.Skip();
    }
    var call = new WebhookCall(webhook, new VersionedRequest(request, seen.get()));
    if (webhook.conditions().isEmpty()) {
      return new Match.Call(call);
    }
    // Conditions of webhooks may name the authorizer, but kcp gives them none.
    return switch (webhook.conditions().evaluate(call.write().variables())) {
      case MatchConditions.Outcome.Matches() -> new Match.Call(call);
      case MatchConditions.Outcome.Differs() -> new Match.Skip();
      case MatchConditions.Outcome.Undecided(var problem) -> new Match.Undecided(problem);
    };
  }
}
