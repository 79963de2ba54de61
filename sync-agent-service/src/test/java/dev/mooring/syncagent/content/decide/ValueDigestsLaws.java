package dev.mooring.syncagent.content.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.languages.Hashes;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A state with digests leads to the same decisions as the whole, in every small case. */
class ValueDigestsLaws {
  private static final String A = "a".repeat(ValueDigests.TEXT_MAX + 1);
  private static final String B = "b".repeat(ValueDigests.TEXT_MAX + 1);
  private static final Object ABSENT = new Object();
  private static final List<Object> VALUES =
      List.of(
          ABSENT,
          "short",
          A,
          B,
          7L,
          List.of(A),
          List.of(A, "short"),
          List.of(B),
          List.of(),
          Map.of("inner", A),
          Map.of("inner", B, "more", A),
          Map.of("inner", "short"),
          Map.of());

  private static Map<String, Object> content(Object value) {
    var content = new LinkedHashMap<String, Object>();
    content.put("kept", A);
    if (value != ABSENT) {
      content.put("field", value);
    }
    return Trees.freezeMap(Map.of("data", content));
  }

  @Test
  void aDigestCountsAsTheTextThatItIsOf() {
    for (Object was : VALUES) {
      Map<String, Object> known = ValueDigests.abridged(content(was));
      assertThat(known.toString()).doesNotContain(A, B);
      assertThat(ValueDigests.abridged(known)).isEqualTo(known);
      for (Object is : VALUES) {
        assertThat(ValueDigests.match(known, content(is)))
            .isEqualTo(content(was).equals(content(is)));
      }
    }
  }

  @Test
  void mergesAndOpenWritesAreAsWithTheWholeState() {
    int cases = 0;
    for (Object was : VALUES) {
      Map<String, Object> known = ValueDigests.abridged(content(was));
      for (Object is : VALUES) {
        Map<String, Object> open = SyncedContent.unsettled(content(was), content(is));
        assertThat(SyncedContent.unsettled(known, content(is))).isEqualTo(open);
        for (Object there : VALUES) {
          KubeObject copy = KubeObject.of(content(there)).with("local", "spec", "local");
          KubeObject merged = SyncedContent.threeWay(copy, content(was), content(is));

          assertThat(SyncedContent.threeWay(copy, known, content(is))).isEqualTo(merged);
          assertThat(SyncedContent.threeWay(copy, ValueDigests.abridged(open), content(is)).tree())
              .isEqualTo(SyncedContent.threeWay(copy, open, content(is)).tree());
          assertThat(merged.tree().toString()).doesNotContain(Hashes.sha256(A), Hashes.sha256(B));
          cases++;
        }
      }
    }
    assertThat(cases).isEqualTo(VALUES.size() * VALUES.size() * VALUES.size());
  }

  @Test
  void aTextThatLooksLikeADigestIsComparedAsAText() {
    Map<String, Object> literal = content("syncagent.kcp.io/sha256:abc");

    assertThat(ValueDigests.match(literal, literal)).isTrue();
    assertThat(ValueDigests.match(literal, content(A))).isFalse();
  }
}
