package dev.mooring.sandbox.selector;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.json.KubeJson;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
      })
  void matches(String selector, boolean matches) {
    assertThat(LabelSelector.of(KubeJson.read(selector.replace('\'', '"'))).matches(LABELS))
        .isEqualTo(matches);
  }

  @Test
  void absentSelectorMatchesEverything() {
    assertThat(LabelSelector.of(null).matchesEverything()).isTrue();
  }
}
