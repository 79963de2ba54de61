package dev.mooring.sandbox.builtin;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.sandbox.api.registry.FixedCatalog;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.registry.ResourceNames;
import dev.mooring.sandbox.api.registry.ResourceStrategy.Generation;
import dev.mooring.sandbox.api.registry.Scope;
import dev.mooring.sandbox.api.registry.Subresource;
import dev.mooring.sandbox.api.registry.VersionConverter;
import dev.mooring.sandbox.builtin.core.PartStrategy;
import dev.mooring.sandbox.builtin.typed.GoTypes;
import dev.mooring.sandbox.builtin.typed.TypedDecoder;
import dev.mooring.sandbox.builtin.workload.HorizontalPodAutoscalers;
import dev.mooring.sandbox.builtin.workload.WorkloadStrategy;
import dev.mooring.sandbox.storage.ResourceKey;
import java.util.Map;
import java.util.function.Function;

/**
 * Workloads and what belongs to them, which plain Kubernetes serves and kcp does not. Nothing runs
 * them: their statuses are what clients write. Immutable.
 */
public final class WorkloadCatalog extends FixedCatalog {
  private static final Subresource SCALE =
      new Subresource.Scale(".spec.replicas", ".status.replicas", "");

  private final GoTypes types = GoTypes.loadWithWorkloads();

  public WorkloadCatalog() {
    add(
        workload(
            new ResourceType("", "v1", "pods"),
            types.schema("Pod"),
            ResourceNames.of("pods", "Pod", "po").inCategories("all"),
            Generation.COUNTED,
            WorkloadStrategy::pod));
    add(
        workload(
            new ResourceType("", "v1", "services"),
            types.schema("Service"),
            ResourceNames.of("services", "Service", "svc").inCategories("all"),
            Generation.ABSENT,
            WorkloadStrategy::service));
    add(
        workload(
                new ResourceType("apps", "v1", "deployments"),
                types.schema("Deployment"),
                ResourceNames.of("deployments", "Deployment", "deploy").inCategories("all"),
                Generation.COUNTED,
                WorkloadStrategy::deployment)
            .subresource("scale", SCALE));
    autoscaler("v1", "HorizontalPodAutoscaler", HorizontalPodAutoscalers.V1);
    autoscaler("v2", "autoscaling.v2/HorizontalPodAutoscaler", VersionConverter.SAME);
  }

  private void autoscaler(String version, String struct, VersionConverter converter) {
    var type = new ResourceType("autoscaling", version, "horizontalpodautoscalers");
    add(
        workload(
                type,
                types.schema(struct),
                ResourceNames.of(type.resource(), "HorizontalPodAutoscaler", "hpa")
                    .inCategories("all"),
                Generation.ABSENT,
                WorkloadStrategy::autoscaler)
            .resourceKey(ResourceKey.of(type.group(), type.resource()))
            .converter(converter));
  }

  private static ResourceDefinition.Builder workload(
      ResourceType type,
      Map<String, Object> schema,
      ResourceNames names,
      Generation generation,
      Function<PartStrategy, WorkloadStrategy> rules) {
    var spec = rules.apply(new PartStrategy(PartStrategy.Part.SPEC, generation));
    var status = rules.apply(new PartStrategy(PartStrategy.Part.STATUS, generation));
    return ResourceDefinition.define(type, names, Scope.NAMESPACED)
        .schema(schema)
        .columns(Columns.of(type.resource()))
        .decoder((body, context) -> TypedDecoder.decode(body, schema, context))
        .strategy(spec)
        .subresource("status", new Subresource.Part(status));
  }
}
