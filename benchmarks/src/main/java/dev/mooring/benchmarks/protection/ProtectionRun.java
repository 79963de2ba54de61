package dev.mooring.benchmarks.protection;

import dev.mooring.benchmarks.common.Figures;
import dev.mooring.benchmarks.common.MeasuredProcess;
import dev.mooring.benchmarks.common.Quantiles;
import dev.mooring.benchmarks.protection.ProtectionReport.Outcome;
import dev.mooring.benchmarks.protection.ProtectionReport.ReviewPhase;
import dev.mooring.harness.HarnessFailure;
import dev.mooring.harness.ServingCertificate;
import java.time.Duration;
import java.util.List;

/** All measurements of one webhook on a stage that others may have used before. */
final class ProtectionRun {
  private static final List<Double> QUANTILES = List.of(0.5, 0.95, 0.99);
  private static final int WARM_UP_SECONDS_MAX = 5;

  /** Longer than a webhook remembers what lets it refuse sooner. */
  private static final Duration PAUSE = Duration.ofMillis(1_500);

  private static final int PAUSES_MAX = 20;

  /** So many times as many deletions come before those that take milliseconds. */
  private static final int QUICK = 10;

  private final ProtectionStage stage;
  private final ServingCertificate certificate;
  private final Sizes sizes;
  private final Figures figures = new Figures();

  /**
   * How much is measured.
   *
   * @param samples of each figure
   * @param warmUp deletions of each kind that come before and are not counted; ten times as many
   *     where the webhook lists nothing
   * @param together deletions at once
   * @param reviewsPerSecond to one replica
   * @param reviewSeconds for how long; 0 for not at all
   */
  record Sizes(int samples, int warmUp, int together, int reviewsPerSecond, int reviewSeconds) {}

  ProtectionRun(ProtectionStage stage, ServingCertificate certificate, Sizes sizes) {
    this.stage = stage;
    this.certificate = certificate;
    this.sizes = sizes;
  }

  Figures figures() {
    return figures;
  }

  /** What nothing can be faster than: unprotected deletions, and reading the dependents. */
  void measureFloor() {
    var deletions = new Deletions(stage.consumers().getFirst());
    deletions.allowed(ProtectionStage.ROUTERS, "Router", sizes.warmUp());
    Quantiles floor = deletions.allowed(ProtectionStage.ROUTERS, "Router", sizes.samples());
    QUANTILES.forEach(q -> figures.put(ProtectionReport.floor(q), floor.at(q)));
    try (var paged = new BareList(stage.kubeconfig(), BareList.PAGE);
        var whole = new BareList(stage.kubeconfig(), BareList.WHOLE)) {
      for (Consumer consumer : stage.consumers()) {
        Quantiles inPages = list(paged, consumer);
        Quantiles inOne = list(whole, consumer);
        for (double q : QUANTILES) {
          figures.put(ProtectionReport.list(consumer.machines(), q), inPages.at(q));
          figures.put(ProtectionReport.wholeList(consumer.machines(), q), inOne.at(q));
        }
      }
    }
  }

  private Quantiles list(BareList list, Consumer consumer) {
    list.measure(consumer, Mode.STRICT, sizes.warmUp());
    return list.measure(consumer, Mode.STRICT, sizes.samples());
  }

  /** Throws {@link HarnessFailure} if the webhook decides wrongly. */
  void measure(Webhook webhook, Mode mode) {
    stage.createRule(mode);
    try (Guard _ =
            Guard.install(stage, mode, webhook.reviews().apply(stage.network()), certificate);
        MeasuredProcess process =
            MeasuredProcess.start(
                webhook.command().apply(stage.kubeconfig(), certificate.directory()),
                stage.directory().resolve(webhook.name() + "-" + mode.text() + ".log"))) {
      process.awaitReady("the webhook is ready", webhook.readiness());
      for (Consumer consumer : stage.consumers()) {
        deletions(consumer, mode);
        figures.put(ProtectionReport.resident(mode, consumer.machines()), process.residentMib());
      }
      Consumer largest = stage.consumers().getLast();
      figures.put(
          ProtectionReport.together(mode, largest.machines()),
          new Deletions(largest)
              .together(mode, sizes.together(), Math.max(1, sizes.samples() / sizes.together()))
              .at(0.5));
      if (mode == Mode.INDEXED && sizes.reviewSeconds() > 0) {
        reviews(webhook, mode, largest, process);
      }
      figures.put(mode.text() + ", resident at most [MiB]", process.residentPeakMib());
      process.requireAlive();
    }
    stage.deleteRule(mode);
  }

  private void deletions(Consumer consumer, Mode mode) {
    var deletions = new Deletions(consumer);
    int warmUp = mode == Mode.STRICT ? sizes.warmUp() : sizes.warmUp() * QUICK;
    // Both before either is measured: what the first has to compile is not to be its own fault.
    deletions.refused(mode, warmUp, Duration.ZERO);
    deletions.allowed(mode.target(), mode.kind(), warmUp);
    put(mode, Outcome.REFUSED, consumer, deletions.refused(mode, sizes.samples(), Duration.ZERO));
    put(
        mode,
        Outcome.ALLOWED,
        consumer,
        deletions.allowed(mode.target(), mode.kind(), sizes.samples()));
    if (mode == Mode.INDEXED) {
      int samples = Math.min(sizes.samples(), PAUSES_MAX);
      put(mode, Outcome.REFUSED_AFTER_PAUSE, consumer, deletions.refused(mode, samples, PAUSE));
    }
  }

  private void put(Mode mode, Outcome outcome, Consumer consumer, Quantiles millis) {
    QUANTILES.forEach(q ->
        figures.put(
            ProtectionReport.deletion(mode, outcome, consumer.machines(), q), millis.at(q)));
  }

  /**
   * At the rate that is asked for twice: right after the start, and once that has been so for a
   * while.
   */
  private void reviews(Webhook webhook, Mode mode, Consumer consumer, MeasuredProcess process) {
    int perSecond = sizes.reviewsPerSecond();
    try (var reviews =
        new Reviews(webhook.reviews().apply(stage.network()), certificate, consumer, mode)) {
      // Both ends compile, and shake hands, first.
      int seconds = Math.min(WARM_UP_SECONDS_MAX, sizes.reviewSeconds());
      reviews.send(Math.max(1, perSecond / 4), seconds);
      reviews.send(Math.max(1, perSecond / 2), seconds);
      for (ReviewPhase phase : ReviewPhase.values()) {
        reviews(phase, reviews, process);
      }
    }
  }

  private void reviews(ReviewPhase phase, Reviews reviews, MeasuredProcess process) {
    int perSecond = sizes.reviewsPerSecond();
    double before = process.cpuSeconds();
    Reviews.Outcome outcome = reviews.send(perSecond, sizes.reviewSeconds());
    double used = process.cpuSeconds() - before;
    QUANTILES.forEach(
        q -> figures.put(ProtectionReport.reviews(perSecond, phase, q), outcome.answers().at(q)));
    figures.put(ProtectionReport.reviewPace(perSecond, phase), 1_000 / outcome.perSecond());
    figures.put(
        ProtectionReport.reviews(perSecond, phase) + ", the webhook's processor time for one [ms]",
        used * 1_000 / perSecond / sizes.reviewSeconds());
    figures.put(
        ProtectionReport.reviews(perSecond, phase) + ", connections opened", outcome.connections());
  }
}
