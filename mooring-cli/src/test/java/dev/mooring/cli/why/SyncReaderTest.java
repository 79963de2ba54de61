package dev.mooring.cli.why;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cli.why.decide.AgentView;
import dev.mooring.cli.why.decide.Fact;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.lease.Share;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SyncReaderTest {
  private static final Share ONE = new Share(Optional.of("one"), Set.of("one", "two"));

  @Test
  void namesTheReplicaToAskOfReplicasThatShareTheWork() {
    assertThat(view(sharing(), "two"))
        .isEqualTo(
            new Fact.Unread<>("replica two syncs the objects of this workspace; ask that one"));
    assertThat(view(sharing(), "one")).isInstanceOf(Fact.Known.class);
  }

  @Test
  void namesTheLeaderOfReplicasThatWaitForTheLease() {
    Map<String, Object> waiting =
        Map.of(
            "leads", false, "leader", "two", "reasons", List.of(), "publishedResources", Map.of());

    assertThat(view(waiting, "one"))
        .isEqualTo(new Fact.Unread<>("this replica does not lead; ask the leader, two"));
  }

  private static Map<String, Object> sharing() {
    return Map.of(
        "leads",
        false,
        "leader",
        "two",
        "replica",
        "one",
        "replicas",
        List.of("one", "two"),
        "reasons",
        List.of(),
        "publishedResources",
        Map.of());
  }

  /**
   * @param owner of the object's logical cluster
   */
  private static Fact<AgentView> view(Map<String, Object> status, String owner) {
    String cluster =
        IntStream.range(0, 100)
            .mapToObj(i -> "c" + i)
            .filter(name -> ONE.owner(new LogicalCluster(name)).equals(Optional.of(owner)))
            .findFirst()
            .orElseThrow();
    KubeObject object =
        KubeObject.of(
            Map.of(
                "metadata",
                Map.of("name", "a", "annotations", Map.of(LogicalCluster.ANNOTATION, cluster))));
    return SyncReader.view(KubeObject.of(status), Optional.empty(), Optional.of(object));
  }
}
