package dev.mooring.depwebhook.endpoint;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;
import dev.mooring.depwebhook.admission.ReviewLimiter;
import dev.mooring.depwebhook.admission.ReviewProgress;
import dev.mooring.depwebhook.rules.RuleStore;
import dev.mooring.depwebhook.rules.decide.Rules;
import dev.mooring.depwebhook.signature.SignatureCheck;
import dev.mooring.depwebhook.signature.SignatureCheck.KeyState;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Whether reviews are evaluated, in time and by rules that are known: liveness and readiness. */
@Configuration(proxyBeanMethods = false)
class ReviewHealth {
  private static final Logger LOG = LoggerFactory.getLogger(ReviewHealth.class);

  /** Of characters: 100 threads or more. */
  private static final int DUMP_MAX = 200_000;

  /** Part of liveness: no review of this process may ever end again. */
  @Bean("stuckReviews")
  HealthIndicator stuckReviews(ReviewLimiter reviews) {
    return stuckReviews(
        reviews.progress(), () -> LOG.error("Reviews do not end\n{}", threadDump()));
  }

  /**
   * @param dump writes down what threads do; run once
   */
  static HealthIndicator stuckReviews(ReviewProgress progress, Runnable dump) {
    var dumped = new AtomicBoolean();
    return () -> {
      long stuck = progress.stuck();
      if (stuck == 0) {
        return Health.up().build();
      }
      if (dumped.compareAndSet(false, true)) {
        dump.run();
      }
      return Health.down().withDetail("stuck", stuck).build();
    };
  }

  /** What the threads do that run Mooring's code, virtual ones too. */
  static String threadDump() {
    try {
      Path directory = Files.createTempDirectory("threads");
      Path file = directory.resolve("dump");
      try {
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
            .dumpThreads(file.toString(), ThreadDumpFormat.TEXT_PLAIN);
        String mooring =
            Stream.of(Files.readString(file).split("\n\n"))
                .filter(thread -> thread.contains("dev.mooring"))
                .collect(Collectors.joining("\n\n"));
        return mooring.substring(0, Math.min(DUMP_MAX, mooring.length()));
      } finally {
        Files.deleteIfExists(file);
        Files.delete(directory);
      }
    } catch (IOException e) {
      return "no thread dump: " + e;
    }
  }

  /** Part of readiness: another replica may be faster. */
  @Bean("timeouts")
  HealthIndicator timeouts(ReviewLimiter reviews) {
    return () ->
        reviews.progress().isTooSlow()
            ? Health.outOfService().withDetail("waitingFor", "reviews that end in time").build()
            : Health.up().build();
  }

  /**
   * Ready once the rules of every shard are loaded, while they are not stale; otherwise every
   * protected deletion is denied.
   */
  @Bean("rules")
  HealthIndicator rules(RuleStore rules) {
    return () ->
        switch (rules.current()) {
          case Rules.Loaded(var index) ->
              Health.up()
                  .withDetail("rules", index.size())
                  .withDetail("lastEventAgeSeconds", rules.lastEventAge().toSeconds())
                  .build();
          case Rules.Stale(var index, var problem) ->
              Health.outOfService()
                  .withDetail("rules", index.size())
                  .withDetail("lastEventAgeSeconds", rules.lastEventAge().toSeconds())
                  .withDetail("waitingFor", problem)
                  .build();
          case Rules.Loading(var reason) ->
              Health.outOfService().withDetail("waitingFor", reason).build();
        };
  }

  /**
   * Ready once the webhook knows whether reviews have to be signed. A webhook that may not read the
   * keys is ready and names the missing permission: it evaluates every review, as with the Go
   * controller.
   */
  @Bean("signatures")
  HealthIndicator signatures(SignatureCheck signatures) {
    return () ->
        (signatures.state() instanceof KeyState.Pending ? Health.outOfService() : Health.up())
            .withDetail("signatures", signatures.summary())
            .build();
  }
}
