package dev.mooring.benchmarks.protection;

import dev.mooring.benchmarks.common.Load;
import dev.mooring.benchmarks.common.Quantiles;
import dev.mooring.benchmarks.common.Waiting;
import dev.mooring.benchmarks.protection.ProtectionStage.Consumer;
import dev.mooring.harness.HarnessFailure;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeFailure;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

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
          Waiting.rest(pause);
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
  Quantiles together(Mode mode, int count, int samples) {
    return Quantiles.of(
        samples,
        _ -> {
          List<String> names =
              Stream.generate(() -> create(mode.target, mode.kind)).limit(count).toList();
          return () -> Load.together(names, name -> delete(mode.target, name));
        });
  }

  /** A write that changes nothing about who refers to what. */
  void touch(Mode mode, int number) {
    consumer
        .client()
        .patch(
            mode.target,
            ProtectionStage.NAMESPACE,
            ProtectionStage.TAKEN,
            Map.of("metadata", Map.of("annotations", Map.of("touched", "at " + number))));
  }

  private void refuse(Mode mode) {
    try {
      delete(mode.target, ProtectionStage.TAKEN);
    } catch (KubeFailure e) {
      if (e.getMessage().contains("still referenced by Machine/machine-")) {
        return;
      }
      throw new HarnessFailure("A deletion was refused for another reason than expected", e);
    }
    throw new HarnessFailure(
        "%s/%s was deleted although a machine refers to it"
            .formatted(mode.target.resource(), ProtectionStage.TAKEN));
  }

  private String create(ResourceType type, String kind) {
    String name = "free-" + made++;
    consumer.client().create(type, ProtectionStage.target(type, kind, name));
    return name;
  }

  private void delete(ResourceType type, String name) {
    consumer
        .client()
        .delete(type, ProtectionStage.NAMESPACE, name, new DeleteCondition.Unconditional());
  }
}
