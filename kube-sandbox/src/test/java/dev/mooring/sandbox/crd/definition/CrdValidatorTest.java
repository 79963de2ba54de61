package dev.mooring.sandbox.crd.definition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.crd.Definitions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CrdValidatorTest {
  private final KubeObject widgets = Definitions.widgets();

  @Test
  void acceptsAWholesomeDefinition() {
    assertThat(CrdValidator.onCreate(widgets)).isEmpty();
  }

  @Test
  void wantsTheNameMadeOfPluralAndGroup() {
    assertThat(texts(CrdValidator.onCreate(widgets.with("wrong", "metadata", "name"))))
        .containsExactly(
            "metadata.name: Invalid value: \"wrong\": must be spec.names.plural+\".\"+spec.group");
  }

  @Test
  void wantsASchemaInEveryVersion() {
    KubeObject bare =
        widgets.with(
            List.of(Map.of("name", "v1", "served", true, "storage", true)), "spec", "versions");

    assertThat(texts(CrdValidator.onCreate(bare)))
        .containsExactly("spec.versions[0].schema.openAPIV3Schema: Required value");
  }

  @Test
  void wantsExactlyOneStorageVersion() {
    Map<String, Object> schema = Map.of("openAPIV3Schema", Map.of("type", "object"));
    KubeObject two =
        widgets.with(
            List.of(
                Map.of("name", "v1", "served", true, "storage", true, "schema", schema),
                Map.of("name", "v2", "served", true, "storage", true, "schema", schema)),
            "spec",
            "versions");

    assertThat(texts(CrdValidator.onCreate(two)))
        .satisfiesExactly(
            complaint ->
                assertThat(complaint)
                    .startsWith("spec.versions: Invalid value")
                    .endsWith(": must have exactly one version marked as storage version"),
            complaint -> assertThat(complaint).endsWith(": must have the storage version v2"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "group | nodots | spec.group: Invalid value: \"nodots\": should be a domain with at least one dot",
        "scope | Galaxy | spec.scope: Unsupported value: \"Galaxy\": supported values: \"Cluster\", \"Namespaced\"",
      })
  void saysWhatIsWrongWithTheSpec(String field, String value, String complaint) {
    assertThat(texts(CrdValidator.onCreate(widgets.with(value, "spec", field))))
        .contains(complaint);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{properties: {}} | .type: Required value: must not be empty at the root",
        "{type: array, items: {type: string}} | .type: Invalid value: \"array\": must be object at the root",
        "{type: object, properties: {a: {}}} | .properties[a].type: Required value: must not be empty for specified object fields",
        "{type: object, properties: {a: {type: array}}} | .properties[a].items: Required value: must be specified",
        "{type: object, properties: {a: {type: text}}} | .properties[a].type: Unsupported value: \"text\": supported values: \"array\", \"boolean\", \"integer\", \"number\", \"object\", \"string\"",
        "{type: object, properties: {a: {type: string, pattern: '['}}} | .properties[a].pattern: Invalid value: \"[\": must be a valid regular expression, but isn't: error parsing regexp: missing closing ]: `[`",
        "{type: object, properties: {a: {type: object, anyOf: [{type: string}]}}} | .properties[a].anyOf[0].type: Forbidden: must be empty to be structural",
        "{type: object, properties: {a: {type: object, additionalProperties: {type: string}, properties: {b: {type: string}}}}} | .properties[a].additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive",
        "{type: object, properties: {a: {type: array, x-kubernetes-list-type: map, items: {type: object}}}} | .properties[a].x-kubernetes-list-map-keys: Required value: must not be empty if x-kubernetes-list-type is map",
        "{type: object, properties: {metadata: {type: object, properties: {labels: {type: object}}}}} | .properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified",
        "{type: object, additionalProperties: true} | .additionalProperties: Forbidden: must not be used at the root",
      })
  void saysWhatIsNotStructural(String schema, String complaint) {
    var errors = StructuralSchemaValidator.check("", Definitions.object(schema).tree());

    assertThat(texts(errors)).contains(complaint);
  }

  @Test
  void refusesRulesThatDoNotCompile() {
    var schema =
        Definitions.object("{type: object, x-kubernetes-validations: [{rule: 'self.a =='}]}");

    assertThat(texts(StructuralSchemaValidator.check("s", schema.tree())))
        .singleElement()
        .asString()
        .startsWith("s.x-kubernetes-validations[0].rule: Invalid value: ")
        .contains("compilation failed: ERROR: <input>:1:10: ");
  }

  @Test
  void freezesScopeAndKindOnceEstablished() {
    KubeObject changed = widgets.with("Cluster", "spec", "scope");
    KubeObject established =
        widgets.with(
            List.of(Map.of("type", "Established", "status", "True")), "status", "conditions");

    assertThat(CrdValidator.onUpdate(changed, widgets)).isEmpty();
    assertThat(texts(CrdValidator.onUpdate(changed, established)))
        .containsExactly("spec.scope: Invalid value: \"Cluster\": field is immutable");
  }

  private static List<String> texts(List<FieldError> errors) {
    return errors.stream().map(FieldError::toString).toList();
  }
}
