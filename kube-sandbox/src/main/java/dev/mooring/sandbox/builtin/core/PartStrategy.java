package dev.mooring.sandbox.builtin.core;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.ResourceStrategy;
import dev.mooring.sandbox.api.registry.WriteContext;
import java.util.Map;

/** Keeps spec and status apart: who writes one does not touch the other. */
public record PartStrategy(Part part, Generation generation) implements ResourceStrategy {
  /** What is written. */
  public enum Part {
    SPEC,
    STATUS
  }

  @Override
  public KubeObject prepareForCreate(KubeObject object, WriteContext context) {
    return object.with(Map.of(), "status");
  }

  @Override
  public KubeObject prepareForUpdate(KubeObject updated, KubeObject current, WriteContext context) {
    return switch (part) {
      case SPEC -> updated.withPartOf(current, "status");
      case STATUS -> updated.withPartOf(current, "spec");
    };
  }
}
