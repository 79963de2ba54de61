package dev.mooring.sandbox.crd.resource;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.Subresource;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.api.validation.FieldErrors;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Whether the fields that the scale subresource shows can be shown. */
record ScaleCheck(Optional<Subresource.Scale> scale) {
  /** What is wrong with the fields of spec and status. */
  List<FieldError> all(KubeObject object) {
    var errors = new FieldErrors();
    scale.ifPresent(paths -> checkReplicas(paths.specReplicasPath(), object, errors));
    errors.addAll(status(object));
    return errors;
  }

  /** What is wrong with the fields of the status alone. */
  List<FieldError> status(KubeObject object) {
    var errors = new FieldErrors();
    scale.ifPresent(paths -> {
      checkReplicas(paths.statusReplicasPath(), object, errors);
      if (!paths.selectorPath().isEmpty()) {
        checkSelector(paths.selectorPath(), object, errors);
      }
    });
    return errors;
  }

  private static void checkReplicas(String path, KubeObject object, FieldErrors errors) {
    switch (find(path, object)) {
      case Long replicas when replicas < 0 ->
          errors.invalid(path, replicas, "should be a non-negative integer");
      case Long replicas when replicas > Integer.MAX_VALUE ->
          errors.invalid(path, replicas, "should be less than or equal to " + Integer.MAX_VALUE);
      case Long _ -> {}
      case null -> {}
      default -> errors.invalid(path, 0L, "must be a whole number");
    }
  }

  private static void checkSelector(String path, KubeObject object, FieldErrors errors) {
    Object selector = find(path, object);
    if (selector != null && !(selector instanceof String)) {
      errors.invalid(path, "", "must be a string");
    }
  }

  /** Null if the field is missing; a map if something above it is none. */
  private static @Nullable Object find(String path, KubeObject object) {
    Object here = object.tree();
    for (String step : path.substring(path.startsWith(".") ? 1 : 0).split("\\.")) {
      if (!(here instanceof Map<?, ?> map)) {
        return Map.of();
      }
      if (!map.containsKey(step)) {
        return null;
      }
      here = map.get(step);
    }
    return here;
  }
}
