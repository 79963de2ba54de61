package dev.mooring.sandbox.kcp.workspace.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.object.KubeObject;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ShardChoiceTest {
  private static final KubeObject ANYWHERE = KubeObject.of(Map.of());

  private static KubeObject shard(String name) {
    return KubeObject.of(Map.of("metadata", Map.of("name", name, "labels", Map.of("name", name))));
  }

  private static String chosen(KubeObject workspace, List<KubeObject> shards, String cluster) {
    return ShardChoice.of(workspace, shards, cluster).map(KubeObject::name).orElse("");
  }

  @Test
  void takesOneThatTheSelectorSelects() {
    KubeObject workspace =
        KubeObject.of(
            Map.of(
                "spec",
                Map.of(
                    "location", Map.of("selector", Map.of("matchLabels", Map.of("name", "b"))))));
    List<KubeObject> shards = List.of(shard("a"), shard("b"), shard("c"));

    IntStream.range(0, 20)
        .forEach(i -> assertThat(chosen(workspace, shards, "cluster" + i)).isEqualTo("b"));
    assertThat(ShardChoice.of(workspace, List.of(shard("a")), "cluster")).isEmpty();
  }

  @Test
  void takesNoneThatIsUnschedulable() {
    KubeObject marked =
        shard("a")
            .with("true", "metadata", "annotations", "experimental.core.kcp.io/unschedulable");

    assertThat(chosen(ANYWHERE, List.of(marked, shard("b")), "cluster")).isEqualTo("b");
    assertThat(ShardChoice.of(ANYWHERE, List.of(marked), "cluster")).isEqualTo(Optional.empty());
  }

  @Test
  void movesOnlyNamesThatGoToANewShardAndUsesAll() {
    List<KubeObject> two = List.of(shard("root"), shard("shard-1"));
    List<KubeObject> three = Stream.concat(two.stream(), Stream.of(shard("shard-2"))).toList();
    Set<String> used = new HashSet<>();

    for (int i = 0; i < 300; i++) {
      String name = Integer.toString(i * 7919, 36);
      String before = chosen(ANYWHERE, two, name);
      String after = chosen(ANYWHERE, three, name);
      used.add(after);
      assertThat(after).isIn(before, "shard-2");
      assertThat(chosen(ANYWHERE, three.reversed(), name)).isEqualTo(after);
    }

    assertThat(used).containsExactlyInAnyOrder("root", "shard-1", "shard-2");
  }
}
