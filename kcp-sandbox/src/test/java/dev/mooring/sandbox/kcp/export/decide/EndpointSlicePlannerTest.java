package dev.mooring.sandbox.kcp.export.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.kcp.export.decide.EndpointSlicePlanner.Consumers;
import dev.mooring.sandbox.kcp.export.decide.EndpointSlicePlanner.Partition;
import dev.mooring.sandbox.kcp.export.decide.EndpointSlicePlanner.ShardFacts;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EndpointSlicePlannerTest {
  private static final String NOW = "2026-01-01T00:00:00Z";
  private static final KubeObject EXPORT = KubeObject.of(Map.of("metadata", Map.of("name", "e")));
  private static final KubeObject SLICE =
      KubeObject.of(Map.of("spec", Map.of("export", Map.of("name", "e", "path", "root:p"))));
  private static final KubeObject VALID =
      EndpointSlicePlanner.validated(SLICE, Optional.of(EXPORT), new Partition.All(), NOW);

  private static ShardFacts shard(String name, Consumers consumers) {
    return new ShardFacts(Map.of("name", name), "https://" + name, consumers);
  }

  private static List<String> urls(KubeObject slice) {
    return slice.list("status", "endpoints").stream()
        .map(endpoint -> Trees.text(endpoint, "url"))
        .toList();
  }

  @Test
  void eachShardEntersAndRemovesItsOwnUrl() {
    KubeObject one = EndpointSlicePlanner.entered(VALID, shard("a", Consumers.SOME));
    KubeObject two = EndpointSlicePlanner.entered(one, shard("b", Consumers.SOME));

    assertThat(urls(one)).containsExactly("https://a");
    assertThat(urls(two)).containsExactly("https://a", "https://b");
    assertThat(EndpointSlicePlanner.entered(two, shard("b", Consumers.SOME))).isSameAs(two);
    assertThat(urls(EndpointSlicePlanner.entered(two, shard("a", Consumers.NONE))))
        .containsExactly("https://b");
    assertThat(EndpointSlicePlanner.entered(one, shard("a", Consumers.NONE))).isEqualTo(VALID);
  }

  @Test
  void noShardEntersBeforeTheConditionsAreTrue() {
    KubeObject missing =
        EndpointSlicePlanner.validated(SLICE, Optional.empty(), new Partition.All(), NOW);

    for (KubeObject slice : List.of(SLICE, missing)) {
      assertThat(EndpointSlicePlanner.entered(slice, shard("a", Consumers.SOME))).isSameAs(slice);
    }
  }

  @Test
  void aPartitionSelectsShards() {
    KubeObject partition =
        KubeObject.of(
            Map.of("spec", Map.of("selector", Map.of("matchLabels", Map.of("name", "b")))));
    KubeObject parted =
        EndpointSlicePlanner.validated(
            SLICE, Optional.of(EXPORT), new Partition.Found(partition), NOW);

    assertThat(parted.text("status", "shardSelector")).isEqualTo("name=b");
    assertThat(urls(EndpointSlicePlanner.entered(parted, shard("a", Consumers.SOME)))).isEmpty();
    assertThat(urls(EndpointSlicePlanner.entered(parted, shard("b", Consumers.SOME))))
        .containsExactly("https://b");
  }

  /** As in kcp: its controllers would lose their endpoint at once. */
  @Test
  void aShardWithConsumersThatLeavesThePartitionStays() {
    KubeObject entered = EndpointSlicePlanner.entered(VALID, shard("a", Consumers.SOME));
    KubeObject parted = entered.with("name=b", "status", "shardSelector");

    assertThat(EndpointSlicePlanner.entered(parted, shard("a", Consumers.SOME))).isSameAs(parted);
    assertThat(urls(EndpointSlicePlanner.entered(parted, shard("a", Consumers.NONE)))).isEmpty();
  }

  @Test
  void aMissingPartitionEmptiesTheSlice() {
    KubeObject entered = EndpointSlicePlanner.entered(VALID, shard("a", Consumers.SOME));

    KubeObject after =
        EndpointSlicePlanner.validated(
            entered, Optional.of(EXPORT), new Partition.Missing("gone"), NOW);

    assertThat(urls(after)).isEmpty();
    assertThat(after.list("status", "conditions").toString())
        .contains("partition.topology.kcp.io \"gone\" not found", "PartitionInvalidReference");
  }
}
