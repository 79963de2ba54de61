package dev.mooring.sandbox.selector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.mooring.model.json.KubeJson;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LabelSelectorTest {
  private static final Map<String, String> LABELS = Map.of("tier", "web", "zone", "a");

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = ';',
      value = {
        "{}; true",
        "{'matchLabels':{'tier':'web'}}; true",
        "{'matchLabels':{'tier':'web','zone':'b'}}; false",
        "{'matchExpressions':[{'key':'tier','operator':'In','values':['db','web']}]}; true",
        "{'matchExpressions':[{'key':'rack','operator':'In','values':['1']}]}; false",
        "{'matchExpressions':[{'key':'rack','operator':'NotIn','values':['1']}]}; true",
        "{'matchExpressions':[{'key':'zone','operator':'NotIn','values':['a']}]}; false",
        "{'matchExpressions':[{'key':'zone','operator':'Exists'}]}; true",
        "{'matchExpressions':[{'key':'rack','operator':'Exists'}]}; false",
        "{'matchExpressions':[{'key':'rack','operator':'DoesNotExist'}]}; true",
        "{'matchExpressions':[{'key':'zone','operator':'Bogus'}]}; false",
        "{'matchExpressions':[{'key':'tier','operator':'in','values':['web']}]}; false",
        "{'matchExpressions':[{'key':'rack','operator':'notin','values':['1']}]}; false",
        "{'matchExpressions':[{'key':'tier','operator':'=','values':['web']}]}; false",
      })
  void matches(String selector, boolean matches) {
    assertThat(LabelSelector.of(KubeJson.read(selector.replace('\'', '"'))).matches(LABELS))
        .isEqualTo(matches);
  }

  @Test
  void absentSelectorMatchesEverything() {
    assertThat(LabelSelector.of(null).matchesEverything()).isTrue();
  }

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
  void matchesTexts(String text, boolean selected) {
    assertThat(LabelSelector.parse(text).matches(WEB_DEV)).isEqualTo(selected);
  }

  @Test
  void emptyTextMatchesEverything() {
    assertThat(LabelSelector.parse("").matchesEverything()).isTrue();
    assertThat(LabelSelector.parse("").matches(Map.of())).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "===",
        ",",
        "!",
        "a=b,",
        "a in b",
        "a in (b",
        "a b",
        "a=b c",
        "!a=b",
        "-a=b",
        "a=-b-",
        "a>b",
        "x/=1",
        "a in (b c)"
      })
  void refusesWhatIsNoSelector(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> LabelSelector.parse(text));
  }

  @Test
  void readsLongTexts() {
    String values = "x,".repeat(100_000) + "web";

    assertThat(LabelSelector.parse("tier in (" + values + ")").matches(WEB_DEV)).isTrue();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LabelSelector.parse("a" + " ".repeat(100_000) + "b"));
  }
}
