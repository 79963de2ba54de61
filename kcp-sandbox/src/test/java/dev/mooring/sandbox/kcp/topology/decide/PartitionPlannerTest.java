package dev.mooring.sandbox.kcp.topology.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.kcp.topology.decide.PartitionPlanner.Plan;
import java.util.List;
import org.junit.jupiter.api.Test;

class PartitionPlannerTest {
  private static final String NOW = "2026-11-21T10:00:00Z";
  private static final List<KubeObject> SHARDS =
      List.of(
          object("{'metadata': {'name': 'a', 'labels': {'region': 'EU', 'tier': 'one'}}}"),
          object("{'metadata': {'name': 'b', 'labels': {'region': 'US', 'tier': 'one'}}}"),
          object("{'metadata': {'name': 'c', 'labels': {'region': 'EU', 'tier': 'two'}}}"),
          object("{'metadata': {'name': 'd'}}"));

  private static KubeObject object(String json) {
    return KubeJson.readObject(json.replace('\'', '"'));
  }

  private static KubeObject set(String spec) {
    return object("{'metadata': {'name': 's', 'uid': 'u'}, 'spec': " + spec + "}");
  }

  private static Plan plan(KubeObject set, List<KubeObject> owned) {
    return PartitionPlanner.plan(set, SHARDS, owned, NOW);
  }

  @Test
  void makesOnePartitionForEachCombinationThatSomeShardHas() {
    Plan plan = plan(set("{'dimensions': ['region']}"), List.of());

    assertThat(plan.missing())
        .extracting(partition -> partition.text("metadata", "generateName"))
        .containsExactly("s-eu-", "s-us-");
    assertThat(plan.missing().getFirst().map("spec", "selector", "matchLabels"))
        .containsOnlyKeys("region")
        .containsValue("EU");
    assertThat(plan.set().at("status", "count")).isEqualTo(2L);
    assertThat(plan.set().hasCondition("PartitionsReady")).isTrue();
  }

  @Test
  void keepsWhatFitsAndRemovesWhatDoesNot() {
    KubeObject before = set("{'dimensions': ['region']}");
    List<KubeObject> owned = plan(before, List.of()).missing();

    Plan same = plan(before, owned);
    Plan narrowed =
        plan(
            set("{'dimensions': ['region'], 'shardSelector': {'matchLabels': {'tier': 'two'}}}"),
            owned);

    assertThat(same.stale()).isEmpty();
    assertThat(same.missing()).isEmpty();
    assertThat(narrowed.stale()).isEqualTo(owned);
    assertThat(narrowed.missing())
        .singleElement()
        .satisfies(partition ->
            assertThat(partition.map("spec", "selector", "matchLabels"))
                .containsOnlyKeys("region", "tier"));
  }

  @Test
  void makesNoneWithoutDimensions() {
    Plan plan = plan(set("{}"), List.of());

    assertThat(plan.missing()).isEmpty();
    assertThat(plan.set().at("status", "count")).isNull();
  }
}
