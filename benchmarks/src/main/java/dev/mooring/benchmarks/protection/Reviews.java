package dev.mooring.benchmarks.protection;

import dev.mooring.benchmarks.common.Quantiles;
import dev.mooring.harness.HarnessFailure;
import dev.mooring.harness.HttpProbe;
import dev.mooring.harness.Manifests;
import dev.mooring.harness.ServingCertificate;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;

/**
 * Reviews sent to a webhook without kcp between, at a steady rate whether or not earlier ones have
 * been answered; every other one is about a target that is referred to.
 */
public final class Reviews implements AutoCloseable {
  /** Late ones show in their durations; this is for a webhook that does not answer at all. */
  private static final int LATEST_SECONDS = 30;

  private final WebhookTransport http;
  private final BiFunction<String, Integer, byte[]> review;

  /**
   * What came of it.
   *
   * @param answers how long each took from when it was due
   * @param perSecond answers in each second from the first review to the last answer
   * @param connections that had to be opened
   */
  record Outcome(Quantiles answers, double perSecond, int connections) {}

  Reviews(URI webhook, ServingCertificate certificate, Consumer consumer, Mode mode) {
    this.http =
        new WebhookTransport(
            webhook, HttpProbe.contextsTrusting(certificate.authorityPem()), LATEST_SECONDS);
    this.review = of(mode.target(), mode.kind(), consumer.cluster());
  }

  /** Writes the review of a deletion by the name of its target and the review's number. */
  public static BiFunction<String, Integer, byte[]> of(
      ResourceType type, String kind, LogicalCluster consumer) {
    KubeObject template =
        Manifests.ofResource(
                "/protection-benchmark/review.yaml",
                Map.of(
                    "group", type.group(),
                    "version", type.version(),
                    "resource", type.resource(),
                    "kind", kind))
            .getFirst();
    return (name, number) -> {
      KubeObject target =
          ProtectionStage.target(type, kind, name)
              .with(Map.of("kcp.io/cluster", consumer.name()), "metadata", "annotations")
              .with("uid-of-" + name, "metadata", "uid");
      return KubeJson.write(
          template
              .with("review-" + number, "request", "uid")
              .with(name, "request", "name")
              .with(target.tree(), "request", "oldObject"));
    };
  }

  /** A review that is not answered, or wrongly, ends the run. */
  Outcome send(int perSecond, int seconds) {
    int count = perSecond * seconds;
    var millis = new ConcurrentLinkedQueue<Double>();
    var failures = new ConcurrentLinkedQueue<RuntimeException>();
    int before = http.opened();
    long begin = System.nanoTime();
    try (var timer = Executors.newScheduledThreadPool(1, Thread.ofVirtual().factory());
        var senders = Executors.newVirtualThreadPerTaskExecutor()) {
      long pause = Duration.ofSeconds(1).dividedBy(perSecond).toNanos();
      for (int i = 0; i < count; i++) {
        int number = i;
        long due = begin + i * pause;
        timer.schedule(
            () ->
                senders.submit(() -> {
                  try {
                    ask(number);
                    millis.add((System.nanoTime() - due) / 1e6);
                  } catch (RuntimeException e) {
                    failures.add(e);
                  }
                }),
            due - System.nanoTime(),
            TimeUnit.NANOSECONDS);
      }
      timer.shutdown();
      timer.awaitTermination(seconds + LATEST_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new HarnessFailure("Interrupted", e);
    }
    double elapsed = (System.nanoTime() - begin) / 1e9;
    if (millis.size() < count) {
      throw new HarnessFailure(
          count - millis.size() + " of " + count + " reviews were not answered as expected",
          failures.peek());
    }
    return new Outcome(
        new Quantiles(millis.stream().mapToDouble(Double::doubleValue).toArray()),
        count / elapsed,
        http.opened() - before);
  }

  @Override
  public void close() {
    http.close();
  }

  private void ask(int number) {
    boolean taken = number % 2 == 0;
    String name = taken ? ProtectionStage.TAKEN : "free-" + number;
    try {
      byte[] answer = http.post(review.apply(name, number));
      Object allowed = KubeJson.readObject(answer).at("response", "allowed");
      if (!Boolean.valueOf(!taken).equals(allowed)) {
        throw new HarnessFailure(
            "The deletion of " + name + " was answered by allowed: " + allowed);
      }
    } catch (IOException e) {
      throw new HarnessFailure("A review was not answered: " + e.getMessage(), e);
    }
  }
}
