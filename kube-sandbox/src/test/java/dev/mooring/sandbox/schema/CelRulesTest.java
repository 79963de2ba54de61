package dev.mooring.sandbox.schema;

import static dev.mooring.sandbox.schema.SchemaTexts.object;
import static dev.mooring.sandbox.schema.SchemaTexts.schema;
import static dev.mooring.sandbox.schema.SchemaTexts.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.mooring.sandbox.cel.CelExpression.InvalidExpression;
import dev.mooring.sandbox.schema.rule.CelRule;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CelRulesTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "self.low <= self.high ; {low: 1, high: 2}",
        "!has(self.low) || self.low > 0 ; {}",
        "self.ratio > 1 && self.ratio < 2.5 ; {ratio: 2}",
        "self.names.all(n, n.startsWith('a')) ; {names: [ab, ac]}",
        "self.parts.exists(p, p.name == 'x' && p.qty >= 1) ; {parts: [{name: x, qty: 1}]}",
        "self.when < timestamp('2027-01-01T00:00:00Z') ; {when: '2026-01-01T00:00:00Z'}",
        "self.lasts > duration('1m') ; {lasts: 90s}",
        "self.secret == b'hi' ; {secret: aGk=}",
        "self.x__dash__y.__namespace__ == 'a' ; {x-y: {namespace: a}}",
        "type(self.port) == int || self.port.endsWith('%') ; {port: 50%}",
        "quantity(self.size).isLessThan(quantity('1Gi')) ; {size: 500Mi}",
        "self.labels.all(k, self.labels[k].size() < 3) ; {labels: {a/b: cd}}",
        "self.names.map(n, n.upperAscii()).join('-') == 'AB-C' ; {names: [ab, c]}",
        "self.?size.orValue('d') == 'd' ; {}",
      })
  void holdsWhereTheRuleIsTrue(String rule, String spec) {
    assertThat(texts(ruled(rule).validate(object("{spec: " + spec + "}")))).isEmpty();
    assertThat(texts(ruled("!(" + rule + ")").validate(object("{spec: " + spec + "}"))))
        .containsExactly("spec: Invalid value: because");
  }

  private static CompiledSchema ruled(String rule) {
    return schema(
        """
        type: object
        properties:
          spec:
            type: object
            properties:
              low: {type: integer}
              high: {type: integer}
              ratio: {type: number}
              names: {type: array, items: {type: string}}
              parts: {type: array, items: {type: object, properties: {name: {type: string}, qty: {type: integer}}}}
              when: {type: string, format: date-time}
              lasts: {type: string, format: duration}
              secret: {type: string, format: byte}
              x-y: {type: object, properties: {namespace: {type: string}}}
              port: {x-kubernetes-int-or-string: true}
              note: {type: string, nullable: true}
              size: {type: string}
              labels: {type: object, additionalProperties: {type: string}}
            x-kubernetes-validations:
            - {rule: "%s", message: because}
        """
            .formatted(rule));
  }

  @Test
  void showsValuesOfScalarsOnly() {
    var schema =
        schema(
            """
            type: object
            properties:
              size: {type: integer, x-kubernetes-validations: [{rule: self > 1}]}
            """);

    assertThat(texts(schema.validate(object("{size: 1}"))))
        .containsExactly("size: Invalid value: 1: failed rule: self > 1");
  }

  @Test
  void evaluatesTransitionRulesOnUpdatesOnly() {
    var schema =
        schema(
            """
            type: object
            properties:
              fixed: {type: string, x-kubernetes-validations: [{rule: self == oldSelf, message: fixed is immutable}]}
              parts:
                type: array
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [name]
                items:
                  type: object
                  properties: {name: {type: string}, qty: {type: integer}}
                  x-kubernetes-validations: [{rule: self.qty >= oldSelf.qty, message: qty must not shrink}]
            """);
    var old = object("{fixed: a, parts: [{name: x, qty: 2}]}");

    assertThat(schema.validate(old)).isEmpty();
    assertThat(
            texts(
                schema.validateUpdate(
                    object("{fixed: b, parts: [{name: y, qty: 0}, {name: x, qty: 1}]}"),
                    old,
                    List.of(),
                    tolerated -> {})))
        .containsExactly(
            "fixed: Invalid value: \"b\": fixed is immutable",
            "parts[1]: Invalid value: qty must not shrink");
    assertThat(schema.validateUpdate(object("{parts: []}"), old, List.of(), tolerated -> {}))
        .isEmpty();
  }

  @Test
  void evaluatesRulesBelowAValueThatWasNull() {
    var schema =
        schema(
            """
            type: object
            properties:
              spec:
                type: object
                nullable: true
                properties:
                  size: {type: integer, x-kubernetes-validations: [{rule: self > 1}]}
            """);

    assertThat(
            texts(
                schema.validateUpdate(
                    object("{spec: {size: 1}}"),
                    object("{spec: null}"),
                    List.of(),
                    tolerated -> {})))
        .containsExactly("spec.size: Invalid value: 1: failed rule: self > 1");
  }

  @Test
  void evaluatesRulesWithOptionalOldSelfOnCreationToo() {
    var schema =
        schema(
            """
            type: object
            x-kubernetes-validations:
            - {rule: "oldSelf.hasValue() || self.state == 'new'", optionalOldSelf: true, message: must start new}
            properties: {state: {type: string}}
            """);

    assertThat(texts(schema.validate(object("{state: old}"))))
        .containsExactly("<nil>: Invalid value: must start new");
    assertThat(schema.validate(object("{state: new}"))).isEmpty();
    assertThat(
            schema.validateUpdate(
                object("{state: old}"), object("{state: new}"), List.of(), tolerated -> {}))
        .isEmpty();
  }

  @Test
  void honoursMessageExpressionReasonAndFieldPath() {
    var schema =
        schema(
            """
            type: object
            properties:
              spec:
                type: object
                properties: {low: {type: integer}, high: {type: integer}}
                x-kubernetes-validations:
                - rule: self.low <= self.high
                  messageExpression: "'low is ' + string(self.low)"
                  reason: FieldValueForbidden
                  fieldPath: .low
                - {rule: has(self.high), message: set high, reason: FieldValueRequired}
            """);

    assertThat(texts(schema.validate(object("{spec: {low: 5, high: 2}}"))))
        .containsExactly("spec.low: Forbidden: low is 5");
  }

  @Test
  void reportsWhatCannotBeEvaluated() {
    var schema =
        schema(
            """
            type: object
            properties:
              spec:
                type: object
                properties: {missing: {type: integer}}
                x-kubernetes-validations: [{rule: self.missing == 1}]
            """);

    assertThat(texts(schema.validate(object("{spec: {}}"))))
        .containsExactly(
            "spec: Invalid value: \"object\": no such key: missing evaluating rule: self.missing =="
                + " 1");
  }

  @Test
  void skipsRulesWhenTheObjectIsInvalidAnyway() {
    var schema =
        schema(
            """
            type: object
            required: [spec]
            properties: {spec: {type: object, x-kubernetes-validations: [{rule: "false"}]}}
            """);

    assertThat(texts(schema.validate(object("{}"))))
        .containsExactly(
            "spec: Required value",
            "<nil>: Invalid value: null: some validation rules were not checked because the object"
                + " was invalid; correct the existing errors to complete validation");
  }

  @Test
  void toleratesOnUpdateWhatBrokeTheRuleBefore() {
    var schema =
        schema(
            """
            type: object
            properties:
              spec: {type: object, properties: {n: {type: integer, x-kubernetes-validations: [{rule: self > 1}]}}}
              note: {type: string}
            """);

    assertThat(
            schema.validateUpdate(
                object("{spec: {n: 1}, note: b}"),
                object("{spec: {n: 1}, note: a}"),
                List.of(),
                tolerated -> {}))
        .isEmpty();
  }

  @Test
  void listsRulesThatDoNotCompile() {
    var schema =
        schema(
            """
            type: object
            properties:
              a:
                type: object
                properties: {b: {type: integer}}
                x-kubernetes-validations:
                - {rule: "self.b =="}
                - {rule: "1 + 1"}
                - {rule: "self.d == 1"}
                - {rule: "self.b == 'x'"}
                - {rule: "self.b == 1"}
            """);

    Map<String, String> invalid = invalid(schema);
    assertThat(invalid)
        .containsOnlyKeys(
            ".properties[a].x-kubernetes-validations[0]",
            ".properties[a].x-kubernetes-validations[1]",
            ".properties[a].x-kubernetes-validations[2]",
            ".properties[a].x-kubernetes-validations[3]");
    assertThat(invalid.values())
        .contains(
            "must evaluate to bool but got int",
            """
            compilation failed: ERROR: <input>:1:5: undefined field 'd'
             | self.d == 1
             | ....^\
            """);
  }

  @Test
  void compilesAnInvalidRuleOnce() {
    CelRule rule = ruled("self.unknown == 1").rules().getFirst();

    Throwable first = catchThrowable(rule::condition);

    assertThat(first).isInstanceOf(InvalidExpression.class);
    assertThat(catchThrowable(rule::condition)).isSameAs(first);
  }

  private static Map<String, String> invalid(CompiledSchema schema) {
    var invalid = new TreeMap<String, String>();
    for (CelRule rule : schema.rules()) {
      try {
        rule.condition();
      } catch (InvalidExpression e) {
        invalid.put(rule.path(), e.getMessage());
      }
    }
    return invalid;
  }
}
