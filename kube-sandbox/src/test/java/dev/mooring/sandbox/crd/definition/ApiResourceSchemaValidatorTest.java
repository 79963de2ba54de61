package dev.mooring.sandbox.crd.definition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.crd.Definitions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ApiResourceSchemaValidatorTest {
  private static List<String> violations(KubeObject schema) {
    return ApiResourceSchemaValidator.onCreate(schema).stream().map(Object::toString).toList();
  }

  private static List<String> violationsOfChange(KubeObject before, KubeObject after) {
    return ApiResourceSchemaValidator.onUpdate(before, after).stream()
        .map(Object::toString)
        .toList();
  }

  @Test
  void acceptsASchemaNamedForItsResource() {
    assertThat(violations(schema("v1.foos.a.example.io"))).isEmpty();
  }

  @Test
  void namesTheSuffixThatIsMissing() {
    assertThat(violations(schema("bad")))
        .containsExactly("metadata.name: Invalid value: \"bad\": must end in .foos.a.example.io");
  }

  @Test
  void checksTheNamesPrefix() {
    assertThat(violations(schema("1-.foos.a.example.io")))
        .singleElement()
        .asString()
        .contains("must match ^[a-z]([-a-z0-9]*[a-z0-9])?$ in front of .foos.a.example.io");
  }

  @Test
  void needsExactlyOneStoredVersion() {
    KubeObject twice =
        schema("v1.foos.a.example.io")
            .with(List.of(version("v1"), version("v2")), "spec", "versions");

    assertThat(violations(twice))
        .singleElement()
        .asString()
        .endsWith("must have exactly one version marked as storage version");
  }

  @Test
  void needsADotInTheGroup() {
    KubeObject schema = schema("v1.foos.example").with("example", "spec", "group");

    assertThat(violations(schema))
        .containsExactly(
            "spec.group: Invalid value: \"example\": should be a domain with at least one dot");
  }

  @Test
  void allowsOnlyMetadataToChange() {
    KubeObject before = schema("v1.foos.a.example.io");

    assertThat(violationsOfChange(before, before.with("b", "metadata", "labels", "a"))).isEmpty();
    assertThat(violationsOfChange(before, before.with("other", "spec", "names", "singular")))
        .singleElement()
        .asString()
        .startsWith("spec: Invalid value")
        .endsWith(": is immutable");
  }

  private static KubeObject schema(String name) {
    return Definitions.object(
            """
            metadata: {name: %s}
            spec:
              group: a.example.io
              scope: Namespaced
              names: {plural: foos, singular: foo, kind: Foo, listKind: FooList}
            """
                .formatted(name))
        .with(List.of(version("v1")), "spec", "versions");
  }

  private static Map<String, Object> version(String name) {
    return Map.of(
        "name", name, "served", true, "storage", true, "schema", Map.of("type", "object"));
  }

  @Test
  void asksForTheApprovalOfKubernetesForItsGroups() {
    KubeObject schema = schema("v1.foos.x.k8s.io").with("x.k8s.io", "spec", "group");
    String annotation = "api-approved.kubernetes.io";

    assertThat(violations(schema))
        .singleElement()
        .asString()
        .startsWith("metadata.annotations[" + annotation + "]: Required value");
    assertThat(violations(schema.with("why not", "metadata", "annotations", annotation)))
        .singleElement()
        .asString()
        .contains("Invalid value: \"why not\"");
    for (String approval : List.of("https://example.com/pull/1", "unapproved, for a test")) {
      assertThat(violations(schema.with(approval, "metadata", "annotations", annotation)))
          .isEmpty();
    }
  }

  @Test
  void checksSchemasAndNamesAsThoseOfCustomResourceDefinitions() {
    KubeObject schema =
        schema("v1.foos.a.example.io")
            .with("Foo", "spec", "names", "listKind")
            .with(
                List.of(
                    Map.of(
                        "name",
                        "v1",
                        "served",
                        true,
                        "storage",
                        true,
                        "schema",
                        Map.of("type", "string"))),
                "spec",
                "versions");

    assertThat(violations(schema))
        .containsExactly(
            "spec.versions[0].schema.openAPIV3Schema.type: Invalid value: \"string\": must be object"
                + " at the root",
            "spec.names.listKind: Invalid value: \"Foo\": kind and listKind may not be the same");
  }
}
