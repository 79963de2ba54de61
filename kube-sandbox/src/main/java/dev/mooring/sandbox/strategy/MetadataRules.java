package dev.mooring.sandbox.strategy;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.api.validation.FieldErrors;
import dev.mooring.sandbox.api.validation.NameRules;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * What holds for the metadata of every object, with the texts of Kubernetes' {@code
 * apimachinery/pkg/api/validation/objectmeta.go}.
 */
final class MetadataRules {
  /** All annotations together, in bytes. */
  private static final int ANNOTATIONS_MAX = 256 * 1024;

  private static final Set<String> STANDARD_FINALIZERS =
      Set.of("kubernetes", "orphan", "foregroundDeletion");

  private MetadataRules() {}

  static List<FieldError> onCreate(ResourceDefinition definition, KubeObject object) {
    var errors = new FieldErrors();
    String prefix = object.text("metadata", "generateName");
    if (!prefix.isEmpty()) {
      for (String text : definition.strategy().validateName(masked(prefix))) {
        errors.invalid("metadata.generateName", prefix, text);
      }
    }
    String name = object.name();
    if (name.isEmpty()) {
      errors.required("metadata.name", "name or generateName is required");
    } else {
      for (String text : definition.strategy().validateName(name)) {
        errors.invalid("metadata.name", name, text);
      }
    }
    always(object, errors);
    finalizers(definition, object, errors);
    return errors;
  }

  /** A prefix may end with a dash, which a name may not. */
  private static String masked(String prefix) {
    return prefix.length() > 1 && prefix.endsWith("-")
        ? prefix.substring(0, prefix.length() - 2) + "a"
        : prefix;
  }

  static List<FieldError> onUpdate(
      ResourceDefinition definition, KubeObject updated, KubeObject current) {
    var errors = new FieldErrors();
    always(updated, errors);
    finalizers(definition, updated, errors);
    if (current.deleting()) {
      List<String> fresh =
          updated.finalizers().stream().filter(added -> !current.hasFinalizer(added)).toList();
      if (!fresh.isEmpty()) {
        errors.forbidden(
            "metadata.finalizers",
            "no new finalizers can be added if the object is being deleted: " + fresh);
      }
    }
    for (String field : List.of("name", "namespace", "uid", "deletionTimestamp")) {
      Object value = updated.at("metadata", field);
      if (!Objects.equals(value, current.at("metadata", field))) {
        // Kubernetes says it twice.
        errors.invalid("metadata." + field, value, "field is immutable");
        errors.invalid("metadata." + field, value, "field is immutable");
      }
    }
    return errors;
  }

  private static void finalizers(
      ResourceDefinition definition, KubeObject object, FieldErrors errors) {
    for (String finalizer : object.finalizers()) {
      for (String text : NameRules.qualifiedName(finalizer)) {
        errors.invalid("metadata.finalizers", finalizer, text);
      }
    }
    // The core group alone insists on what others are warned of.
    if (!definition.type().group().isEmpty()) {
      return;
    }
    if (object.finalizers().containsAll(List.of(Deletion.ORPHAN, Deletion.FOREGROUND))) {
      errors.invalid(
          "metadata.finalizers",
          object.finalizers(),
          "finalizer orphan and foregroundDeletion cannot be both set");
    }
    int index = 0;
    for (String finalizer : object.finalizers()) {
      if (!isQualified(finalizer)) {
        errors.invalid(
            "metadata.finalizers[" + index + "]",
            finalizer,
            "name is neither a standard finalizer name nor is it fully qualified");
      }
      index++;
    }
  }

  /** Whether a finalizer is Kubernetes' own or names its domain. */
  static boolean isQualified(String finalizer) {
    return finalizer.contains("/") || STANDARD_FINALIZERS.contains(finalizer);
  }

  private static void always(KubeObject object, FieldErrors errors) {
    labels(object.map("metadata", "labels"), errors);
    annotations(object.map("metadata", "annotations"), errors);
    owners(object.list("metadata", "ownerReferences"), errors);
  }

  private static void labels(Map<String, Object> labels, FieldErrors errors) {
    labels.forEach((key, value) -> {
      for (String text : NameRules.qualifiedName(key)) {
        errors.invalid("metadata.labels", key, text);
      }
      for (String text : NameRules.labelValue(Trees.textOrEmpty(value))) {
        errors.invalid("metadata.labels", value, text);
      }
    });
  }

  private static void annotations(Map<String, Object> annotations, FieldErrors errors) {
    long size = 0;
    for (Map.Entry<String, Object> entry : annotations.entrySet()) {
      String key = entry.getKey();
      for (String text : NameRules.qualifiedName(key.toLowerCase(java.util.Locale.ROOT))) {
        errors.invalid("metadata.annotations", key, text);
      }
      size += key.length() + Trees.textOrEmpty(entry.getValue()).length();
    }
    if (size > ANNOTATIONS_MAX) {
      errors.add(FieldError.tooLong("metadata.annotations", ANNOTATIONS_MAX));
    }
  }

  private static void owners(List<Object> owners, FieldErrors errors) {
    boolean controlled = false;
    for (Object owner : owners) {
      for (String field : List.of("apiVersion", "kind", "name", "uid")) {
        if (Trees.text(owner, field).isEmpty()) {
          errors.invalid("metadata.ownerReferences." + field, "", "must not be empty");
        }
      }
      if (Boolean.TRUE.equals(Trees.at(owner, "controller"))) {
        if (controlled) {
          errors.invalid("metadata.ownerReferences", owner, "only one owner can be the controller");
        }
        controlled = true;
      }
    }
  }
}
