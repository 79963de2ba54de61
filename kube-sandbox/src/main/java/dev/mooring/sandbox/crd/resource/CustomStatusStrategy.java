package dev.mooring.sandbox.crd.resource;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.ResourceStrategy;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.schema.CompiledSchema;
import java.util.List;

/** How the status of a custom resource is written: nothing else changes with it. */
record CustomStatusStrategy(CustomResourceStrategy whole, CompiledSchema schema)
    implements ResourceStrategy {
  @Override
  public Generation generation() {
    return whole.generation();
  }

  @Override
  public PutRules putRules() {
    return whole.putRules();
  }

  @Override
  public KubeObject applyDefaults(KubeObject object) {
    return whole.applyDefaults(object);
  }

  @Override
  public KubeObject prepareForUpdate(KubeObject updated, KubeObject current, WriteContext context) {
    KubeObject merged =
        updated.tree().containsKey("status")
            ? current.with(updated.at("status"), "status")
            : current.without("status");
    return merged.withPartOf(updated, "metadata", "managedFields");
  }

  @Override
  public List<FieldError> validateUpdate(
      KubeObject updated, KubeObject current, WriteContext context) {
    return schema.validateStatusUpdate(
        updated,
        current,
        whole.scale().status(updated),
        tolerated -> context.warn(tolerated.toString()));
  }
}
