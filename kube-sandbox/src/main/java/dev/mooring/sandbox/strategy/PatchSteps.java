package dev.mooring.sandbox.strategy;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.registry.ResourceDefinition.Origin;
import dev.mooring.sandbox.api.registry.UnreadableObject;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.api.status.ApiFailure;

/** Reads what a patch made of an object. Source: {@code apiserver/.../handlers/patch.go}. */
final class PatchSteps {
  private PatchSteps() {}

  /** Throws {@link ApiFailure} 422 for an object that is none of its kind any more. */
  static KubeObject decoded(
      ResourceDefinition definition, KubeObject patched, WriteContext context, String name) {
    try {
      KubeObject object =
          definition.origin() == Origin.BUILT_IN ? typed(definition, patched, name) : patched;
      return definition.decoder().decodePatched(object, context);
    } catch (UnreadableObject unreadable) {
      throw unreadable.afterPatch();
    }
  }

  private static KubeObject typed(ResourceDefinition definition, KubeObject object, String name) {
    if (object.apiVersion().isEmpty()) {
      throw WriteSteps.unnamed(name);
    }
    String kind = definition.kind();
    String apiVersion = definition.type().apiVersion();
    boolean same = object.kind().isEmpty() || object.kind().equals(kind);
    if (!same || !object.apiVersion().equals(apiVersion)) {
      String why = "kind must be %s and apiVersion %s".formatted(kind, apiVersion);
      throw new UnreadableObject(why, why);
    }
    return object.with(kind, "kind");
  }
}
