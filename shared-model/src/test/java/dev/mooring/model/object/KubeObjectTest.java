package dev.mooring.model.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class KubeObjectTest {
  private static final KubeObject SECRET =
      KubeObject.of(
          Map.of(
              "kind",
              "Secret",
              "metadata",
              Map.of(
                  "name", "s", "namespace", "ns", "annotations", Map.of("kcp.io/cluster", "abc")),
              "data",
              Map.of("password", "aHVzaA==")));

  @Test
  void doesNotSeeLaterChangesOfWhatItWasMadeFrom() {
    var finalizers = new ArrayList<Object>(List.of("a"));
    var metadata = new HashMap<String, Object>(Map.of("finalizers", finalizers));
    KubeObject object = KubeObject.of(Map.of("metadata", metadata));

    finalizers.add("b");
    metadata.put("name", "late");

    assertThat(object.finalizers()).containsExactly("a");
    assertThat(object.name()).isEmpty();
    assertThatThrownBy(() -> object.list("metadata", "finalizers").add("c"))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void aChangedCopyLeavesTheOriginalAlone() {
    KubeObject changed = SECRET.with(2, "spec", "size").without("data");

    assertThat(changed.at("spec", "size")).isEqualTo(2L);
    assertThat(changed.at("data")).isNull();
    assertThat(SECRET.at("spec")).isNull();
    assertThat(SECRET.map("data")).hasSize(1);
  }

  @Test
  void removingWhatIsNotThereChangesNothing() {
    assertThat(SECRET.without("metadata", "labels", "x")).isSameAs(SECRET);
    assertThat(SECRET.without("kind", "x")).isSameAs(SECRET);
  }

  @Test
  void sharesWhatIsEqualWithAnotherObject() {
    KubeObject other = SECRET.with("t", "metadata", "name").with(new HashMap<>(), "data", "x");
    KubeObject equal = other.with(Map.of("password", "aHVzaA==", "x", Map.of()), "data");
    KubeObject differs = other.with("y", "data", "password");

    assertThat(equal.at("data")).isNotSameAs(other.at("data"));
    assertThat(equal.sharing(other)).isEqualTo(equal);
    assertThat(equal.sharing(other).at("data")).isSameAs(other.at("data"));
    assertThat(differs.sharing(other)).isEqualTo(differs);
    assertThat(differs.sharing(differs)).isSameAs(differs);
  }

  @Test
  void namesItselfWithoutItsContent() {
    assertThat(SECRET).hasToString("Secret ns/s ()");
  }

  @Test
  void saysWhoseObjectItIs() {
    assertThat(SECRET.logicalCluster())
        .hasValueSatisfying(c -> assertThat(c.name()).isEqualTo("abc"));
    assertThat(SECRET.without("metadata", "annotations").logicalCluster()).isEmpty();
  }

  @Test
  void refusesWhatIsNotJson() {
    assertThatThrownBy(() -> KubeObject.of(Map.of("when", java.time.Instant.EPOCH)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("java.time.Instant");
  }
}
