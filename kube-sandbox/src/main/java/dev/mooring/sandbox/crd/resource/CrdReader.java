package dev.mooring.sandbox.crd.resource;

import dev.mooring.model.identity.KubeVersions;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.registry.ResourceNames;
import dev.mooring.sandbox.api.registry.Scope;
import dev.mooring.sandbox.storage.ResourceKey;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a valid CustomResourceDefinition defines. */
public final class CrdReader {
  private CrdReader() {}

  public static ResourceKey resourceKey(KubeObject definition) {
    return ResourceKey.of(
        definition.text("spec", "group"), definition.text("spec", "names", "plural"));
  }

  public static CustomResource read(KubeObject definition) {
    String group = definition.text("spec", "group");
    ResourceNames names = names(definition.map("spec", "names"));
    List<Map<String, Object>> versions =
        definition.list("spec", "versions").stream().map(Trees::mapOrEmpty).toList();
    return new CustomResource(
        group,
        names,
        definition.text("spec", "scope").equals("Cluster") ? Scope.CLUSTER : Scope.NAMESPACED,
        versions.stream()
            .map(version ->
                CustomVersion.read(
                    version,
                    Trees.mapOrEmpty(Trees.at(version, "schema", "openAPIV3Schema")),
                    group,
                    names.kind(),
                    successor(version, versions)))
            .toList(),
        versions.stream()
            .filter(version -> Boolean.TRUE.equals(version.get("storage")))
            .map(version -> Trees.textOrEmpty(version.get("name")))
            .findFirst()
            .orElse(""),
        resourceKey(definition),
        versions.size() == 1 && definition.generation() <= 1
            ? CustomResource.Stored.AS_SERVED
            : CustomResource.Stored.OTHERWISE,
        ConversionWebhook.of(definition),
        definition.deleting() ? CustomResource.Life.TERMINATING : CustomResource.Life.ACTIVE);
  }

  /** The best version that is served, not deprecated and better than the given one. */
  private static Optional<String> successor(
      Map<String, Object> version, List<Map<String, Object>> versions) {
    String name = Trees.textOrEmpty(version.get("name"));
    return versions.stream()
        .filter(other -> Boolean.TRUE.equals(other.get("served")))
        .filter(other -> !Boolean.TRUE.equals(other.get("deprecated")))
        .map(other -> Trees.textOrEmpty(other.get("name")))
        .filter(other -> KubeVersions.ASCENDING.compare(other, name) > 0)
        .max(KubeVersions.ASCENDING);
  }

  /** Names as CustomResourceDefinitions and APIResourceSchemas write them. */
  static ResourceNames names(Map<String, Object> names) {
    return new ResourceNames(
        Trees.textOrEmpty(names.get("plural")),
        Trees.textOrEmpty(names.get("singular")),
        Trees.textOrEmpty(names.get("kind")),
        Trees.textOrEmpty(names.get("listKind")),
        Trees.texts(names.get("shortNames")),
        Trees.texts(names.get("categories")));
  }
}
