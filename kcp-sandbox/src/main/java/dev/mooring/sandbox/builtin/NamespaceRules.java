package dev.mooring.sandbox.builtin;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.ApiFailure;
import dev.mooring.sandbox.api.NameRules;
import dev.mooring.sandbox.api.ResourceStrategy;
import dev.mooring.sandbox.api.WriteContext;
import java.util.List;
import java.util.Set;

/** Namespaces: emptied by a controller before they go, which their spec's finalizer sees to. */
final class NamespaceRules implements ResourceStrategy {
  static final String NAME_LABEL = "kubernetes.io/metadata.name";

  private static final Set<String> PROTECTED = Set.of("default", "kube-system");

  /** Which part of a namespace is written. */
  enum Part {
    WHOLE,
    STATUS,
    FINALIZE
  }

  private final Part part;

  NamespaceRules(Part part) {
    this.part = part;
  }

  @Override
  public DeleteAnswer deleteAnswer() {
    return DeleteAnswer.OBJECT;
  }

  @Override
  public KubeObject defaulted(KubeObject object) {
    // A name may yet come from generateName; the pipeline defaults again when there is one.
    return object.name().isEmpty()
        ? object
        : object.with(object.name(), "metadata", "labels", NAME_LABEL);
  }

  @Override
  public KubeObject prepareForCreate(KubeObject object, WriteContext context) {
    return object
        .with(List.of("kubernetes"), "spec", "finalizers")
        .without("status")
        .with("Active", "status", "phase");
  }

  @Override
  public KubeObject prepareForUpdate(KubeObject updated, KubeObject current, WriteContext context) {
    return switch (part) {
      case WHOLE -> copied(copied(updated, current, "spec"), current, "status");
      case STATUS -> copied(updated, current, "spec").with(current.map("metadata"), "metadata");
      case FINALIZE -> copied(updated, current, "status");
    };
  }

  private static KubeObject copied(KubeObject object, KubeObject from, String field) {
    Object value = from.at(field);
    return value == null ? object.without(field) : object.with(value, field);
  }

  @Override
  public List<String> validateName(String name) {
    return NameRules.label(name);
  }

  @Override
  public void checkDelete(KubeObject current, WriteContext context) {
    if (PROTECTED.contains(current.name())) {
      throw ApiFailure.forbidden(
          ResourceType.core("namespaces"), current.name(), "this namespace may not be deleted");
    }
  }

  @Override
  public KubeObject prepareForDelete(KubeObject object) {
    return object.with("Terminating", "status", "phase");
  }

  @Override
  public boolean released(KubeObject object) {
    return object.finalizers().isEmpty() && object.list("spec", "finalizers").isEmpty();
  }
}
