package dev.mooring.languages.regex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.languages.ExpressionFailure;
import dev.mooring.languages.InvalidExpression;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GoRegexTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          foo | o       | u       | fuu
          foo | (f)oo   | oo$1    | oof
          foo | (f)oo   | $1x     | ``
          foo | (f)oo   | ${1}x   | fx
          foo | (f)oo   | \\1      | \\1
          abc | x*      | -       | -a-b-c-
          baac | a*     | X       | XbXcX
          foo | (?P<n>f) | ${n}${n} | ffoo
          foo | o       | $$      | f$$
          foo | f       | $       | $oo
          foo | o$      | $9      | fo
          FOO | (?i)o   | 0       | F00
          aB1 | \\p{Lu} | x       | ax1
          aB1 | \\P{Lu} | x       | xBx
          αb  | \\P{^Greek} | x   | xb
          a(b | \\Q(\\E | x      | axb
          a[b | [[] | x         | axb
          a]b | []] | x         | axb
          xy  | `(?P<n>x)|(?<m>y)` | <$n$m> | <x><y>
          """)
  void replacesAsGoDoes(String text, String pattern, String replacement, String expected) {
    assertThat(GoRegex.compile(pattern).replaceAll(text, replacement)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "(",
        "[a",
        "a**",
        "(?=x)",
        "(a)\\1",
        "(?<!a)b",
        "a{2000}",
        "\\",
        "\\p{Nope}",
        "(?P<n>a)(?P<n>b)",
        "(?P<n"
      })
  void refusesWhatRe2DoesNotHave(String pattern) {
    assertThatThrownBy(() -> GoRegex.compile(pattern)).isInstanceOf(InvalidExpression.class);
  }

  @Test
  void takesTimeInProportionToTheText() {
    String text = "a".repeat(20_000) + "b";

    // With backtracking this would not end.
    assertThat(GoRegex.compile("^(a+)+$").matches(text)).isFalse();
    assertThat(GoRegex.compile("(a|aa)+$").matches(text)).isFalse();
  }

  @Test
  void boundsPatternsAndResults() {
    assertThatThrownBy(() -> GoRegex.compile("a".repeat(GoRegex.LENGTH_MAX + 1)))
        .isInstanceOf(InvalidExpression.class);
    assertThatThrownBy(
            () -> GoRegex.compile("a").replaceAll("a".repeat(10_000), "b".repeat(10_000)))
        .isInstanceOf(ExpressionFailure.class);
  }
}
