package dev.mooring.sandbox.kcp.export.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.object.KubeObject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ApiResourceSchemaValidatorTest {
  @Test
  void acceptsASchemaNamedForItsResource() {
    assertThat(ApiResourceSchemaValidator.violations(schema("v1.foos.a.example.io"))).isEmpty();
  }

  @Test
  void namesTheSuffixThatIsMissing() {
    assertThat(ApiResourceSchemaValidator.violations(schema("bad")))
        .containsExactly("metadata.name: Invalid value: \"bad\": must end in .foos.a.example.io");
  }

  @Test
  void checksTheNamesPrefix() {
    assertThat(ApiResourceSchemaValidator.violations(schema("1-.foos.a.example.io")))
        .singleElement()
        .asString()
        .contains("must match ^[a-z]([-a-z0-9]*[a-z0-9])?$ in front of .foos.a.example.io");
  }

  @Test
  void needsExactlyOneStoredVersion() {
    KubeObject twice =
        schema("v1.foos.a.example.io")
            .with(List.of(version("v1"), version("v2")), "spec", "versions");

    assertThat(ApiResourceSchemaValidator.violations(twice))
        .containsExactly(
            "spec.versions: Invalid value: must have exactly one version marked as storage"
                + " version");
  }

  @Test
  void needsADotInTheGroup() {
    KubeObject schema = schema("v1.foos.example").with("example", "spec", "group");

    assertThat(ApiResourceSchemaValidator.violations(schema))
        .containsExactly(
            "spec.group: Invalid value: \"example\": should be a domain with at least one dot");
  }

  @Test
  void allowsOnlyMetadataToChange() {
    KubeObject before = schema("v1.foos.a.example.io");

    assertThat(
            ApiResourceSchemaValidator.violationsOfChange(
                before, before.with("b", "metadata", "labels", "a")))
        .isEmpty();
    assertThat(
            ApiResourceSchemaValidator.violationsOfChange(
                before, before.with("other", "spec", "names", "singular")))
        .singleElement()
        .asString()
        .startsWith("spec: Invalid value: ")
        .endsWith(": is immutable");
  }

  private static KubeObject schema(String name) {
    return KubeObject.of(
        Map.of(
            "metadata", Map.of("name", name),
            "spec",
                Map.of(
                    "group",
                    "a.example.io",
                    "scope",
                    "Namespaced",
                    "names",
                    Map.of(
                        "plural", "foos", "singular", "foo", "kind", "Foo", "listKind", "FooList"),
                    "versions",
                    List.of(version("v1")))));
  }

  private static Map<String, Object> version(String name) {
    return Map.of("name", name, "served", true, "storage", true, "schema", Map.of());
  }
}
