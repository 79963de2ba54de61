package dev.mooring.languages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.languages.cel.CelExpression;
import dev.mooring.languages.gjson.JsonPath;
import dev.mooring.languages.template.GoTemplate;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which fields of a document an expression of each language names. */
class FieldsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          object.spec.name                                          | spec spec/name
          object['spec']["a.b/c"]                                   | spec spec/a.b/c
          has(object.spec.vpc) ? object.spec.vpc : ''               | spec spec/vpc
          object.spec.zones[0]                                      | spec spec/zones spec/zones/*
          object.spec[object.spec.key].x                            | spec spec/key
          object.spec.disks.map(d, d.volume)                        | spec spec/disks spec/disks/* spec/disks/*/volume
          object.spec.disks.filter(d, d.on).map(d, d.volume)        | spec spec/disks spec/disks/* spec/disks/*/on spec/disks/*/volume
          object.spec.disks.map(d, d.on, d.refs).map(r, r.name)     | spec spec/disks spec/disks/* spec/disks/*/on spec/disks/*/refs spec/disks/*/refs/name
          (has(object.a) ? object.a : []).exists(x, x.b == 'c')     | a a/* a/*/b
          [object.a, object.a].map(x, x.b)                          | a a/b
          object.a + object.b                                       | a b
          {'name': object.a, 'namespace': object.b}                 | a b
          1 + 1                                                     | ''
          object.a.map(object, object.b)                            | a a/* a/*/b
          """)
  void ofAnExpression(String expression, String fields) {
    assertThat(texts(CelExpression.compile(expression, Set.of("object")).fields("object")))
        .isEqualTo(expected(fields));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          spec.items.#.name                     ; spec/items/*/name
          spec.items.0.name                     ; spec/items/0/name
          spec.items.#(kind=="Secret")#.name    ; spec/items/*/kind spec/items/*/name
          metadata.annotations.a\\.b/c          ; metadata/annotations/a.b/c
          spec.items.#.name|0                   ; spec/items/*/name
          spec.it*.name                         ; spec
          spec.items.@reverse.0                 ; spec/items
          spec|name                             ; spec/name
          """)
  void ofAPath(String path, String fields) {
    assertThat(texts(JsonPath.compile(path).fields())).isEqualTo(expected(fields));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          {{ .Object.spec.name }}                                     ; Object Object/spec Object/spec/name
          {{ with .Object.spec }}{{ .a | upper }}{{ else }}{{ .b }}{{ end }} ; Object Object/spec Object/spec/a b
          {{ range .Object.items }}{{ .name }}{{ end }}               ; Object Object/items Object/items/* Object/items/*/name
          {{ range $i, $x := .Object.items }}{{ $x.name }}{{ $i }}{{ end }} ; Object Object/items Object/items/* Object/items/*/name
          {{ $s := .Object.spec }}{{ $s.a }}{{ if $s.b }}x{{ end }}   ; Object Object/spec Object/spec/a Object/spec/b
          {{ index .Object.metadata.labels "a/b" }}                   ; Object Object/metadata Object/metadata/labels Object/metadata/labels/a/b
          {{ (index .Object.items 0).name }}                          ; Object Object/items Object/items/* Object/items/*/name
          {{ (.Object.spec | toJson).x }}                             ; Object Object/spec
          {{ .Object.a | default .Object.b }}                         ; Object Object/a Object/b
          {{ define "n" }}{{ .x }}{{ end }}{{ template "n" .Object }} ; Object Object/x
          """)
  void ofATemplate(String template, String fields) {
    assertThat(texts(GoTemplate.compile(template, Set.of("Object", "b")).fields()))
        .isEqualTo(expected(fields));
  }

  private static Set<String> expected(String fields) {
    return fields.isEmpty() ? Set.of() : Set.of(fields.split(" "));
  }

  private static Set<String> texts(Set<List<FieldStep>> paths) {
    return paths.stream()
        .map(path -> path.stream().map(FieldsTest::text).collect(Collectors.joining("/")))
        .collect(Collectors.toSet());
  }

  private static String text(FieldStep step) {
    return step instanceof FieldStep.Field(var name) ? name : "*";
  }
}
