package dev.mooring.sandbox.builtin.core;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.json.MalformedJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.validation.FieldError;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What Kubernetes' own types of Secrets have to hold. Every other type, also {@code
 * bootstrap.kubernetes.io/token}, may hold anything. No text here shows content.
 */
final class SecretTypes {
  private static final String ACCOUNT_ANNOTATION = "kubernetes.io/service-account.name";

  private SecretTypes() {}

  static List<FieldError> violations(KubeObject secret) {
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
