package dev.mooring.model.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever its size, a tree's map is like any other. */
class SmallMapTest {
  private static LinkedHashMap<String, Object> plain(int entries) {
    var map = new LinkedHashMap<String, Object>();
    IntStream.range(0, entries).forEach(i -> map.put("key-" + (97 * i % 31), i == 1 ? null : i));
    return map;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 11, 12, 13, 30})
  void isLikeTheMapItWasMadeOf(int entries) {
    LinkedHashMap<String, Object> plain = plain(entries);

    Map<String, Object> owned = Trees.owned(plain(entries));

    assertThat(owned).isEqualTo(plain).hasSameHashCodeAs(plain).hasSize(plain.size());
    assertThat(plain).isEqualTo(owned);
    assertThat(owned.keySet()).containsExactlyElementsOf(plain.keySet());
    assertThat(owned.values()).containsExactlyElementsOf(plain.values());
    plain.forEach((key, value) -> {
      assertThat(owned.get(key)).isEqualTo(value);
      assertThat(owned.containsKey(key)).isTrue();
    });
    assertThat(owned.get("other")).isNull();
    assertThat(owned.containsKey("other")).isFalse();
    var visited = new LinkedHashMap<String, Object>();
    owned.forEach(visited::put);
    assertThat(visited).isEqualTo(plain);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 12, 13})
  void cannotBeChanged(int entries) {
    Map<String, Object> owned = Trees.owned(plain(entries));

    assertThatThrownBy(() -> owned.put("key-0", 1)).isInstanceOf(RuntimeException.class);
    assertThatThrownBy(() -> owned.remove("key-0")).isInstanceOf(RuntimeException.class);
    assertThatThrownBy(owned::clear).isInstanceOf(RuntimeException.class);
    assertThatThrownBy(() -> owned.entrySet().iterator().next().setValue(1))
        .isInstanceOf(RuntimeException.class);
    assertThat(owned).isEqualTo(plain(entries));
  }
}
