package dev.mooring.sandbox.schema;

import static dev.mooring.sandbox.schema.SchemaTexts.object;
import static dev.mooring.sandbox.schema.SchemaTexts.schema;
import static dev.mooring.sandbox.schema.SchemaTexts.texts;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The texts are those that a Kubernetes API server answers. */
class ValueValidationTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{type: integer} | '1' | f: Invalid value: \"string\": f in body must be of type integer: \"string\"",
        "{type: object} | [] | f: Invalid value: \"array\": f in body must be of type object: \"array\"",
        "{type: string} | 1 | f: Invalid value: \"integer\": f in body must be of type string: \"integer\"",
        "{type: boolean} | {} | f: Invalid value: \"object\": f in body must be of type boolean: \"object\"",
        "{type: integer, format: int32} | true | f: Invalid value: \"\": f in body must be of type int32: \"\"",
        "{type: integer} | 1.5 | f: Invalid value: \"number\": f in body must be of type integer: \"number\"",
        "{x-kubernetes-int-or-string: true} | true | f: Invalid value: \"boolean\": f in body must be of type integer,string: \"boolean\"",
        "{type: string, enum: [red, green]} | pink | f: Unsupported value: \"pink\": supported values: \"red\", \"green\"",
        "{type: integer, enum: [1, 2]} | 3 | f: Unsupported value: 3: supported values: \"1\", \"2\"",
        "{type: integer, maximum: 100} | 101 | f: Invalid value: 101: f in body should be less than or equal to 100",
        "{type: integer, minimum: 1} | 0 | f: Invalid value: 0: f in body should be greater than or equal to 1",
        "{type: number, minimum: 0.5, exclusiveMinimum: true} | 0.5 | f: Invalid value: 0.5: f in body should be greater than 0.5",
        "{type: number, maximum: 2, exclusiveMaximum: true} | 2.5 | f: Invalid value: 2.5: f in body should be less than 2",
        "{type: integer, multipleOf: 3} | 7 | f: Invalid value: 7: f in body should be a multiple of 3",
        "{type: string, maxLength: 4} | abcde | f: Too long: may not be more than 4 bytes",
        "{type: string, minLength: 2} | a | f: Invalid value: \"a\": f in body should be at least 2 chars long",
        "{type: string, pattern: '^[a-z]{2,4}$'} | ABC | f: Invalid value: \"ABC\": f in body should match '^[a-z]{2,4}$'",
        "{type: string, format: date} | soon | f: Invalid value: \"soon\": f in body must be of type date: \"soon\"",
        "{type: string, format: ipv4} | 1.2.3 | f: Invalid value: \"1.2.3\": f in body must be of type ipv4: \"1.2.3\"",
        "{type: array, maxItems: 1} | [a, b] | f: Too many: 2: must have at most 1 item",
        "{type: array, minItems: 2} | [a] | f: Invalid value: 1: f in body should have at least 2 items",
        "{type: array, uniqueItems: true} | [a, a] | f: Invalid value: \"\": f in body shouldn't contain duplicates",
        "{type: array, items: {type: integer}} | [1, b] | f[1]: Invalid value: \"string\": f[1] in body must be of type integer: \"string\"",
        "{type: object, maxProperties: 1} | {a: 1, b: 2} | f: Too many: 2: must have at most 1 item",
        "{type: object, minProperties: 1} | {} | f: Invalid value: 0: f in body should have at least 1 properties",
        "{type: object, required: [a]} | {} | f.a: Required value",
        "{type: object, additionalProperties: {type: string}} | {k: 1} | f.k: Invalid value: \"integer\": f.k in body must be of type string: \"integer\"",
        "{type: array, x-kubernetes-list-type: set} | [a, b, a] | f[2]: Duplicate value: \"a\"",
        "{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [n]} | [{n: 1}, {n: 1}] | f[1]: Duplicate value: {\"n\":1}",
        "{type: array, items: {type: string}} | [null] | f[0]: Invalid value: \"null\": f[0] in body must be of type string: \"null\"",
        "{type: object, x-kubernetes-embedded-resource: true} | {kind: A} | f.apiVersion: Required value",
        "{type: object, not: {required: [a]}} | {a: 1} | <nil>: Invalid value: \"\": \"f\" must not validate the schema (not)",
      })
  void saysWhatIsWrong(String property, String value, String complaint) {
    var schema = schema("{type: object, properties: {f: " + property + "}}");

    var errors = schema.validate(object("{f: " + value + "}"));

    assertThat(texts(errors)).contains(complaint);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{type: integer} | 1.0",
        "{type: number} | 1",
        "{type: string, nullable: true} | null",
        "{x-kubernetes-int-or-string: true} | http",
        "{x-kubernetes-int-or-string: true} | 80",
        "{type: string, format: unheard-of} | anything",
        "{type: string, format: date-time} | '2026-11-21T10:00:00.5Z'",
        "{type: string, format: ipv6} | 'fe80::1'",
        "{type: string, format: cidr} | 10.0.0.0/8",
        "{type: string, format: duration} | 1h30m",
        "{type: string, format: byte} | aGk=",
        "{type: string, format: uri} | 'https://a.example/b'",
        "{type: string, pattern: '\\d+'} | 'port 80'",
        "{type: string, maxLength: 1} | é",
        "{type: object, oneOf: [{required: [a]}, {required: [b]}]} | {a: 1}",
        "{anyOf: [{type: integer}, {type: string}], x-kubernetes-int-or-string: true} | 8",
        "{type: string, enum: ['1', '2']} | '2'",
      })
  void acceptsWhatFits(String property, String value) {
    var schema = schema("{type: object, properties: {f: " + property + "}}");

    assertThat(texts(schema.validate(object("{f: " + value + "}")))).isEmpty();
  }

  @Test
  void explainsAlternativesByTheClosest() {
    var schema =
        schema(
            """
            type: object
            properties:
              f:
                type: object
                oneOf:
                - required: [a]
                - required: [b]
            """);

    assertThat(texts(schema.validate(object("{f: {a: 1, b: 2}}"))))
        .containsExactly(
            "<nil>: Invalid value: \"\": \"f\" must validate one and only one schema (oneOf)."
                + " Found 2 valid alternatives");
    assertThat(texts(schema.validate(object("{f: {}}"))))
        .containsExactly(
            "<nil>: Invalid value: \"\": \"f\" must validate one and only one schema (oneOf)."
                + " Found none valid",
            "f.a: Required value");
  }

  @Test
  void toleratesOnUpdateWhatWasWrongBefore() {
    var schema =
        schema(
            """
            type: object
            properties:
              size: {type: integer, maximum: 10}
              color: {type: string}
              parts:
                type: array
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [name]
                items: {type: object, properties: {qty: {type: integer, maximum: 10}}}
            """);
    var old = object("{size: 11, color: red, parts: [{name: a, qty: 11}]}");
    var recolored =
        object("{size: 11, color: blue, parts: [{name: b, qty: 1}, {name: a, qty: 11}]}");

    assertThat(schema.validateUpdate(recolored, old, List.of(), tolerated -> {})).isEmpty();
    assertThat(texts(schema.validateUpdate(object("{size: 12}"), old, List.of(), tolerated -> {})))
        .containsExactly(
            "size: Invalid value: 12: size in body should be less than or equal to 10");
  }

  @Test
  void looksAtTheStatusAloneWhenTheStatusIsWritten() {
    var schema =
        schema(
            """
            type: object
            properties:
              spec: {type: object, required: [size]}
              status: {type: object, properties: {phase: {type: string}}}
            """);

    var errors =
        schema.validateStatusUpdate(
            object("{spec: {}, status: {phase: 1}}"),
            object("{spec: {}}"),
            List.of(),
            tolerated -> {});

    assertThat(texts(errors))
        .containsExactly(
            "status.phase: Invalid value: \"integer\": phase in body must be of type string:"
                + " \"integer\"");
  }
}
