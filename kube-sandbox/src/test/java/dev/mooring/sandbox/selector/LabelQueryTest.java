package dev.mooring.sandbox.selector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LabelQueryTest {
  private static final Map<String, String> WEB_DEV = Map.of("tier", "web", "env", "dev", "n", "5");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "tier=web | true",
        "tier==db | false",
        "tier!=db | true",
        "absent!=x | true",
        "tier | true",
        "!tier | false",
        "!absent | true",
        "tier in (web, db) | true",
        "tier in (db) | false",
        "absent in (x) | false",
        "env notin (dev) | false",
        "absent notin (x) | true",
        "tier=web,env=dev | true",
        "tier=web,env=prod | false",
        "n>4 | true",
        "n<5 | false",
        "tier>4 | false",
        "tier= | false",
        "tier in (web,) | true",
      })
  void selects(String text, boolean selected) {
    assertThat(LabelQuery.parse(text).test(WEB_DEV)).isEqualTo(selected);
  }

  @Test
  void selectsEverythingWhenEmpty() {
    assertThat(LabelQuery.parse("").selectsEverything()).isTrue();
    assertThat(LabelQuery.parse("").test(Map.of())).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "=== | found '==', expected: !, identifier, or 'end of string'",
        "a=b, | found '', expected: identifier after ','",
        "a in b | unable to parse requirement: found 'b' expected: '('",
        "a b | unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt",
      })
  void complainsAsKubernetesDoes(String text, String complaint) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LabelQuery.parse(text))
        .withMessage(complaint);
  }
}
