package dev.mooring.sandbox.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.mooring.model.json.MalformedJson;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class YamlTextTest {
  @Test
  void readsTimestampsAsText() {
    assertThat(YamlText.read("a: 2026-01-02\nb: 2026-01-02T03:04:05Z\nc: 5\n"))
        .isEqualTo(Map.of("a", "2026-01-02", "b", "2026-01-02T03:04:05Z", "c", 5L));
  }

  @Test
  void writesSortedBlocks() {
    assertThat(YamlText.write(Map.of("kind", "X", "a", List.of(1L), "m", Map.of("k", "v"))))
        .isEqualTo("a:\n- 1\nkind: X\nm:\n  k: v\n");
  }

  @Test
  void refusesWhatIsNoDocument() {
    assertThatExceptionOfType(MalformedJson.class)
        .isThrownBy(() -> YamlText.read("a: ["))
        .withMessageContaining("the text is no YAML")
        .withMessageContaining("line 1");
    assertThatExceptionOfType(MalformedJson.class)
        .isThrownBy(() -> YamlText.read("!!java.net.URL [x]"));
  }

  @Test
  void reportsKeysThatAMapHasTwiceAndTakesTheLast() {
    String text = "a: 1\nl:\n- {b: 1, b: 2}\na: 2\n";

    assertThat(YamlText.read(text)).isEqualTo(Map.of("a", 2L, "l", List.of(Map.of("b", 2L))));
    assertThat(YamlText.repeatedKeys(text))
        .containsExactly(
            "line 3: key \"b\" already set in map", "line 4: key \"a\" already set in map");
    assertThat(YamlText.repeatedKeys("a: 1\nb: {a: 2}\n")).isEmpty();
  }
}
