package dev.mooring.sandbox.builtin.workload;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.registry.ResourceStrategy;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.builtin.core.PartStrategy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Workloads on a server that runs none: their specs and statuses are kept apart, defaulted, and
 * checked for what must be there.
 *
 * @param parts keeps spec and status apart
 * @param defaults of the whole object
 * @param problems of the whole object; empty if valid
 */
public record WorkloadStrategy(
    PartStrategy parts,
    UnaryOperator<Defaults> defaults,
    Function<KubeObject, List<FieldError>> problems)
    implements ResourceStrategy {

  public static WorkloadStrategy deployment(PartStrategy parts) {
    return new WorkloadStrategy(
        parts,
        object ->
            object.within(
                "spec",
                spec ->
                    spec.value("replicas", 1L)
                        .value("revisionHistoryLimit", 10L)
                        .value("progressDeadlineSeconds", 600L)
                        .within("strategy", WorkloadStrategy::strategy)
                        .within(
                            "template", template -> template.within("spec", PodDefaults::spec))),
        WorkloadStrategy::deploymentProblems);
  }

  public static WorkloadStrategy pod(PartStrategy parts) {
    return new WorkloadStrategy(
        parts, object -> object.within("spec", PodDefaults::spec), object -> List.of());
  }

  public static WorkloadStrategy service(PartStrategy parts) {
    return new WorkloadStrategy(
        parts,
        object ->
            object.within(
                "spec",
                spec ->
                    spec.value("type", "ClusterIP")
                        .value("sessionAffinity", "None")
                        .value("internalTrafficPolicy", "Cluster")
                        .each(
                            "ports",
                            port -> port.value("protocol", "TCP").valueOf("targetPort", "port"))),
        object -> List.of());
  }

  public static WorkloadStrategy autoscaler(PartStrategy parts) {
    return new WorkloadStrategy(
        parts,
        object -> object.within("spec", spec -> spec.value("minReplicas", 1L)),
        WorkloadStrategy::autoscalerProblems);
  }

  private static Defaults strategy(Defaults strategy) {
    strategy.value("type", "RollingUpdate");
    return strategy.has("type", "RollingUpdate")
        ? strategy.within(
            "rollingUpdate",
            update -> update.value("maxUnavailable", "25%").value("maxSurge", "25%"))
        : strategy;
  }

  private static List<FieldError> deploymentProblems(KubeObject deployment) {
    var problems = new ArrayList<FieldError>();
    Map<String, Object> selector = deployment.map("spec", "selector");
    Map<String, Object> labels = deployment.map("spec", "template", "metadata", "labels");
    if (deployment.at("spec", "selector") == null) {
      problems.add(FieldError.required("spec.selector", ""));
    } else if (selector.isEmpty()) {
      problems.add(
          FieldError.invalid(
              "spec.selector", selector, "empty selector is invalid for deployment"));
    }
    boolean selected =
        Trees.map(selector, "matchLabels").entrySet().stream()
            .allMatch(label -> Objects.equals(labels.get(label.getKey()), label.getValue()));
    if (!selected) {
      problems.add(
          FieldError.invalid(
              "spec.template.metadata.labels",
              labels,
              "`selector` does not match template `labels`"));
    }
    if (deployment.list("spec", "template", "spec", "containers").isEmpty()) {
      problems.add(FieldError.required("spec.template.spec.containers", ""));
    }
    return problems;
  }

  private static List<FieldError> autoscalerProblems(KubeObject autoscaler) {
    long max = autoscaler.at("spec", "maxReplicas") instanceof Long number ? number : 0;
    long min = autoscaler.at("spec", "minReplicas") instanceof Long number ? number : 1;
    var problems = new ArrayList<FieldError>();
    if (max < 1) {
      problems.add(FieldError.invalid("spec.maxReplicas", max, "must be greater than 0"));
    }
    if (max < min) {
      problems.add(
          FieldError.invalid(
              "spec.maxReplicas", max, "must be greater than or equal to `minReplicas`"));
    }
    for (String field : List.of("kind", "name")) {
      if (autoscaler.text("spec", "scaleTargetRef", field).isEmpty()) {
        problems.add(FieldError.required("spec.scaleTargetRef." + field, ""));
      }
    }
    return problems;
  }

  @Override
  public Generation generation() {
    return parts.generation();
  }

  @Override
  public KubeObject applyDefaults(KubeObject object) {
    return KubeObject.of(defaults.apply(Defaults.of(object.tree())).tree());
  }

  @Override
  public KubeObject prepareForCreate(KubeObject object, WriteContext context) {
    return parts.prepareForCreate(object, context);
  }

  @Override
  public KubeObject prepareForUpdate(KubeObject updated, KubeObject current, WriteContext context) {
    return parts.prepareForUpdate(updated, current, context);
  }

  @Override
  public List<FieldError> validateCreate(KubeObject object, WriteContext context) {
    return problems.apply(object);
  }
}
