package dev.mooring.sandbox.builtin.workload;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.registry.VersionConverter;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The two APIs of HorizontalPodAutoscaler. {@code v2} is stored. {@code v1} knows the use of CPU
 * alone, and who writes it drops what else there is.
 */
public final class HorizontalPodAutoscalers {
  private HorizontalPodAutoscalers() {}

  /** A list of v2, its field for the CPU's use, and where v1 has that number. */
  private enum Metrics {
    WANTED("spec", "metrics", "target", "targetCPUUtilizationPercentage"),
    SEEN("status", "currentMetrics", "current", "currentCPUUtilizationPercentage");

    private final String part;
    private final String list;
    private final String value;
    private final String percentage;

    Metrics(String part, String list, String value, String percentage) {
      this.part = part;
      this.list = list;
      this.value = value;
      this.percentage = percentage;
    }

    Optional<Long> cpu(Object metric) {
      return "Resource".equals(Trees.at(metric, "type"))
              && "cpu".equals(Trees.at(metric, "resource", "name"))
              && Trees.at(metric, "resource", value, "averageUtilization") instanceof Long number
          ? Optional.of(number)
          : Optional.empty();
    }

    Map<String, Object> ofCpu(Object percent) {
      Map<String, Object> use =
          this == WANTED
              ? Map.of("type", "Utilization", "averageUtilization", percent)
              : Map.of("averageUtilization", percent);
      return Map.of("type", "Resource", "resource", Map.of("name", "cpu", value, use));
    }
  }

  public static final VersionConverter V1 =
      VersionConverter.of(HorizontalPodAutoscalers::toV1, HorizontalPodAutoscalers::toV2);

  private static KubeObject toV1(KubeObject stored) {
    KubeObject served =
        stored
            .with("autoscaling/v1", "apiVersion")
            .without("spec", "behavior")
            .without("status", "conditions");
    for (Metrics metrics : Metrics.values()) {
      Optional<Long> cpu =
          served.list(metrics.part, metrics.list).stream()
              .flatMap(metric -> metrics.cpu(metric).stream())
              .findFirst();
      served = served.without(metrics.part, metrics.list);
      if (cpu.isPresent()) {
        served = served.with(cpu.get(), metrics.part, metrics.percentage);
      }
    }
    return served;
  }

  private static KubeObject toV2(KubeObject served) {
    KubeObject stored = served.with("autoscaling/v2", "apiVersion");
    for (Metrics metrics : Metrics.values()) {
      Object percent = served.at(metrics.part, metrics.percentage);
      if (percent != null) {
        stored =
            stored
                .without(metrics.part, metrics.percentage)
                .with(List.of(metrics.ofCpu(percent)), metrics.part, metrics.list);
      }
    }
    return stored;
  }
}
