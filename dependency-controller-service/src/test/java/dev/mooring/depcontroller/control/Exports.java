package dev.mooring.depcontroller.control;

import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import java.util.Map;

/** Manifests of a provider's APIs. */
final class Exports {
  private Exports() {}

  /** Binds an export of a provider, under its name. */
  static KubeObject binding(WorkspacePath provider, String export) {
    return KubeObject.of(
        Map.of(
            "apiVersion",
            "apis.kcp.io/v1alpha2",
            "kind",
            "APIBinding",
            "metadata",
            Map.of("name", export),
            "spec",
            Map.of(
                "reference", Map.of("export", Map.of("path", provider.value(), "name", export)))));
  }

  /**
   * An export with schemas of its own.
   *
   * @param group which is the export's name as well
   */
  static String of(String group, String... resources) {
    var schemas = new StringBuilder();
    var entries = new StringBuilder();
    for (String resource : resources) {
      schemas.append(
          """
          apiVersion: apis.kcp.io/v1alpha1
          kind: APIResourceSchema
          metadata: {name: v1.%1$s.%2$s}
          spec:
            group: %2$s
            scope: Namespaced
            names: {plural: %1$s, singular: %1$s-one, kind: K%1$s, listKind: K%1$sList}
            versions:
            - name: v1alpha1
              served: true
              storage: true
              schema: {type: object, x-kubernetes-preserve-unknown-fields: true}
          ---
          """
              .formatted(resource, group));
      entries.append(
          "  - {group: %2$s, name: %1$s, schema: v1.%1$s.%2$s, storage: {crd: {}}}\n"
              .formatted(resource, group));
    }
    return schemas
        + """
        apiVersion: apis.kcp.io/v1alpha2
        kind: APIExport
        metadata: {name: %s}
        spec:
          resources:
        """
            .formatted(group)
        + entries;
  }
}
