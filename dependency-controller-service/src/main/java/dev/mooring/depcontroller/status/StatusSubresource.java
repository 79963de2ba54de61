package dev.mooring.depcontroller.status;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether kcp serves the status of rules. It does not on the schema of the Go program, nor for a
 * moment while a schema is exchanged; so what was refused is tried again, by one rule for all, and
 * an upgrade of the schema needs no restart. Thread-safe.
 */
public final class StatusSubresource {
  private static final Logger LOG = LoggerFactory.getLogger(StatusSubresource.class);

  private final Duration recheck;
  private final InstantSource clock;

  /** The next try; empty while a status is served, for all that is known. */
  private Optional<Instant> nextTry = Optional.empty();

  /**
   * @param recheck after which what was refused is tried again
   * @param clock that never goes back
   */
  public StatusSubresource(Duration recheck, InstantSource clock) {
    this.recheck = recheck;
    this.clock = clock;
  }

  /** For how long it is of no use to write a status; empty if it may be of use now. */
  synchronized Optional<Duration> unavailableFor() {
    return nextTry
        .map(next -> Duration.between(clock.instant(), next))
        .filter(Duration::isPositive);
  }

  /**
   * A write found no status.
   *
   * @return after which time the next one may be tried
   */
  synchronized Duration missing() {
    if (nextTry.isEmpty()) {
      LOG.warn(
          "The schema of DependencyRule has no status, so rules show no conditions; apply the"
              + " APIResourceSchema and the APIExport of this release, and they will within {} s",
          recheck.toSeconds());
    }
    nextTry = Optional.of(clock.instant().plus(recheck));
    return recheck;
  }

  synchronized void written() {
    if (nextTry.isPresent()) {
      LOG.info("The schema of DependencyRule has a status now");
      nextTry = Optional.empty();
    }
  }
}
