package dev.mooring.depcontroller.control;

import dev.mooring.depcontroller.status.decide.WebhookDelay;
import java.time.Duration;
import java.util.Objects;

/**
 * How long the controller waits for what.
 *
 * @param resyncPeriod after which everything is looked at again even if nothing happened
 * @param webhook how far its replicas may be behind
 * @param silenceMax for how long a shard may say nothing until that is told of
 */
public record Pace(Duration resyncPeriod, WebhookDelay webhook, Duration silenceMax) {
  public Pace {
    Objects.requireNonNull(resyncPeriod, "resyncPeriod");
    Objects.requireNonNull(webhook, "webhook");
    Objects.requireNonNull(silenceMax, "silenceMax");
  }
}
