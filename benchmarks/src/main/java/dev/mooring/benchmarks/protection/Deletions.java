package dev.mooring.benchmarks.protection;

import dev.mooring.benchmarks.common.Patience;
import dev.mooring.benchmarks.common.Quantiles;
import dev.mooring.harness.HarnessFailure;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * How long deletions take whose outcome is known; another outcome ends the run. A write comes
 * before every deletion, as in a workspace that is in use: on an idle API server a consistent list
 * is faster.
 */
final class Deletions {
  private final Consumer consumer;
  private int made;

  Deletions(Consumer consumer) {
    this.consumer = consumer;
  }

  /**
   * What a machine refers to is refused.
   *
   * @param pause before each
   */
  Quantiles refused(Mode mode, int samples, Duration pause) {
    return Quantiles.of(
        samples,
        number -> {
          Patience.rest(pause);
          touch(mode, number);
          return () -> refuse(mode);
        });
  }

  /** What nothing refers to goes. */
  Quantiles allowed(ResourceType type, String kind, int samples) {
    return Quantiles.of(
        samples,
        _ -> {
          String name = create(type, kind);
          return () -> delete(type, name);
        });
  }

  /** From the first of several deletions at once, all allowed, until the last has gone through. */
  Quantiles together(Mode mode, int clients, int samples) {
    var millis = new double[samples];
    for (int i = 0; i < samples; i++) {
      List<String> names = new ArrayList<>();
      for (int client = 0; client < clients; client++) {
        names.add(create(mode.target(), mode.kind()));
      }
      millis[i] = together(mode.target(), names);
    }
    return new Quantiles(millis);
  }

  /** A write that changes nothing about who refers to what. */
  void touch(Mode mode, int number) {
    consumer
        .client()
        .patch(
            mode.target(),
            ProtectionStage.NAMESPACE,
            ProtectionStage.TAKEN,
            Map.of("metadata", Map.of("annotations", Map.of("touched", "at " + number))));
  }

  private double together(ResourceType type, List<String> names) {
    var start = new CountDownLatch(1);
    try (var executor = Executors.newThreadPerTaskExecutor(Thread.ofVirtual().factory())) {
      List<Future<Object>> deletions =
          names.stream()
              .map(name ->
                  executor.submit(() -> {
                    start.await();
                    delete(type, name);
                    return (Object) name;
                  }))
              .toList();
      long begin = System.nanoTime();
      start.countDown();
      for (Future<Object> deletion : deletions) {
        deletion.get();
      }
      return (System.nanoTime() - begin) / 1e6;
    } catch (ExecutionException e) {
      throw new HarnessFailure("One of several deletions failed: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new HarnessFailure("Interrupted", e);
    }
  }

  private void refuse(Mode mode) {
    try {
      delete(mode.target(), ProtectionStage.TAKEN);
    } catch (KubeFailure e) {
      if (e.getMessage().contains("still referenced by Machine/machine-")) {
        return;
      }
      throw new HarnessFailure("A deletion was refused for another reason than expected", e);
    }
    throw new HarnessFailure(
        "%s/%s was deleted although a machine refers to it"
            .formatted(mode.target().resource(), ProtectionStage.TAKEN));
  }

  private String create(ResourceType type, String kind) {
    String name = "free-" + made++;
    KubeObject target = ProtectionStage.target(type, kind, name);
    consumer.client().create(type, target);
    return name;
  }

  private void delete(ResourceType type, String name) {
    consumer
        .client()
        .delete(type, ProtectionStage.NAMESPACE, name, new DeleteCondition.Unconditional());
  }
}
