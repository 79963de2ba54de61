package dev.mooring.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SampleObjectTest {
  @Test
  void fillsRequiredFieldsAndNoOthers() {
    KubeObject sample =
        SampleObject.of(
            crd(
                "Namespaced",
                Map.of(
                    "type", "object",
                    "required", List.of("size", "color", "issuer", "ports"),
                    "properties",
                        Map.of(
                            "size", Map.of("type", "integer", "minimum", 3),
                            "color", Map.of("type", "string", "enum", List.of("red", "blue")),
                            "note", Map.of("type", "string"),
                            "issuer",
                                Map.of(
                                    "type", "object",
                                    "required", List.of("name"),
                                    "properties",
                                        Map.of("name", Map.of("type", "string", "minLength", 9))),
                            "ports",
                                Map.of(
                                    "type",
                                    "array",
                                    "minItems",
                                    2,
                                    "items",
                                    Map.of("x-kubernetes-int-or-string", true))))));

    assertThat(sample)
        .isEqualTo(
            KubeObject.of(
                Map.of(
                    "apiVersion",
                    "wire.example.io/v1",
                    "kind",
                    "Widget",
                    "metadata",
                    Map.of("name", "sample", "namespace", "default"),
                    "spec",
                    Map.of(
                        "size",
                        3,
                        "color",
                        "red",
                        "issuer",
                        Map.of("name", "sssssssss"),
                        "ports",
                        List.of(1, 1)))));
  }

  @Test
  void takesDefaultsAndTheFirstOfAlternatives() {
    KubeObject sample =
        SampleObject.of(
            crd(
                "Cluster",
                Map.of(
                    "type", "object",
                    "required", List.of("replicas"),
                    "oneOf",
                        List.of(Map.of("required", List.of("a")), Map.of("required", List.of("b"))),
                    "properties",
                        Map.of(
                            "replicas", Map.of("type", "integer", "default", 2),
                            "a", Map.of("type", "string", "format", "date-time"),
                            "b", Map.of("type", "string")))));

    assertThat(sample.map("spec")).isEqualTo(Map.of("replicas", 2L, "a", "2030-01-01T00:00:00Z"));
    assertThat(sample.namespace()).isEmpty();
  }

  @Test
  void isOfTheStoredVersionIfThatIsServed() {
    KubeObject crd =
        crd("Cluster", Map.of("type", "object"))
            .with(
                List.of(
                    Map.of("name", "v1", "served", true, "storage", false),
                    Map.of("name", "v2", "served", true, "storage", true),
                    Map.of("name", "v3", "served", true, "storage", false)),
                "spec",
                "versions");

    assertThat(SampleObject.type(crd))
        .isEqualTo(new ResourceType("wire.example.io", "v2", "widgets"));
  }

  private static KubeObject crd(String scope, Map<String, Object> spec) {
    return KubeObject.of(
        Map.of(
            "apiVersion",
            "apiextensions.k8s.io/v1",
            "kind",
            "CustomResourceDefinition",
            "metadata",
            Map.of("name", "widgets.wire.example.io"),
            "spec",
            Map.of(
                "group",
                "wire.example.io",
                "scope",
                scope,
                "names",
                Map.of("plural", "widgets", "kind", "Widget"),
                "versions",
                List.of(
                    Map.of(
                        "name",
                        "v1",
                        "served",
                        true,
                        "storage",
                        true,
                        "schema",
                        Map.of(
                            "openAPIV3Schema",
                            Map.of("type", "object", "properties", Map.of("spec", spec))))))));
  }
}
