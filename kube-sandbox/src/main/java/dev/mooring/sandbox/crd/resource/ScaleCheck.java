package dev.mooring.sandbox.crd.resource;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.Subresource;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.api.validation.FieldErrors;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Whether the fields that the scale subresource shows can be shown. */
record ScaleCheck(Optional<Subresource.Scale> scale) {
  private static final String WHOLE = "must be a whole number";

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
      case Missing() -> {}
      case Blocked() -> errors.invalid(path, 0L, WHOLE);
      case Found(Long replicas) when replicas < 0 ->
          errors.invalid(path, replicas, "should be a non-negative integer");
      case Found(Long replicas) when replicas > Integer.MAX_VALUE ->
          errors.invalid(path, replicas, "should be less than or equal to " + Integer.MAX_VALUE);
      case Found(Long _) -> {}
      case Found(Object _) -> errors.invalid(path, 0L, WHOLE);
    }
  }

  private static void checkSelector(String path, KubeObject object, FieldErrors errors) {
    switch (find(path, object)) {
      case Missing() -> {}
      case Blocked() -> errors.invalid(path, "", "must be a string");
      case Found(String _) -> {}
      case Found(Object _) -> errors.invalid(path, "", "must be a string");
    }
  }

  private static Lookup find(String path, KubeObject object) {
    Object here = object.tree();
    for (String step : path.substring(path.startsWith(".") ? 1 : 0).split("\\.")) {
      if (!(here instanceof Map<?, ?> map)) {
        return new Blocked();
      }
      if (!map.containsKey(step)) {
        return new Missing();
      }
      here = map.get(step);
    }
    return here == null ? new Missing() : new Found(here);
  }

  private sealed interface Lookup {}

  private record Missing() implements Lookup {}

  /** Something above the field is no object. */
  private record Blocked() implements Lookup {}

  private record Found(Object value) implements Lookup {}
}
