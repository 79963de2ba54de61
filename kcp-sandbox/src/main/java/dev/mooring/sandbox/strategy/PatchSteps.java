package dev.mooring.sandbox.strategy;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.registry.ResourceDefinition.Origin;
import dev.mooring.sandbox.api.registry.UnreadableObject;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.api.status.ApiFailure;

/** Reads what a patch made of an object. Source: {@code apiserver/.../handlers/patch.go}. */
final class PatchSteps {
  private static final String NO_KIND =
      "no kind \"%s\" is registered for version \"%s\" in scheme"
          + " \"k8s.io/apimachinery@v0.0.0-20260602065202-e006560fc76a/pkg/runtime/scheme.go:111\"";

  private PatchSteps() {}

  /** Throws {@link ApiFailure} 422 for an object that is none of its kind any more. */
  static KubeObject decoded(
      ResourceDefinition definition, Change.Patched patched, WriteContext context, String name) {
    try {
      KubeObject object =
          definition.origin() == Origin.BUILT_IN
              ? typed(definition, patched, name)
              : patched.object();
      return definition.decoder().decodePatched(object, context);
    } catch (UnreadableObject unreadable) {
      throw patched.refused(unreadable);
    }
  }

  /** A patched document may change its type; a patched map does not carry it. */
  private static KubeObject typed(
      ResourceDefinition definition, Change.Patched patched, String name) {
    KubeObject object = patched.object();
    String kind = definition.kind();
    ResourceType type = definition.type();
    if (patched.form() == Change.Form.JSON) {
      String found = object.kind().isEmpty() ? kind : object.kind();
      if (object.apiVersion().isEmpty()) {
        throw WriteSteps.unnamed(name);
      }
      if (!object.apiVersion().equals(type.apiVersion()) && found.equals(kind)) {
        throw unreadable(NO_KIND.formatted(found, object.apiVersion()));
      }
      if (!found.equals(kind)) {
        String version = object.apiVersion().substring(object.apiVersion().indexOf('/') + 1);
        String group = type.group().isEmpty() ? "core" : type.group().split("\\.", 2)[0];
        throw unreadable(
            "converting (%s.%s) to (%s.%s): unknown conversion"
                .formatted(version, found, group, kind));
      }
    }
    return object.with(kind, "kind").with(type.apiVersion(), "apiVersion");
  }

  private static UnreadableObject unreadable(String why) {
    return new UnreadableObject(why, why, why);
  }
}
