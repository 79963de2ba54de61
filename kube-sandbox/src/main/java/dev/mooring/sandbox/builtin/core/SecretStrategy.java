package dev.mooring.sandbox.builtin.core;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.json.MalformedJson;
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
import java.util.Map;
import java.util.stream.Stream;

/**
 * Secrets: text is written into data; the type never changes and demands its keys. No text here
 * shows content.
 */
public final class SecretStrategy implements ResourceStrategy {
  private static final String ACCOUNT_ANNOTATION = "kubernetes.io/service-account.name";

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
    errors.addAll(ofType(object));
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

  /** What Kubernetes' own types have to hold; every other type may hold anything. */
  private static List<FieldError> ofType(KubeObject secret) {
    Map<String, Object> data = secret.map("data");
    return switch (secret.text("type")) {
      case "kubernetes.io/service-account-token" ->
          secret.annotation(ACCOUNT_ANNOTATION).orElse("").isEmpty()
              ? List.of(FieldError.required("metadata.annotations[" + ACCOUNT_ANNOTATION + "]", ""))
              : List.of();
      case "kubernetes.io/dockercfg" -> json(data, ".dockercfg");
      case "kubernetes.io/dockerconfigjson" -> json(data, ".dockerconfigjson");
      case "kubernetes.io/basic-auth" ->
          data.containsKey("username") || data.containsKey("password")
              ? List.of()
              : missing(data, "username", "password");
      case "kubernetes.io/ssh-auth" ->
          "".equals(data.getOrDefault("ssh-privatekey", ""))
              ? List.of(FieldError.required("data[ssh-privatekey]", ""))
              : List.of();
      case "kubernetes.io/tls" -> missing(data, "tls.crt", "tls.key");
      default -> List.of();
    };
  }

  private static List<FieldError> missing(Map<String, Object> data, String... keys) {
    return Stream.of(keys)
        .filter(key -> !data.containsKey(key))
        .map(key -> FieldError.required("data[" + key + "]", ""))
        .toList();
  }

  private static List<FieldError> json(Map<String, Object> data, String key) {
    if (!(data.get(key) instanceof String encoded)) {
      return missing(data, key);
    }
    return isObject(Base64.getDecoder().decode(encoded))
        ? List.of()
        : List.of(
            FieldError.invalid(
                "data[" + key + "]", "<secret contents redacted>", "must be a JSON object"));
  }

  private static boolean isObject(byte[] text) {
    try {
      Object value = KubeJson.read(text);
      return value == null || value instanceof Map<?, ?>;
    } catch (MalformedJson notJson) {
      return false;
    }
  }
}
