package dev.mooring.languages.cel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.languages.FieldStep;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CelFieldsTest {
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
  void followsAVariable(String expression, String fields) {
    Set<String> expected = fields.isEmpty() ? Set.of() : Set.of(fields.split(" "));

    assertThat(
            CelExpression.compile(expression, Set.of("object")).fields("object").stream()
                .map(
                    path -> path.stream().map(CelFieldsTest::text).collect(Collectors.joining("/")))
                .collect(Collectors.toSet()))
        .isEqualTo(expected);
  }

  private static String text(FieldStep step) {
    return step instanceof FieldStep.Field(var name) ? name : "*";
  }
}
