package dev.mooring.benchmarks.protection;

import dev.mooring.benchmarks.common.Figures;
import dev.mooring.benchmarks.common.Limit;
import dev.mooring.benchmarks.common.MeasuredProcess;
import dev.mooring.benchmarks.common.MeasuredProcess.Resident;
import dev.mooring.benchmarks.common.Pages;
import dev.mooring.benchmarks.common.Quantiles;
import dev.mooring.benchmarks.protection.ProtectionStage.Consumer;
import dev.mooring.harness.HarnessFailure;
import dev.mooring.harness.ServingCertificate;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.time.Duration;
import java.util.List;

/** All measurements of one webhook on a stage that others may have used before. */
record ProtectionRun(
    ProtectionBenchmark options,
    ProtectionStage stage,
    ServingCertificate certificate,
    Figures figures) {
  private static final List<Double> QUANTILES = List.of(0.5, 0.95, 0.99);
  private static final String FLOOR = "unprotected deletion";
  private static final String RESIDENT = "resident [MiB]";
  private static final String TOGETHER = "deletions at once, p50 [ms]";
  private static final String REFUSED = "refused";
  private static final String ALLOWED = "allowed";
  private static final int WARM_UP_SECONDS_MAX = 5;

  /** Longer than a webhook remembers what lets it refuse sooner. */
  private static final Duration PAUSE = Duration.ofMillis(1_500);

  private static final int PAUSES_MAX = 20;

  /** So many times as many deletions come before those that take milliseconds. */
  private static final int QUICK = 10;

  /** What nothing can be faster than: unprotected deletions, and reading the dependents. */
  void measureFloor() {
    var deletions = new Deletions(stage.consumers().getFirst());
    deletions.allowed(ProtectionStage.ROUTERS, "Router", options.warmUp);
    put(FLOOR, deletions.allowed(ProtectionStage.ROUTERS, "Router", options.samples));
    var config = Config.fromKubeconfig(stage.kubeconfig().toFile());
    try (var client = new KubernetesClientBuilder().withConfig(config).build()) {
      for (Consumer consumer : stage.consumers()) {
        String url =
            "%s/%s/namespaces/%s/%s"
                .formatted(
                    consumer.client().url(),
                    ProtectionStage.MACHINES.apiPath(),
                    ProtectionStage.NAMESPACE,
                    ProtectionStage.MACHINES.resource());
        int machines = consumer.machines();
        put(
            bareList(consumer),
            list(consumer, () -> Pages.read(url, machines, page -> get(client, page))));
        put(
            "bare list in one, " + machines + " dependents",
            list(consumer, () -> get(client, url)));
      }
    }
  }

  private static String bareList(Consumer consumer) {
    return "bare list, " + consumer.machines() + " dependents";
  }

  /** A write comes before each, as before each deletion that is measured. */
  private Quantiles list(Consumer consumer, Runnable list) {
    var deletions = new Deletions(consumer);
    for (int i = 0; i < options.warmUp; i++) {
      deletions.touch(Mode.STRICT, i);
      list.run();
    }
    return Quantiles.of(
        options.samples,
        number -> {
          deletions.touch(Mode.STRICT, number);
          return list;
        });
  }

  private static String get(KubernetesClient client, String url) {
    String text = client.raw(url);
    HarnessFailure.unless(text != null, url + " was not found");
    return text;
  }

  /** Throws {@link HarnessFailure} if the webhook decides wrongly. */
  void measure(Webhook webhook, Mode mode) {
    stage.createRule(mode);
    try (Guard _ =
            Guard.install(
                stage, mode, webhook.reviews().apply(stage.network().cluster()), certificate);
        MeasuredProcess process =
            MeasuredProcess.start(
                webhook.command().apply(stage.kubeconfig(), certificate.directory()),
                stage.directory().resolve(webhook.name() + "-" + mode.text + ".log"))) {
      process.awaitReady(webhook.readiness());
      Consumer largest = stage.consumers().getLast();
      for (Consumer consumer : stage.consumers()) {
        deletions(consumer, mode);
        figures.put(name(mode, consumer, RESIDENT), process.residentMib(Resident.NOW));
      }
      figures.put(
          name(mode, largest, TOGETHER),
          new Deletions(largest)
              .together(mode, options.together, Math.max(1, options.samples / options.together))
              .median());
      if (mode == Mode.INDEXED && options.reviewSeconds > 0) {
        reviews(webhook, largest, process);
      }
      figures.put(mode.text + ", resident at most [MiB]", process.residentMib(Resident.PEAK));
      process.requireAlive();
    }
    stage.deleteRule(mode);
  }

  private static String name(Mode mode, Consumer consumer, String figure) {
    return "%s, %d dependents, %s".formatted(mode.text, consumer.machines(), figure);
  }

  private void deletions(Consumer consumer, Mode mode) {
    var deletions = new Deletions(consumer);
    int warmUp = mode == Mode.STRICT ? options.warmUp : options.warmUp * QUICK;
    // Both before either is measured: what the first has to compile is not to be its own fault.
    deletions.refused(mode, warmUp, Duration.ZERO);
    deletions.allowed(mode.target, mode.kind, warmUp);
    put(name(mode, consumer, REFUSED), deletions.refused(mode, options.samples, Duration.ZERO));
    put(name(mode, consumer, ALLOWED), deletions.allowed(mode.target, mode.kind, options.samples));
    if (mode == Mode.INDEXED) {
      int samples = Math.min(options.samples, PAUSES_MAX);
      put(name(mode, consumer, "refused after a pause"), deletions.refused(mode, samples, PAUSE));
    }
  }

  /** Of deletions with the most dependents, once all has been measured. */
  void setLimits() {
    Consumer few = stage.consumers().getFirst();
    Consumer many = stage.consumers().getLast();
    boolean selects = stage.selectsByField();
    for (String outcome : List.of(REFUSED, ALLOWED)) {
      String strict = name(Mode.STRICT, many, outcome);
      String base = selects ? name(Mode.STRICT, few, outcome) : bareList(many);
      String why = selects ? "1.3 times that of few" : "1.3 times the list";
      figures.limit(
          quantile(strict, 0.5),
          Limit.over(quantile(base, 0.5), 1.3, 0, why),
          Limit.ofCompetitor(1, "the competitor's"));
      figures.limit(quantile(strict, 0.95), Limit.ofCompetitor(0.5, "half the competitor's"));
      limitOverFloor(name(Mode.INDEXED, many, outcome), 0.5, 10);
      limitOverFloor(name(Mode.INDEXED, many, outcome), 0.99, 25);
      limitOverFloor(name(Mode.RACE_FREE, many, outcome), 0.5, 20);
    }
    figures.limit(name(Mode.INDEXED, many, TOGETHER), Limit.atMost(300));
    for (Mode mode : Mode.values()) {
      figures.limit(
          name(mode, many, RESIDENT),
          Limit.atMost(256),
          Limit.over(name(mode, few, RESIDENT), 1, 32, "as with few dependents"));
    }
  }

  private void limitOverFloor(String name, double share, int millis) {
    figures.limit(
        quantile(name, share),
        Limit.over(quantile(FLOOR, share), 1, millis, millis + " over unprotected"));
  }

  private void put(String name, Quantiles millis) {
    QUANTILES.forEach(q -> figures.put(quantile(name, q), millis.at(q)));
  }

  private static String quantile(String name, double quantile) {
    return name + ", p" + Math.round(quantile * 100) + " [ms]";
  }

  /**
   * At the rate that is asked for twice: right after the start, and once that has been so for a
   * while.
   */
  private void reviews(Webhook webhook, Consumer consumer, MeasuredProcess process) {
    int perSecond = options.reviewsPerSecond;
    try (var reviews =
        new Reviews(
            webhook.reviews().apply(stage.network().cluster()),
            certificate,
            consumer.workspace().cluster(),
            Mode.INDEXED)) {
      // Both ends compile, and shake hands, first.
      int seconds = Math.min(WARM_UP_SECONDS_MAX, options.reviewSeconds);
      reviews.send(Math.max(1, perSecond / 4), seconds);
      reviews.send(Math.max(1, perSecond / 2), seconds);
      reviews("just started", reviews, process);
      reviews("sustained", reviews, process, Limit.atMost(1_000.0 / perSecond * 1.02, "sustained"));
    }
  }

  private void reviews(String when, Reviews reviews, MeasuredProcess process, Limit... pace) {
    int perSecond = options.reviewsPerSecond;
    String name = perSecond + " reviews/s, " + when;
    double before = process.cpuSeconds();
    Reviews.Outcome outcome = reviews.send(perSecond, options.reviewSeconds);
    double used = process.cpuSeconds() - before;
    put(name, outcome.answers());
    figures.put(name + ", from answer to answer [ms]", 1_000 / outcome.perSecond(), pace);
    figures.put(
        name + ", the webhook's processor time for one [ms]",
        used * 1_000 / perSecond / options.reviewSeconds);
    figures.put(name + ", connections opened", outcome.connections());
  }
}
