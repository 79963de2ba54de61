package dev.mooring.languages.cel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.languages.ExpressionFailure;
import dev.mooring.languages.InvalidExpression;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CelExpressionTest {
  private static Object evaluate(String expression, Object self, Object value) {
    var variables = new HashMap<String, CelValues>();
    variables.put("self", CelValues.of(self));
    variables.put("value", CelValues.ofDoubles(value));
    return CelExpression.compile(expression, Set.of("self", "value")).evaluate(variables);
  }

  @Test
  void keepsListsAndMapsAsTheyAre() {
    Object self = Map.of("list", List.of(1L, 2L), "map", Map.of("a", "b"));

    assertThat(evaluate("self.list", self, null)).isEqualTo(List.of(1L, 2L));
    assertThat(evaluate("self.list.map(x, x * 2)", self, null)).isEqualTo(List.of(2L, 4L));
    assertThat(evaluate("self.list + [3]", self, null)).isEqualTo(List.of(1L, 2L, 3L));
    assertThat(evaluate("{'x': self.map, 'y': null}", self, null))
        .isEqualTo(
            new LinkedHashMap<>(Map.of("x", Map.of("a", "b"))) {
              private static final long serialVersionUID = 1L;

              {
                put("y", null);
              }
            });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          value + 'x'                    | ax
          string(size(self.list))        | 2
          has(self.nothing) ? 'y' : 'n'  | n
          self.text.matches('^[a-c]+$') ? 'y' : 'n' | y
          string(duration('90s'))        | 90s
          self.big == 9007199254740993 ? 'y' : 'n' | y
          """)
  void knowsTheStandardLibrary(String expression, String expected) {
    Object self = Map.of("list", List.of(1L, 2L), "text", "abc", "big", 9007199254740993L);

    assertThat(evaluate(expression, self, "a")).isEqualTo(expected);
  }

  @Test
  void readsNumbersAtThePathAsFractionsAndThoseOfObjectsAsTheyAre() {
    assertThat(evaluate("value + 1.0", Map.of(), 3L)).isEqualTo(4L);
    assertThat(evaluate("int(value) + 1", Map.of(), 3L)).isEqualTo(4L);
    assertThat(evaluate("value / 2.0", Map.of(), 3L)).isEqualTo(1.5);
    assertThat(evaluate("self.n + 1", Map.of("n", 3L), null)).isEqualTo(4L);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "  ", "self.", "unknown", "self.foo(", "nosuch(self)", "'a' + 1", "((((("})
  void refusesWhatCannotWork(String expression) {
    assertThatThrownBy(() -> CelExpression.compile(expression, Set.of("self")))
        .isInstanceOf(InvalidExpression.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          "'Retired'"                 | string
          size(self.name)             | int
          ['a']                       | list
          self.a == 1 ? 'x' : 'y'     | string
          """)
  void refusesAResultOfAnotherType(String expression, String type) {
    CelExpression compiled = CelExpression.compile(expression, Set.of("self"));

    assertThatThrownBy(() -> compiled.yielding("bool"))
        .isInstanceOf(InvalidExpression.class)
        .hasMessage("the CEL expression yields a value of type %s, not bool", type);
    assertThat(compiled.yielding("bool", type)).isSameAs(compiled);
  }

  @ParameterizedTest
  @ValueSource(strings = {"self.a", "true", "has(self.a)", "self.a == 'x' || self.b"})
  void acceptsAResultThatMayBeOfTheType(String expression) {
    assertThat(CelExpression.compile(expression, Set.of("self")).yielding("bool")).isNotNull();
  }

  @Test
  void saysWhichFieldIsMissingAndNeverAValue() {
    assertThatThrownBy(() -> evaluate("self.spec.size", Map.of("spec", Map.of()), null))
        .isInstanceOf(ExpressionFailure.class)
        .hasMessage("no such field: size");
    assertThatThrownBy(() -> evaluate("int(self.password)", Map.of("password", "hunter2"), null))
        .isInstanceOf(ExpressionFailure.class)
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("hunter2"));
    assertThatThrownBy(() -> evaluate("1 / self.zero", Map.of("zero", 0L), null))
        .hasMessage("division by zero");
  }

  @Test
  void boundsWhatAnExpressionCanMake() {
    Object self = Map.of("a", "x".repeat(1000), "l", List.of(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L));
    String doubling = "[self.a + self.a]";
    String sharing = "[[1]]";
    for (char name = 'b'; name < 'l'; name++) {
      doubling += ".map(" + name + ", " + (name + "+").repeat(7) + name + ")";
      sharing += ".map(" + name + ", [" + (name + ",").repeat(15) + name + "])";
    }
    String all = "self.l.all(a, ".repeat(8) + "true" + ")".repeat(8);

    for (String expression : List.of(doubling, sharing, all)) {
      assertThatThrownBy(() -> evaluate(expression, self, null))
          .isInstanceOf(ExpressionFailure.class);
    }
    assertThatThrownBy(
            () -> CelExpression.compile("(".repeat(4000) + "1" + ")".repeat(4000), Set.of()))
        .isInstanceOf(InvalidExpression.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "self.status.vpc",
        "has(self.status)",
        "self['status'].vpc",
        "self['sta' + 'tus'].vpc",
        "self[self.spec.where]",
        "{'a': self}.a.spec.name",
        "[self].map(s, s.status.vpc)",
        "self.exists(field, field == 'status')",
        "self.spec.name + self.status.name",
      })
  void findsThatAFieldMayBeRead(String expression) {
    assertThat(CelExpression.compile(expression, Set.of("self")).mayRead("self", "status"))
        .isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "self.spec.status",
        "has(self.spec.vpc) ? self.spec.vpc : ''",
        "self['spec'].disks.map(d, d.status)",
        "'self.status'",
        "value.status",
      })
  void findsThatAFieldIsNotRead(String expression) {
    assertThat(CelExpression.compile(expression, Set.of("self", "value")).mayRead("self", "status"))
        .isFalse();
  }
}
