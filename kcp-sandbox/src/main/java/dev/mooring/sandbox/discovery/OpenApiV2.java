package dev.mooring.sandbox.discovery;

import dev.mooring.sandbox.api.ResourceDefinition;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** OpenAPI v2: which kinds there are; clients of today read version 3. */
final class OpenApiV2 {
  private OpenApiV2() {}

  static Map<String, Object> document(List<ResourceDefinition> definitions) {
    var kinds = new LinkedHashMap<String, Object>();
    for (ResourceDefinition definition : definitions) {
      var kind = new LinkedHashMap<String, Object>();
      kind.put("type", "object");
      kind.put("x-kubernetes-group-version-kind", List.of(OpenApiV3.identity(definition, "")));
      kinds.put(OpenApiV3.schemaName(definition), kind);
    }
    var paths = new LinkedHashMap<String, Object>();
    definitions.forEach(definition -> OpenApiPaths.add(definition, paths));
    var document = new LinkedHashMap<String, Object>();
    document.put("swagger", "2.0");
    document.put(
        "info",
        Map.of(
            "title", "Kubernetes", "version", VersionDocument.MAJOR + "." + VersionDocument.MINOR));
    document.put("paths", paths);
    document.put("definitions", kinds);
    return document;
  }
}
