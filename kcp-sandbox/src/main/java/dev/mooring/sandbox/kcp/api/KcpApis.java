package dev.mooring.sandbox.kcp.api;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.registry.VersionConverter;
import dev.mooring.sandbox.codec.YamlText;
import dev.mooring.sandbox.kcp.api.decide.ApiBindingConversion;
import dev.mooring.sandbox.kcp.api.decide.ApiExportConversion;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * kcp's own types, read once from the YAML files of this package: as CustomResourceDefinitions, and
 * as served resources.
 */
public final class KcpApis {
  private static final List<String> FILES = List.of("tenancy-apis.yaml", "export-apis.yaml");

  private static final ResourceType DESCRIPTIONS =
      new ResourceType("apiextensions.k8s.io", "v1", "customresourcedefinitions");

  private final List<KubeObject> descriptions;
  private final Map<ResourceType, ResourceDefinition> definitions;

  public KcpApis(CustomResourceFactory factory) {
    var found = new ArrayList<KubeObject>();
    var served = new LinkedHashMap<ResourceType, ResourceDefinition>();
    for (String file : FILES) {
      Trees.listOrEmpty(YamlText.resource(KcpApis.class, file).get("definitions"))
          .forEach(spec -> found.add(description(spec)));
    }
    for (KubeObject crd : found) {
      for (ResourceDefinition definition : factory.define(crd, "")) {
        served.put(definition.type(), converting(definition));
      }
    }
    descriptions = List.copyOf(found);
    definitions = Map.copyOf(served);
  }

  /** Shaped as CustomResourceDefinitions. */
  public List<KubeObject> descriptions() {
    return descriptions;
  }

  public Map<ResourceType, ResourceDefinition> definitions() {
    return definitions;
  }

  public Optional<ResourceDefinition> find(ResourceType type) {
    return Optional.ofNullable(definitions.get(type));
  }

  /** Whether one of kcp's types is served by APIBindings to exports of the workspace root. */
  public static boolean isExported(ResourceType type) {
    return type.group().equals("tenancy.kcp.io")
        || type.group().equals("topology.kcp.io")
        || type.resource().equals("shards");
  }

  /** Whether kcp serves the resource itself in every workspace, in any version. */
  public boolean owns(String group, String resource) {
    return descriptions.stream()
        .anyMatch(crd ->
            group.equals(crd.text("spec", "group"))
                && resource.equals(crd.text("spec", "names", "plural")));
  }

  private static ResourceDefinition converting(ResourceDefinition definition) {
    if (!definition.type().apiVersion().equals(ApiExportConversion.V1ALPHA1)) {
      return definition;
    }
    return switch (definition.type().resource()) {
      case "apiexports" ->
          definition.toBuilder()
              .converter(
                  VersionConverter.of(ApiExportConversion::downgrade, ApiExportConversion::upgrade))
              .build();
      case "apibindings" ->
          definition.toBuilder()
              .converter(
                  VersionConverter.of(
                      ApiBindingConversion::downgrade, ApiBindingConversion::upgrade))
              .build();
      default -> definition;
    };
  }

  private static KubeObject description(Object spec) {
    String name = Trees.at(spec, "names", "plural") + "." + Trees.at(spec, "group");
    return KubeObject.of(DESCRIPTIONS, "CustomResourceDefinition", "", name).with(spec, "spec");
  }
}
