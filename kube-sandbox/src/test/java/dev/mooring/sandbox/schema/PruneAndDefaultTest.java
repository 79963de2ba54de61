package dev.mooring.sandbox.schema;

import static dev.mooring.sandbox.schema.SchemaTexts.object;
import static dev.mooring.sandbox.schema.SchemaTexts.schema;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PruneAndDefaultTest {
  private final CompiledSchema widget =
      schema(
          """
          type: object
          properties:
            spec:
              type: object
              properties:
                size: {type: integer}
                color: {type: string, default: red}
                note: {type: string, nullable: true, default: none}
                free: {type: object, x-kubernetes-preserve-unknown-fields: true,
                       properties: {strict: {type: object, properties: {a: {type: string}}}}}
                labels: {type: object, additionalProperties: {type: string}}
                template: {type: object, x-kubernetes-embedded-resource: true,
                           properties: {spec: {type: object}}}
                parts:
                  type: array
                  items: {type: object, properties: {name: {type: string}, qty: {type: integer, default: 7}}}
                nested: {type: object, default: {}, properties: {deep: {type: string, default: x}}}
          """);

  @Test
  void removesUnknownFieldsAndNamesThem() {
    var pruned =
        widget.prune(
            object(
                """
                apiVersion: v1
                kind: Widget
                metadata: {name: w, anything: goes}
                extra: 1
                spec:
                  size: 1
                  unknown: x
                  labels: {any: key}
                  parts: [{name: p, odd: 1}, {name: q}]
                """));

    assertThat(pruned.unknownFields())
        .containsExactly("extra", "spec.parts[0].odd", "spec.unknown");
    assertThat(pruned.object())
        .isEqualTo(
            object(
                """
                apiVersion: v1
                kind: Widget
                metadata: {name: w, anything: goes}
                spec: {size: 1, labels: {any: key}, parts: [{name: p}, {name: q}]}
                """));
  }

  @Test
  void keepsTheVeryObjectWhenNothingIsUnknown() {
    var object = object("{apiVersion: v1, kind: Widget, metadata: {name: w}, spec: {size: 1}}");

    assertThat(widget.prune(object).object().tree()).isSameAs(object.tree());
  }

  @Test
  void preservesUnknownFieldsButPrunesWhatIsDescribedBelow() {
    var object = object("{spec: {free: {any: {deep: [1]}, strict: {a: x, b: y}}}}");

    var pruned = widget.prune(object);

    assertThat(pruned.object())
        .isEqualTo(object("{spec: {free: {any: {deep: [1]}, strict: {a: x}}}}"));
    assertThat(pruned.unknownFields()).containsExactly("spec.free.strict.b");
  }

  @Test
  void keepsTypeAndMetadataOfEmbeddedResources() {
    var object =
        object(
            "{spec: {template: {apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {x: 1}}}}");

    assertThat(widget.prune(object).object())
        .isEqualTo(
            object(
                "{spec: {template: {apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {}}}}"));
  }

  @Test
  void fillsInDefaultsInsideDefaultsAndItems() {
    assertThat(widget.applyDefaults(object("{spec: {parts: [{name: p}, {qty: 1}]}}")))
        .isEqualTo(
            object(
                """
                spec:
                  parts: [{name: p, qty: 7}, {qty: 1}]
                  color: red
                  note: none
                  nested: {deep: x}
                """));
  }

  @Test
  void givesNoDefaultsToWhatIsAbsentItself() {
    assertThat(widget.applyDefaults(object("{kind: Widget}"))).isEqualTo(object("{kind: Widget}"));
  }

  @Test
  void dropsNullsThatMeanNothingAndKeepsThoseThatDo() {
    assertThat(
            widget.applyDefaults(
                object("{spec: {size: null, color: null, note: null, nested: {deep: a}}}")))
        .isEqualTo(object("{spec: {color: red, note: null, nested: {deep: a}}}"));
  }
}
