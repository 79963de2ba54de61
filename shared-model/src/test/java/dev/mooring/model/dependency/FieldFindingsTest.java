package dev.mooring.model.dependency;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.schema.ObjectSchema;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FieldFindingsTest {
  private static final Map<String, Object> TEXT = Map.of("type", "string");

  private static final ObjectSchema SCHEMA =
      new ObjectSchema(
          object(
              Map.of(
                  "spec",
                  object(
                      Map.of(
                          "vpcRef", object(Map.of("name", TEXT, "namespace", TEXT)),
                          "kind", Map.of("type", "string", "enum", List.of("Small", "Large")),
                          "size", Map.of("type", "integer"),
                          "disks", Map.of("type", "array", "items", object(Map.of("volume", TEXT))),
                          "any",
                              Map.of(
                                  "type",
                                  "object",
                                  "x-kubernetes-preserve-unknown-fields",
                                  true))))));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          path: .spec.vpcRef.name                                 | ``
          path: .metadata.annotations['a.b/c']                    | ``
          path: .spec.vpcReff.name                                | path: .spec has no field "vpcReff" (did you mean "vpcRef"?)
          path: .spec.vpcRef                                      | path is of type object, not string
          path: .spec.size                                        | path is of type integer, not string
          path: .spec.disks.volume                                | path: .spec.disks is a list; its items have the field "volume"
          namespacePath: .spec.vpcRef.namespce                    | namespacePath: .spec.vpcRef has no field "namespce" (did you mean "namespace"?)
          match: kindd                                            | match.kindd: .spec.vpcRef has no field "kindd" (it has name, namespace)
          expression: object.spec.vpcRef.name                     | ``
          expression: object.spec.vpcReff.name                    | expression: .spec has no field "vpcReff" (did you mean "vpcRef"?)
          expression: has(object.spec.vpc) ? object.spec.vpc : '' | expression: .spec has no field "vpc" (it has any, disks, kind, size, vpcRef)
          expression: object.spec.disks.map(d, d.volumes)         | expression: .spec.disks[*] has no field "volumes" (did you mean "volume"?)
          expression: object.spec.any.thing.at.all                | ``
          """)
  void findsFieldsThatNoDependentCanHave(String field, String problem) {
    String[] parts = field.split(": ", 2);
    Map<String, Object> fieldRef =
        switch (parts[0]) {
          case "namespacePath" -> Map.of("path", ".spec.vpcRef.name", parts[0], parts[1]);
          case "match" -> Map.of("path", ".spec.vpcRef.name", "match", Map.of(parts[1], "VPC"));
          default -> Map.of(parts[0], parts[1]);
        };

    FieldFindings findings =
        FieldFindings.of(rule(Rules.withDependencyField(fieldRef, "fieldRef")), SCHEMA);

    assertThat(findings.problems())
        .isEqualTo(
            problem.isEmpty() ? List.of() : List.of("spec.dependencies[0].fieldRef." + problem));
  }

  @Test
  void findsValuesThatNoDependentCanHave() {
    KubeObject rule =
        Rules.withDependencyField(
            Map.of("path", ".spec.size.name", "match", Map.of("kind", "Huge")), "fieldRef");
    var schema =
        new ObjectSchema(
            object(
                Map.of(
                    "spec",
                    object(
                        Map.of(
                            "size",
                            object(
                                Map.of(
                                    "name",
                                    TEXT,
                                    "kind",
                                    Map.of("type", "string", "enum", List.of("Small")))))))));

    assertThat(FieldFindings.of(rule(rule), schema).problems())
        .containsExactly("spec.dependencies[0].fieldRef.match.kind: \"Huge\" is none of [Small]");
  }

  @Test
  void findsFieldsInTheCondition() {
    FieldFindings findings =
        FieldFindings.of(
            rule(Rules.vmNeedsVpc().with("has(object.spec.sizes)", "spec", "when")), SCHEMA);

    assertThat(findings.references()).isEmpty();
    assertThat(findings.when())
        .contains("spec.when: .spec has no field \"sizes\" (did you mean \"size\"?)");
  }

  @Test
  void findsAConditionThatIsAText() {
    FieldFindings findings =
        FieldFindings.of(
            rule(Rules.vmNeedsVpc().with("object.metadata.name", "spec", "when")), SCHEMA);

    assertThat(findings.when()).contains("spec.when is of type string, not boolean");
  }

  @Test
  void findsAReferenceThatIsANumber() {
    KubeObject rule =
        Rules.withDependencyField(Map.of("expression", "object.metadata.generation"), "fieldRef");

    assertThat(FieldFindings.of(rule(rule), SCHEMA).problems())
        .containsExactly("spec.dependencies[0].fieldRef.expression is of type integer, not string");
  }

  @Test
  void saysWhatTheSchemaLeavesOpen() {
    KubeObject rule = Rules.withDependencyField(".spec.any.name", "fieldRef", "path");

    assertThat(FieldFindings.of(rule(rule), SCHEMA).unchecked())
        .containsExactly(
            "spec.dependencies[0].fieldRef.path: the schema allows any field in .spec.any");
  }

  @Test
  void aReportedFieldMatchesEverythingUntilTheRuleIsEdited() {
    KubeObject reported =
        Rules.vmNeedsVpc()
            .with("has(object.spec.sizes)", "spec", "when")
            .with(
                Map.of(
                    "observedGeneration", 3L,
                    "conditions",
                        List.of(
                            Map.of(
                                "type", "Accepted",
                                "reason", FieldFindings.NOT_IN_SCHEMA,
                                "message", "no field x; spec.when: no field sizes")),
                    "dependencies",
                        List.of(
                            Map.of("state", FieldFindings.NOT_IN_SCHEMA, "message", "no field x"))),
                "status");
    KubeObject edited = reported.with(4L, "metadata", "generation");
    RuleCache rules = RuleCache.asReported(List::of);

    assertThat(rules.reading(reported))
        .isInstanceOfSatisfying(
            RuleReading.Valid.class,
            valid -> {
              assertThat(valid.rule().dependencies().getFirst().field())
                  .isEqualTo(new ReferenceField.Unreadable(".spec.vpcRef.name", "no field x"));
              assertThat(valid.rule().when()).isEmpty();
              assertThat(valid.rule().problems()).contains("no field x");
            });
    assertThat(rules.readsTheSame(reported, edited)).isFalse();
    assertThat(rules.reading(edited)).isEqualTo(DependencyRuleReader.read(edited));
    assertThat(RuleCache.asWritten(List::of).reading(reported))
        .isEqualTo(DependencyRuleReader.read(reported));
  }

  private static DependencyRule rule(KubeObject object) {
    return ((RuleReading.Valid) DependencyRuleReader.read(object)).rule();
  }

  private static Map<String, Object> object(Map<String, Object> properties) {
    return Map.of("type", "object", "properties", properties);
  }
}
