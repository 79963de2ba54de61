package dev.mooring.depcontroller.status.decide;

import dev.mooring.model.dependency.WebhookContract;
import java.time.Duration;

/**
 * How old the knowledge of the webhook's replicas may be, as they are configured.
 *
 * @param rules the longest time for which a replica uses rules without receiving events of them
 * @param index the age of the oldest bookmark at which an index answers
 */
public record WebhookDelay(Duration rules, Duration index) {
  /** The webhook's defaults. */
  public static final WebhookDelay DEFAULT =
      new WebhookDelay(WebhookContract.STALENESS_MAX, WebhookContract.STALENESS_MAX);
}
