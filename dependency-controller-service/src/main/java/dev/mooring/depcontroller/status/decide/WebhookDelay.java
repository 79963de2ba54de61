package dev.mooring.depcontroller.status.decide;

import java.time.Duration;
import java.util.Objects;

/**
 * How far replicas of the webhook may be behind, as they are configured.
 *
 * @param rules how long one goes by the rules that it knows while it does not hear of others
 * @param index the age of the oldest bookmark that an index goes by
 */
public record WebhookDelay(Duration rules, Duration index) {
  /** As a webhook has it that is not told otherwise. */
  public static final WebhookDelay DEFAULT =
      new WebhookDelay(Duration.ofSeconds(75), Duration.ofSeconds(75));

  public WebhookDelay {
    Objects.requireNonNull(rules, "rules");
    Objects.requireNonNull(index, "index");
  }
}
