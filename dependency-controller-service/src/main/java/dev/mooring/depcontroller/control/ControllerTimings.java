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
 * @param statusRecheck after which a status of rules that kcp did not serve is tried again
 */
public record ControllerTimings(
    Duration resyncPeriod, WebhookDelay webhook, Duration silenceMax, Duration statusRecheck) {
  public static final Duration STATUS_RECHECK = Duration.ofMinutes(1);

  public ControllerTimings {
    Objects.requireNonNull(resyncPeriod, "resyncPeriod");
    Objects.requireNonNull(webhook, "webhook");
    Objects.requireNonNull(silenceMax, "silenceMax");
    Objects.requireNonNull(statusRecheck, "statusRecheck");
  }

  public ControllerTimings(Duration resyncPeriod, WebhookDelay webhook, Duration silenceMax) {
    this(resyncPeriod, webhook, silenceMax, STATUS_RECHECK);
  }
}
