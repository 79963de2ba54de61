package dev.mooring.runtime.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.LogicalCluster;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ShareTest {
  private static final List<LogicalCluster> CLUSTERS =
      IntStream.range(0, 3_000)
          .mapToObj(i -> new LogicalCluster(Integer.toString(i * 7_919 + 1_000_000, 36)))
          .toList();
  private static final Set<String> THREE = Set.of("agent-7d4b9c-x2x_1", "agent-7d4b9c-q8z_2", "c");

  @Test
  void everyMemberHasAboutTheSame() {
    var share = new Share(Optional.of("c"), THREE);

    Map<String, Long> owned =
        CLUSTERS.stream()
            .collect(
                Collectors.groupingBy(
                    cluster -> share.owner(cluster).orElseThrow(), Collectors.counting()));

    assertThat(owned.keySet()).isEqualTo(THREE);
    assertThat(owned.values()).allSatisfy(count -> assertThat(count).isBetween(900L, 1_100L));
  }

  @Test
  void aMemberThatComesTakesFromOthersAndMovesNothingBetweenThem() {
    Function<LogicalCluster, String> before = owners(Set.of("agent-7d4b9c-x2x_1", "c"));
    Function<LogicalCluster, String> after = owners(THREE);

    assertThat(CLUSTERS)
        .allSatisfy(cluster ->
            assertThat(after.apply(cluster)).isIn(before.apply(cluster), "agent-7d4b9c-q8z_2"));
  }

  @Test
  void ownsNothingWithoutItsOwnAndEverythingAlone() {
    assertThat(CLUSTERS).noneMatch(new Share(Optional.empty(), THREE)::owns);
    assertThat(CLUSTERS).noneMatch(Share.NOTHING::owns);
    assertThat(CLUSTERS).allMatch(Share.EVERYTHING::owns);
  }

  @Test
  void isWithinOneOfFewerMembersAlone() {
    var two = new Share(Optional.of("c"), Set.of("c", "d"));
    var three = new Share(Optional.of("c"), Set.of("c", "d", "e"));

    assertThat(three.isWithin(two)).isTrue();
    assertThat(two.isWithin(three)).isFalse();
    assertThat(two.isWithin(Share.NOTHING)).isFalse();
    assertThat(Share.NOTHING.isWithin(two)).isTrue();
  }

  private static Function<LogicalCluster, String> owners(Set<String> members) {
    var share = new Share(Optional.empty(), members);
    return cluster -> share.owner(cluster).orElseThrow();
  }
}
