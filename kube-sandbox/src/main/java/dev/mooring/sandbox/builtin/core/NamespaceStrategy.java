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
    return switch (part) {
      case WHOLE -> List.of();
      case STATUS -> phaseViolations(updated);
      case FINALIZE -> {
        var errors = new ArrayList<FieldError>();
        List<Object> finalizers = updated.list("spec", "finalizers");
        for (int i = 0; i < finalizers.size(); i++) {
          errors.addAll(violations("spec.finalizers[" + i + "]", finalizers.get(i)));
        }
        yield errors;
      }
    };
  }

  private static List<FieldError> phaseViolations(KubeObject namespace) {
    String phase = namespace.text("status", "phase");
    String wanted = namespace.deleting() ? TERMINATING : ACTIVE;
    return phase.equals(wanted)
        ? List.of()
        : List.of(
            FieldError.invalid(
                "status.Phase",
                phase,
                "may only be '%s' if `deletionTimestamp` is %s"
                    .formatted(wanted, namespace.deleting() ? "not empty" : "empty")));
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
    return object
        .with(TERMINATING, "status", "phase")
        .without("metadata", "deletionGracePeriodSeconds");
  }

  @Override
  public boolean canRemove(KubeObject object) {
    return object.finalizers().isEmpty() && object.list("spec", "finalizers").isEmpty();
  }
}
