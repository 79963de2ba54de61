package dev.mooring.benchmarks.protection;

import dev.mooring.benchmarks.common.Load;
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
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
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

  Reviews(URI webhook, ServingCertificate certificate, LogicalCluster consumer, Mode mode) {
    this.http =
        new WebhookTransport(
            webhook, HttpProbe.contextsTrusting(certificate.authorityPem()), LATEST_SECONDS);
    this.review = of(mode.target, mode.kind, consumer);
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
    int before = http.opened();
    long begin = System.nanoTime();
    Load.steadily(
        perSecond,
        count,
        (number, due) -> {
          ask(number);
          millis.add(Quantiles.millisSince(due));
        });
    return new Outcome(
        new Quantiles(millis), count * 1e3 / Quantiles.millisSince(begin), http.opened() - before);
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
      HarnessFailure.unless(
          Boolean.valueOf(!taken).equals(allowed),
          "The deletion of " + name + " was answered by allowed: " + allowed);
    } catch (IOException e) {
      throw new HarnessFailure("A review was not answered: " + e.getMessage(), e);
    }
  }
}
