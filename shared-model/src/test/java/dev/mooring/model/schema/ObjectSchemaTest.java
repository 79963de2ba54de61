package dev.mooring.model.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.languages.gjson.JsonPath;
import dev.mooring.model.dependency.FieldPath;
import dev.mooring.model.object.Trees;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ObjectSchemaTest {
  private static final Map<String, Object> TEXT = Map.of("type", "string");

  private static final ObjectSchema SCHEMA =
      new ObjectSchema(
          object(
              "spec",
              object(
                  "vpcRef", object("name", TEXT),
                  "port", Map.of("x-kubernetes-int-or-string", true),
                  "size", Map.of("type", "integer"),
                  "class", Map.of("type", "string", "enum", List.of("small", "large")),
                  "disks", list(object("volumeName", TEXT)),
                  "zones", list(TEXT),
                  "tags", Map.of("type", "object", "additionalProperties", TEXT),
                  "values", Map.of("type", "object", "x-kubernetes-preserve-unknown-fields", true),
                  "extra", Map.of("type", "object", "additionalProperties", true),
                  "nothing", Map.of("type", "object"),
                  "template",
                      Map.of(
                          "type",
                          "object",
                          "x-kubernetes-embedded-resource",
                          true,
                          "properties",
                          Map.of("spec", object("image", TEXT))))));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          .spec.vpcRef.name                   | string
          spec.vpcRef                         | object
          .spec.port                          | integer or string
          .spec.size                          | integer
          .spec.disks[*].volumeName           | string
          .spec.zones[*]                      | string
          .spec.tags['a.b/c']                 | string
          .spec.template.metadata.name        | string
          .spec.template.spec.image           | string
          .metadata.name                      | string
          .metadata.annotations['a.b/c']      | string
          .metadata.ownerReferences[*].name   | string
          """)
  void knowsWhatObjectsMayHave(String path, String type) {
    assertThat(find(path))
        .isInstanceOfSatisfying(
            FieldLookup.Known.class, known -> assertThat(known.type()).isEqualTo(type));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          .spec.vpcReff.name      | .spec has no field "vpcReff" (did you mean "vpcRef"?)
          .spec.vpcRef.id         | .spec.vpcRef has no field "id" (it has name)
          .spec.vpcRef.Name       | .spec.vpcRef has no field "Name" (did you mean "name"?)
          .specc.vpcRef           | the object has no field "specc" (did you mean "spec"?)
          .spec.class.name        | .spec.class is a string, which has no field "name"
          .spec.disks.volumeName  | .spec.disks is a list; its items have the field "volumeName"
          .spec.disks.name        | .spec.disks is a list, which has no field "name"
          .spec.disks[*].name     | .spec.disks[*] has no field "name" (it has volumeName)
          .spec.vpcRef[*].name    | .spec.vpcRef is an object, not a list
          .spec.size[*]           | .spec.size is an integer, not a list
          .spec.nothing.at        | .spec.nothing has no field "at" and no others
          .spec.template.name     | .spec.template has no field "name" (it has apiVersion, kind, metadata, spec)
          .metadata.label['a']    | .metadata has no field "label" (did you mean "labels"?)
          """)
  void namesWhatObjectsCannotHave(String path, String problem) {
    assertThat(find(path)).isEqualTo(new FieldLookup.Missing(problem));
  }

  @ParameterizedTest
  @CsvSource({".spec.values.any.thing, .spec.values", ".spec.extra.any, .spec.extra"})
  void cannotCheckWhereTheSchemaAllowsAnyField(String path, String where) {
    assertThat(find(path))
        .isEqualTo(new FieldLookup.Unchecked("the schema allows any field in " + where));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "12", "-1"})
  void knowsTheIndexesOfGjsonAndSjson(String index) {
    assertThat(SCHEMA.find(JsonPath.compile("spec.zones." + index).fields().iterator().next()))
        .isEqualTo(new FieldLookup.Known("string", List.of()));
  }

  @Test
  void cannotCheckWithoutASchema() {
    assertThat(new ObjectSchema(Map.of()).find(new FieldPath(".spec.x").steps()))
        .isEqualTo(new FieldLookup.Unchecked("the type has no schema"));
  }

  @Test
  void knowsTheValuesOfAnEnumeration() {
    assertThat(find(".spec.class"))
        .isEqualTo(new FieldLookup.Known("string", List.of("small", "large")));
  }

  @Test
  void saysTheSameWithoutWhatItDoesNotNeed() {
    var described =
        new ObjectSchema(
            Map.of(
                "type", "object",
                "description", "text",
                "properties", Map.of("spec", Map.of("type", "string", "description", "more"))));

    assertThat(described.fieldsOnly()).isEqualTo(new ObjectSchema(object("spec", TEXT)));
    assertThat(SCHEMA.fieldsOnly()).isEqualTo(SCHEMA);
  }

  private static FieldLookup find(String path) {
    return SCHEMA.find(new FieldPath(path).steps());
  }

  private static Map<String, Object> object(Object... properties) {
    return Map.of("type", "object", "properties", Trees.ordered(properties));
  }

  private static Map<String, Object> list(Map<String, Object> items) {
    return Map.of("type", "array", "items", items);
  }
}
