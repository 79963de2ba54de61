package dev.mooring.depcontroller.control;

import java.time.Duration;
import java.util.Objects;

/**
 * How long the controller waits for what.
 *
 * @param resyncPeriod after which everything is looked at again even if nothing happened
 * @param indexSilenceMax the age of the oldest bookmark that an index of the webhook goes by
 * @param silenceMax for how long a shard may say nothing until that is told of
 */
public record Pace(Duration resyncPeriod, Duration indexSilenceMax, Duration silenceMax) {
  public Pace {
    Objects.requireNonNull(resyncPeriod, "resyncPeriod");
    Objects.requireNonNull(indexSilenceMax, "indexSilenceMax");
    Objects.requireNonNull(silenceMax, "silenceMax");
  }
}
