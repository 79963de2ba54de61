package dev.mooring.sandbox.builtin.core;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.registry.ResourceStrategy;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.api.validation.FieldErrors;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** ConfigMaps: keys that can be file names, and no change once immutable. */
public final class ConfigMapStrategy implements ResourceStrategy {
  private static final List<String> CONTENT = List.of("data", "binaryData");

  @Override
  public List<FieldError> validateCreate(KubeObject object, WriteContext context) {
    var errors = new FieldErrors();
    CONTENT.forEach(field -> errors.addAll(DataKeyValidator.keys(object, field)));
    for (String key : object.map("data").keySet()) {
      if (object.map("binaryData").containsKey(key)) {
        errors.invalid("data[" + key + "]", key, "duplicate of key present in binaryData");
      }
    }
    long bytes = DataKeyValidator.base64Bytes(object, "binaryData");
    for (Object text : object.map("data").values()) {
      bytes += Trees.textOrEmpty(text).getBytes(StandardCharsets.UTF_8).length;
    }
    // Kubernetes names no field, which prints so.
    errors.addAll(DataKeyValidator.size("[]", bytes));
    return errors;
  }

  @Override
  public List<FieldError> validateUpdate(
      KubeObject updated, KubeObject current, WriteContext context) {
    var errors = new ArrayList<>(DataKeyValidator.immutable(updated, current, CONTENT));
    errors.addAll(validateCreate(updated, context));
    return errors;
  }
}
