package dev.mooring.sandbox.builtin.core;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.ResourceStrategy;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.api.validation.NameRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Namespaces: emptied by a controller before they go, which their spec's finalizer sees to. */
public record NamespaceStrategy(Part part) implements ResourceStrategy {
  static final String NAME_LABEL = "kubernetes.io/metadata.name";

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
    // A name may yet come from generateName; the pipeline defaults again when there is one.
    return object.name().isEmpty()
        ? object
        : object.with(object.name(), "metadata", "labels", NAME_LABEL);
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
        .with("Active", "status", "phase");
  }

  @Override
  public KubeObject prepareForUpdate(KubeObject updated, KubeObject current, WriteContext context) {
    return switch (part) {
      case WHOLE -> updated.withPartOf(current, "spec").withPartOf(current, "status");
      case STATUS -> updated.withPartOf(current, "spec").with(current.map("metadata"), "metadata");
      case FINALIZE -> updated.withPartOf(current, "status");
    };
  }

  @Override
  public List<FieldError> validateCreate(KubeObject object, WriteContext context) {
    return object.list("spec", "finalizers").stream()
        .flatMap(finalizer -> violations("spec.finalizers", finalizer).stream())
        .toList();
  }

  /** Kubernetes names the finalizer's place only where they alone are written. */
  @Override
  public List<FieldError> validateUpdate(
      KubeObject updated, KubeObject current, WriteContext context) {
    var errors = new ArrayList<FieldError>();
    if (part == Part.FINALIZE) {
      List<Object> finalizers = updated.list("spec", "finalizers");
      for (int i = 0; i < finalizers.size(); i++) {
        errors.addAll(violations("spec.finalizers[" + i + "]", finalizers.get(i)));
      }
    }
    return errors;
  }

  private static List<FieldError> violations(String field, Object finalizer) {
    String name = String.valueOf(finalizer);
    var texts = new ArrayList<>(NameRules.qualifiedName(name));
    if (name.indexOf('/') < 0 && !STANDARD.contains(name)) {
      texts.add("name is neither a standard finalizer name nor is it fully qualified");
    }
    return texts.stream().map(text -> FieldError.invalid(field, name, text)).toList();
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
  public boolean canRemove(KubeObject object) {
    return object.finalizers().isEmpty() && object.list("spec", "finalizers").isEmpty();
  }
}
