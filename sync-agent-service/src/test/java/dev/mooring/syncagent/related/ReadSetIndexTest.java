package dev.mooring.syncagent.related;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.published.LabelSelector;
import dev.mooring.syncagent.published.Side;
import dev.mooring.syncagent.related.decide.LabelQuery;
import dev.mooring.syncagent.related.decide.ObjectRef;
import dev.mooring.syncagent.related.decide.ReadSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ReadSetIndexTest {
  private static final ResourceType SECRETS = ResourceType.core("secrets");
  private static final LogicalCluster ONE = new LogicalCluster("one");
  private static final LogicalCluster TWO = new LogicalCluster("two");

  private final ReadSetIndex index = new ReadSetIndex();

  @Test
  void findsOnlyPrimariesOfTheObjectsOwnWorkspace() {
    index.replace(primary(ONE), new ReadSet(Set.of(ref(ONE)), Set.of()));
    index.replace(primary(TWO), new ReadSet(Set.of(ref(TWO)), Set.of()));

    assertThat(index.primariesOf(ref(ONE), secret(Map.of()))).containsExactly(primary(ONE));
  }

  @Test
  void findsThePrimariesWhoseSelectorMatches() {
    index.replace(primary(ONE), new ReadSet(Set.of(), Set.of(query(ONE, "a"))));
    index.replace(primary(TWO), new ReadSet(Set.of(), Set.of(query(ONE, "b"))));

    assertThat(index.primariesOf(ref(ONE), secret(Map.of("app", "b"))))
        .containsExactly(primary(TWO));
    assertThat(index.primariesOf(ref(ONE), secret(Map.of()))).isEmpty();
    assertThat(index.primariesOf(ref(TWO), secret(Map.of("app", "b")))).isEmpty();
  }

  @Test
  void forgetsWhatIsNotReadAnyMore() {
    index.replace(primary(ONE), new ReadSet(Set.of(ref(ONE)), Set.of(query(ONE, "a"))));

    index.replace(primary(ONE), ReadSet.EMPTY);

    assertThat(index.primariesOf(ref(ONE), secret(Map.of("app", "a")))).isEmpty();
  }

  @Test
  void saysWhetherAnythingIsNew() {
    var readSet = new ReadSet(Set.of(ref(ONE)), Set.of());

    assertThat(index.extend(primary(ONE), readSet)).isTrue();
    assertThat(index.extend(primary(ONE), readSet)).isFalse();
    assertThat(index.extend(primary(ONE), ReadSet.EMPTY)).isFalse();
    assertThat(index.extend(primary(ONE), readSet)).isTrue();
  }

  private static ObjectKey primary(LogicalCluster cluster) {
    return new ObjectKey(cluster, "default", "web");
  }

  private static ObjectRef ref(LogicalCluster cluster) {
    return ObjectRef.of(Side.KCP, SECRETS, cluster, "default", "tls");
  }

  private static LabelQuery query(LogicalCluster cluster, String app) {
    return new LabelQuery(
        Side.KCP,
        SECRETS,
        cluster,
        "default",
        new LabelSelector(
            List.of(
                new LabelSelector.Requirement("app", LabelSelector.Operator.IN, List.of(app)))));
  }

  private static KubeObject secret(Map<String, String> labels) {
    return KubeObject.of(
        Map.of("metadata", Map.of("namespace", "default", "name", "tls", "labels", labels)));
  }
}
