package dev.mooring.sandbox.builtin.core;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.ResourceStrategy;
import dev.mooring.sandbox.api.registry.WriteContext;

/** Keeps spec and status apart: who writes one does not touch the other. */
public record PartStrategy(Part part, Generation generation) implements ResourceStrategy {
  /** What is written. */
  public enum Part {
    SPEC,
    STATUS
  }

  @Override
  public KubeObject prepareForCreate(KubeObject object, WriteContext context) {
    return object.without("status");
  }

  @Override
  public KubeObject prepareForUpdate(KubeObject updated, KubeObject current, WriteContext context) {
    return switch (part) {
      case SPEC -> restored(updated, current, "status");
      case STATUS -> restored(updated, current, "spec").with(current.map("metadata"), "metadata");
    };
  }

  private static KubeObject restored(KubeObject object, KubeObject from, String field) {
    Object value = from.at(field);
    return value == null ? object.without(field) : object.with(value, field);
  }
}
