package dev.mooring.sandbox.schema.validation;

import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.api.validation.NameRules;
import dev.mooring.sandbox.schema.model.Structural;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Whether objects inside objects have the type that {@code x-kubernetes-embedded-resource} promises
 * (apiextensions {@code pkg/apiserver/schema/objectmeta}).
 */
public final class EmbeddedResourceCheck {
  private EmbeddedResourceCheck() {}

  public static void check(
      String path,
      @Nullable Object value,
      Structural schema,
      Collection<? super FieldError> errors) {
    schema.walk(
        path,
        value,
        (here, found, described) -> {
          if (described.embedded() && found instanceof Map<?, ?>) {
            checkType(here, Trees.mapOrEmpty(found), errors);
          }
        });
  }

  private static void checkType(
      String path, Map<String, Object> object, Collection<? super FieldError> errors) {
    checkText(path, object, "apiVersion", errors);
    checkText(path, object, "kind", errors);
    if (object.get("apiVersion") instanceof String version
        && version.indexOf('/') != version.lastIndexOf('/')) {
      errors.add(
          FieldError.invalid(
              Structural.child(path, "apiVersion"),
              version,
              "unexpected GroupVersion string: " + version));
    }
    if (object.get("kind") instanceof String kind && !kind.isEmpty()) {
      NameRules.dns1035Label(kind.toLowerCase(Locale.ROOT))
          .forEach(complaint ->
              errors.add(FieldError.invalid(Structural.child(path, "kind"), kind, complaint)));
    }
  }

  private static void checkText(
      String path, Map<String, Object> object, String key, Collection<? super FieldError> errors) {
    if (!object.containsKey(key)) {
      errors.add(FieldError.required(Structural.child(path, key), ""));
    } else if (!(object.get(key) instanceof String text)) {
      errors.add(
          FieldError.invalid(Structural.child(path, key), object.get(key), "must be a string"));
    } else if (text.isEmpty()) {
      errors.add(FieldError.invalid(Structural.child(path, key), text, "must not be empty"));
    }
  }
}
