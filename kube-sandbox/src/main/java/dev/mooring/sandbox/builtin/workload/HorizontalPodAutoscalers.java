package dev.mooring.sandbox.builtin.workload;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.json.MalformedJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.registry.VersionConverter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The two APIs of HorizontalPodAutoscaler. {@code v2} is stored. {@code v1} knows the use of CPU
 * alone; what else there is travels in annotations, as in Kubernetes' {@code
 * pkg/apis/autoscaling/v1}.
 */
public final class HorizontalPodAutoscalers {
  private static final String ANNOTATION = "autoscaling.alpha.kubernetes.io/";

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

    String annotation() {
      return ANNOTATION + (this == WANTED ? "metrics" : "current-metrics");
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
    KubeObject served = stored.with("autoscaling/v1", "apiVersion");
    for (Metrics metrics : Metrics.values()) {
      served = simplified(served, metrics);
    }
    served = annotated(served, ANNOTATION + "conditions", "status", "conditions");
    return annotated(served, ANNOTATION + "behavior", "spec", "behavior");
  }

  private static KubeObject toV2(KubeObject served) {
    KubeObject stored = served.with("autoscaling/v2", "apiVersion");
    for (Metrics metrics : Metrics.values()) {
      stored = completed(stored, metrics);
    }
    stored = restored(stored, ANNOTATION + "conditions", "status", "conditions");
    return restored(stored, ANNOTATION + "behavior", "spec", "behavior");
  }

  private static KubeObject simplified(KubeObject object, Metrics metrics) {
    var others = new ArrayList<Object>();
    KubeObject simple = object.without(metrics.part, metrics.list);
    boolean found = false;
    for (Object metric : object.list(metrics.part, metrics.list)) {
      Optional<Long> cpu = metrics.cpu(metric);
      if (cpu.isPresent() && !found) {
        found = true;
        simple = simple.with(cpu.get(), metrics.part, metrics.percentage);
      } else {
        others.add(metric);
      }
    }
    return others.isEmpty()
        ? simple
        : simple.with(KubeJson.writeText(others), "metadata", "annotations", metrics.annotation());
  }

  private static KubeObject completed(KubeObject object, Metrics metrics) {
    var all = new ArrayList<Object>();
    Object percent = object.at(metrics.part, metrics.percentage);
    if (percent != null) {
      all.add(metrics.ofCpu(percent));
    }
    all.addAll(listed(object, metrics.annotation()));
    KubeObject complete =
        withoutAnnotation(object, metrics.annotation()).without(metrics.part, metrics.percentage);
    return all.isEmpty() ? complete : complete.with(all, metrics.part, metrics.list);
  }

  private static KubeObject annotated(KubeObject object, String annotation, String... path) {
    Object value = object.at(path);
    return value == null
        ? object
        : object
            .without(path)
            .with(KubeJson.writeText(value), "metadata", "annotations", annotation);
  }

  private static KubeObject restored(KubeObject object, String annotation, String... path) {
    return read(object, annotation)
        .map(value -> withoutAnnotation(object, annotation).with(value, path))
        .orElse(object);
  }

  private static List<Object> listed(KubeObject object, String annotation) {
    return read(object, annotation).map(Trees::listOrEmpty).orElse(List.of());
  }

  /** Empty for what is no JSON: Kubernetes drops it as well. */
  private static Optional<Object> read(KubeObject object, String annotation) {
    try {
      return object.annotation(annotation).map(KubeJson::read);
    } catch (MalformedJson somebodysOwn) {
      return Optional.empty();
    }
  }

  private static KubeObject withoutAnnotation(KubeObject object, String annotation) {
    if (object.annotation(annotation).isEmpty()) {
      return object;
    }
    KubeObject without = object.without("metadata", "annotations", annotation);
    return without.annotations().isEmpty() ? without.without("metadata", "annotations") : without;
  }
}
