package dev.mooring.syncagent.publish.decide;

import dev.mooring.model.object.KubeObject;
import java.util.List;
import java.util.Map;

/** The CustomResourceDefinition of Certificates, as a service cluster has it. */
final class CertificateCrd {
  private CertificateCrd() {}

  static KubeObject withoutSchema() {
    return of(Map.of("name", "v1", "served", true, "storage", true));
  }

  /** With the schemas of its objects' top-level fields. */
  static KubeObject withFields(Map<String, Object> fields) {
    return of(
        Map.of(
            "name",
            "v1",
            "served",
            true,
            "storage",
            true,
            "schema",
            Map.of("openAPIV3Schema", Map.of("type", "object", "properties", fields))));
  }

  private static KubeObject of(Map<String, Object> version) {
    return KubeObject.of(
        Map.of(
            "metadata", Map.of("name", "certificates.certs.io", "generation", 4),
            "spec",
                Map.of(
                    "group",
                    "certs.io",
                    "scope",
                    "Namespaced",
                    "names",
                    Map.of("kind", "Certificate", "plural", "certificates"),
                    "versions",
                    List.of(version))));
  }
}
