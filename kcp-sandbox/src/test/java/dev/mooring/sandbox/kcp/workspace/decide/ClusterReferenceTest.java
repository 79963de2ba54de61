package dev.mooring.sandbox.kcp.workspace.decide;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterReferenceTest {
  @Test
  void readsAStarAsEveryCluster() {
    assertThat(ClusterReference.parse("*")).isEqualTo(new ClusterReference.Wildcard());
  }

  @Test
  void readsOneSegmentAsAName() {
    assertThat(ClusterReference.parse("2hh1nlb5kf5kw3rh"))
        .isEqualTo(new ClusterReference.Named("2hh1nlb5kf5kw3rh"));
  }

  @Test
  void readsSegmentsAsAWalkFromACluster() {
    assertThat(ClusterReference.parse("root:org:team"))
        .isEqualTo(new ClusterReference.Walk("root", List.of("org", "team")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "root:", ":a", "root:UPPER", "a::b", "-a", "a-", "a/b", "*:a"})
  void refusesWhatNoClusterCanBeCalled(String text) {
    assertThat(ClusterReference.parse(text)).isEqualTo(new ClusterReference.Malformed());
  }
}
