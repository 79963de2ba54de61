package dev.mooring.depwebhook.endpoint;

import dev.mooring.depwebhook.admission.ReviewLimiter;
import dev.mooring.depwebhook.admission.SyntheticReviews;
import dev.mooring.depwebhook.rules.RuleStore;
import dev.mooring.depwebhook.rules.decide.Rules;
import dev.mooring.runtime.time.Scheduler;
import java.io.IOException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/**
 * Part of readiness: evaluates synthetic reviews once the rules are loaded, and connects to its own
 * port, so that a first review waits for no class to be loaded.
 */
@Component("firstReviews")
class FirstReviews implements HealthIndicator, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(FirstReviews.class);
  private static final Duration PERIOD = Duration.ofMillis(100);

  private final RuleStore rules;
  private final ReviewLimiter reviews;
  private final OwnPort port;
  private final Scheduler.Scheduled attempts;
  private volatile boolean done;

  FirstReviews(RuleStore rules, ReviewLimiter reviews, OwnPort port, Scheduler scheduler) {
    this.rules = rules;
    this.reviews = reviews;
    this.port = port;
    this.attempts = scheduler.every(PERIOD, "first-reviews", this::attempt);
  }

  private void attempt() {
    if (port.isOpen() && rules.current() instanceof Rules.Loaded(var index)) {
      try {
        SyntheticReviews.evaluate(index, reviews);
        port.connect();
      } catch (IOException e) {
        LOG.info("The first reviews will take longer: {}", e.toString());
      } finally {
        done = true;
        close();
      }
    }
  }

  @Override
  public Health health() {
    return done
        ? Health.up().build()
        : Health.outOfService().withDetail("waitingFor", "the first review").build();
  }

  @Override
  public void close() {
    attempts.cancel();
  }
}
