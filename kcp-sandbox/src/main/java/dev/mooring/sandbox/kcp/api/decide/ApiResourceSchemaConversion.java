package dev.mooring.sandbox.kcp.api.decide;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Converts between APIResourceSchemas and CustomResourceDefinitions, which describe a resource in
 * different shapes.
 */
public final class ApiResourceSchemaConversion {
  private static final ResourceType CRDS =
      new ResourceType("apiextensions.k8s.io", "v1", "customresourcedefinitions");
  private static final ResourceType SCHEMAS =
      new ResourceType("apis.kcp.io", "v1alpha1", "apiresourceschemas");

  private ApiResourceSchemaConversion() {}

  /** The schema as a CustomResourceDefinition of {@code apiextensions.k8s.io/v1}. */
  public static KubeObject asCrd(KubeObject schema) {
    List<Map<String, Object>> versions = new ArrayList<>();
    for (Object item : schema.list("spec", "versions")) {
      var version = new LinkedHashMap<>(Trees.mapOrEmpty(item));
      version.put("schema", Map.of("openAPIV3Schema", Trees.map(version, "schema")));
      versions.add(version);
    }
    return crd(schema, versions);
  }

  private static KubeObject crd(KubeObject schema, List<Map<String, Object>> versions) {
    var spec = new LinkedHashMap<>(schema.map("spec"));
    spec.remove("nameValidation");
    spec.put("versions", versions);
    String name = schema.text("spec", "names", "plural") + "." + schema.text("spec", "group");
    return KubeObject.of(CRDS, "CustomResourceDefinition", "", name)
        .with(schema.uid(), "metadata", "uid")
        .with(spec, "spec");
  }

  /** The APIResourceSchema of a CustomResourceDefinition; the prefix starts its name. */
  public static KubeObject ofCrd(KubeObject crd, String prefix) {
    List<Map<String, Object>> versions = new ArrayList<>();
    for (Object item : crd.list("spec", "versions")) {
      var version = new LinkedHashMap<>(Trees.mapOrEmpty(item));
      version.put("schema", Trees.map(item, "schema", "openAPIV3Schema"));
      versions.add(version);
    }
    var spec = new LinkedHashMap<>(crd.map("spec"));
    spec.put("nameValidation", "DNS1123Subdomain");
    spec.put("versions", versions);
    return KubeObject.of(SCHEMAS, "APIResourceSchema", "", prefix + "." + crd.name())
        .with(spec, "spec");
  }
}
