package dev.mooring.sandbox.builtin.workload;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.registry.ResourceStrategy;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.api.validation.FieldError;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Resources of a server that runs nothing: spec and status are kept apart, defaulted and checked by
 * a row of {@code workload-resources.yaml}.
 *
 * @param parts keeps spec and status apart, if there is a status
 * @param defaults of the whole object
 * @param initial the status of a new object, or a text where clients give it
 */
public record WorkloadStrategy(
    ResourceStrategy parts, Map<String, Object> defaults, Checks checks, Object initial)
    implements ResourceStrategy {

  public static WorkloadStrategy of(Object row, ResourceStrategy parts) {
    Object initial = Trees.at(row, "initial");
    return new WorkloadStrategy(
        parts, Trees.map(row, "defaults"), Checks.of(row), initial == null ? Map.of() : initial);
  }

  @Override
  public Generation generation() {
    return parts.generation();
  }

  @Override
  public KubeObject applyDefaults(KubeObject object) {
    return KubeObject.of(Defaults.fill(object.tree(), defaults));
  }

  @Override
  public KubeObject prepareForCreate(KubeObject object, WriteContext context) {
    return initial instanceof Map<?, ?> status && !status.isEmpty()
        ? object.with(status, "status")
        : initial instanceof String ? object : parts.prepareForCreate(object, context);
  }

  @Override
  public KubeObject prepareForUpdate(KubeObject updated, KubeObject current, WriteContext context) {
    return parts.prepareForUpdate(updated, current, context);
  }

  @Override
  public List<FieldError> validateCreate(KubeObject object, WriteContext context) {
    return checks.problems(object);
  }

  @Override
  public List<FieldError> validateUpdate(
      KubeObject updated, KubeObject current, WriteContext context) {
    return Stream.concat(
            checks.problems(updated).stream(), checks.changes(updated, current).stream())
        .toList();
  }
}
