package dev.mooring.syncagent.related;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.published.LabelSelector;
import dev.mooring.syncagent.published.Primaries.Side;
import dev.mooring.syncagent.related.RelatedIndex.Area;
import dev.mooring.syncagent.related.RelatedIndex.Looked;
import dev.mooring.syncagent.related.RelatedIndex.Search;
import dev.mooring.syncagent.related.decide.Place;
import dev.mooring.syncagent.related.decide.RelatedRecord.Spot;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RelatedIndexTest {
  private static final ResourceType SECRETS = ResourceType.core("secrets");
  private static final LogicalCluster ONE = new LogicalCluster("one");
  private static final LogicalCluster TWO = new LogicalCluster("two");

  private final RelatedIndex index = new RelatedIndex();

  @Test
  void bringsBackOnlyPrimariesOfTheObjectsOwnWorkspace() {
    index.replace(primary(ONE), new Looked(Set.of(spot(ONE)), Set.of()));
    index.replace(primary(TWO), new Looked(Set.of(spot(TWO)), Set.of()));

    assertThat(index.primariesOf(spot(ONE), secret(Map.of()))).containsExactly(primary(ONE));
  }

  @Test
  void bringsBackThosePrimariesWhoseSelectorMatches() {
    index.replace(primary(ONE), new Looked(Set.of(), Set.of(search(ONE, "a"))));
    index.replace(primary(TWO), new Looked(Set.of(), Set.of(search(ONE, "b"))));

    assertThat(index.primariesOf(spot(ONE), secret(Map.of("app", "b"))))
        .containsExactly(primary(TWO));
    assertThat(index.primariesOf(spot(ONE), secret(Map.of()))).isEmpty();
    assertThat(index.primariesOf(spot(TWO), secret(Map.of("app", "b")))).isEmpty();
  }

  @Test
  void forgetsWhatIsNoLongerLookedAt() {
    index.replace(primary(ONE), new Looked(Set.of(spot(ONE)), Set.of(search(ONE, "a"))));

    index.replace(primary(ONE), Looked.NOWHERE);

    assertThat(index.primariesOf(spot(ONE), secret(Map.of("app", "a")))).isEmpty();
  }

  @Test
  void saysWhetherAnythingIsNew() {
    var looked = new Looked(Set.of(spot(ONE)), Set.of());

    assertThat(index.extend(primary(ONE), looked)).isTrue();
    assertThat(index.extend(primary(ONE), looked)).isFalse();
    assertThat(index.extend(primary(ONE), Looked.NOWHERE)).isFalse();
    assertThat(index.extend(primary(ONE), looked)).isTrue();
  }

  private static ObjectKey primary(LogicalCluster cluster) {
    return new ObjectKey(cluster, "default", "web");
  }

  private static Spot spot(LogicalCluster cluster) {
    return new Spot(Side.KCP, SECRETS, cluster, new Place("default", "tls"));
  }

  private static Search search(LogicalCluster cluster, String app) {
    return new Search(
        new Area(Side.KCP, SECRETS, cluster, "default"),
        new LabelSelector(
            List.of(
                new LabelSelector.Requirement("app", LabelSelector.Operator.IN, List.of(app)))));
  }

  private static KubeObject secret(Map<String, String> labels) {
    return KubeObject.of(
        Map.of("metadata", Map.of("namespace", "default", "name", "tls", "labels", labels)));
  }
}
