package dev.mooring.sandbox.builtin.core;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.ResourceStrategy;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.api.validation.FieldErrors;
import dev.mooring.sandbox.api.validation.NameRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Namespaces: emptied by a controller before they go, which their spec's finalizer sees to. */
public record NamespaceStrategy(Part part) implements ResourceStrategy {
  static final String NAME_LABEL = "kubernetes.io/metadata.name";

  private static final String ACTIVE = "Active";
  private static final String TERMINATING = "Terminating";

  /** Held by the namespace controller until the namespace is empty. */
  private static final String FINALIZER = "kubernetes";

  /** Finalizers that need no prefix. */
  private static final Set<String> STANDARD = Set.of(FINALIZER, "orphan", "foregroundDeletion");

  private static final Set<String> PROTECTED = Set.of("default", "kube-system");

  /** Which part of a namespace is written. */
  public enum Part {
    WHOLE,
    STATUS,
    FINALIZE
  }

  @Override
  public DeleteAnswer deleteAnswer() {
    return DeleteAnswer.OBJECT;
  }

  @Override
  public KubeObject applyDefaults(KubeObject object) {
    // A name may yet come from generateName.
    KubeObject active =
        object.text("status", "phase").isEmpty() ? object.with(ACTIVE, "status", "phase") : object;
    return active.name().isEmpty()
        ? active
        : active.with(active.name(), "metadata", "labels", NAME_LABEL);
  }

  @Override
  public KubeObject prepareForCreate(KubeObject object, WriteContext context) {
    var finalizers = new ArrayList<>(object.list("spec", "finalizers"));
    if (!finalizers.contains(FINALIZER)) {
      finalizers.add(FINALIZER);
    }
    return object
        .with(finalizers, "spec", "finalizers")
        .without("status")
        .with(ACTIVE, "status", "phase")
        .with(object.name(), "metadata", "labels", NAME_LABEL);
  }

  @Override
  public KubeObject prepareForUpdate(KubeObject updated, KubeObject current, WriteContext context) {
    return switch (part) {
      case WHOLE -> updated.withPartOf(current, "spec").withPartOf(current, "status");
      case STATUS -> updated.withPartOf(current, "spec");
      case FINALIZE -> updated.withPartOf(current, "status");
    };
  }

  /** Finalizers are checked where they alone are written. */
  @Override
  public List<FieldError> validateUpdate(
      KubeObject updated, KubeObject current, WriteContext context) {
    var errors = new FieldErrors();
    List<Object> finalizers =
        part == Part.FINALIZE ? updated.list("spec", "finalizers") : List.of();
    for (int i = 0; i < finalizers.size(); i++) {
      String path = "spec.finalizers[" + i + "]";
      String name = String.valueOf(finalizers.get(i));
      NameRules.qualifiedName(name).forEach(text -> errors.invalid(path, name, text));
      if (name.indexOf('/') < 0 && !STANDARD.contains(name)) {
        errors.invalid(
            path, name, "name is neither a standard finalizer name nor is it fully qualified");
      }
    }
    return errors;
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
    return object
        .with(TERMINATING, "status", "phase")
        .without("metadata", "deletionGracePeriodSeconds");
  }

  @Override
  public boolean canRemove(KubeObject object) {
    return object.finalizers().isEmpty() && object.list("spec", "finalizers").isEmpty();
  }
}
