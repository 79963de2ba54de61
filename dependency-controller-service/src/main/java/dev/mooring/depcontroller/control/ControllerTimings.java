package dev.mooring.depcontroller.control;

import dev.mooring.depcontroller.status.decide.StatusFacts.WebhookDelay;
import java.time.Duration;

/**
 * Periods and limits of the controller.
 *
 * @param resyncPeriod after which everything is reconciled without an event
 * @param webhookUser of the webhook, in consumers' workspaces; empty if that is not known
 * @param webhook how old the knowledge of the webhook's replicas may be
 * @param maxStaleness age of a shard's last event from which the controller is not ready
 * @param statusRecheck after which a status of rules that kcp did not serve is written again, and
 *     what the webhook may read is reviewed again
 */
public record ControllerTimings(
    Duration resyncPeriod,
    String webhookUser,
    WebhookDelay webhook,
    Duration maxStaleness,
    Duration statusRecheck) {
  public static final Duration STATUS_RECHECK = Duration.ofMinutes(1);

  public ControllerTimings(
      Duration resyncPeriod, String webhookUser, WebhookDelay webhook, Duration maxStaleness) {
    this(resyncPeriod, webhookUser, webhook, maxStaleness, STATUS_RECHECK);
  }
}
