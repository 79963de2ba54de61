package dev.mooring.model.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TreesTest {
  private static LinkedHashMap<String, Object> mapOf(String key, Object value) {
    var map = new LinkedHashMap<String, Object>();
    map.put(key, value);
    return map;
  }

  /** With enough entries for each kind of map. */
  private static LinkedHashMap<String, Object> filled(int entries) {
    var map = new LinkedHashMap<String, Object>();
    for (long i = 0; i < entries; i++) {
      map.put("filler-" + i, i);
    }
    return map;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 30})
  void sharesImmutableBranches(int entries) {
    Map<String, Object> frozen =
        Trees.freezeMap(Map.of("map", filled(entries), "list", List.of(1)));

    Map<String, Object> again = Trees.freezeMap(new LinkedHashMap<>(frozen));

    assertThat(Trees.freezeMap(frozen)).isSameAs(frozen);
    assertThat(again.get("map")).isSameAs(frozen.get("map"));
    assertThat(again.get("list")).isSameAs(frozen.get("list"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 30})
  void copiesWhatACodecHasLeftChangeable(int entries) {
    var items = new ArrayList<Object>(List.of("as it was"));
    LinkedHashMap<String, Object> outer = filled(entries);
    outer.put("inner", mapOf("items", items));
    KubeObject object = KubeObject.of(mapOf("spec", Trees.owned(outer)));

    items.add("planted");

    assertThat(object.list("spec", "inner", "items")).containsExactly("as it was");
    KubeObject holder = KubeObject.of(Map.of()).with(Trees.owned(mapOf("items", items)), "spec");
    items.add("planted again");
    assertThat(holder.list("spec", "items")).containsExactly("as it was", "planted");
  }

  @Test
  void copiesAnUnmodifiableViewOfWhatMayBeChanged() {
    LinkedHashMap<String, Object> behind = mapOf("a", "as it was");
    KubeObject object = KubeObject.of(mapOf("spec", Collections.unmodifiableMap(behind)));

    behind.put("a", "planted");

    assertThat(object.text("spec", "a")).isEqualTo("as it was");
  }

  @Test
  void bringsNumbersOfACodecIntoOneForm() {
    Map<String, Object> owned = Trees.owned(mapOf("count", 1));

    assertThat(KubeObject.of(owned).at("count")).isEqualTo(1L);
  }

  @Test
  void refusesSharedBranchesThatAreTooDeepTogether() {
    Object half = "end";
    for (int i = 0; i < Trees.DEPTH_MAX / 2; i++) {
      half = Trees.freeze(mapOf("a", half));
    }
    Object whole = half;
    for (int i = 0; i < Trees.DEPTH_MAX / 2; i++) {
      whole = mapOf("a", whole);
    }
    Object tooDeep = mapOf("a", whole);

    assertThat(Trees.freeze(whole)).isNotNull();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Trees.freeze(tooDeep))
        .withMessage(Trees.TOO_DEEP);
  }
}
