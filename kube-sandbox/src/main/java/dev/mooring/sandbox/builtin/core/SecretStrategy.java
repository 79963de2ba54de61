package dev.mooring.sandbox.builtin.core;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.registry.ResourceStrategy;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.api.validation.FieldErrors;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;

/**
 * Secrets: text is written into data; the type never changes and demands its keys. No text here
 * shows content.
 */
public final class SecretStrategy implements ResourceStrategy {
  @Override
  public KubeObject applyDefaults(KubeObject object) {
    KubeObject typed = object.text("type").isEmpty() ? object.with("Opaque", "type") : object;
    if (typed.map("stringData").isEmpty()) {
      return typed.without("stringData");
    }
    var data = new LinkedHashMap<>(typed.map("data"));
    typed.map("stringData").forEach((key, text) -> data.put(key, encoded(Trees.textOrEmpty(text))));
    return typed.with(data, "data").without("stringData");
  }

  private static String encoded(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public List<FieldError> validateCreate(KubeObject object, WriteContext context) {
    var errors = new ArrayList<>(DataKeyValidator.keys(object, "data"));
    errors.addAll(DataKeyValidator.size("data", DataKeyValidator.base64Bytes(object, "data")));
    errors.addAll(SecretTypes.violations(object));
    return errors;
  }

  @Override
  public List<FieldError> validateUpdate(
      KubeObject updated, KubeObject current, WriteContext context) {
    var errors = new FieldErrors();
    if (!updated.text("type").equals(current.text("type"))) {
      errors.invalid("type", updated.text("type"), "field is immutable");
    }
    errors.addAll(DataKeyValidator.immutable(updated, current, List.of("data")));
    errors.addAll(validateCreate(updated, context));
    return errors;
  }
}
