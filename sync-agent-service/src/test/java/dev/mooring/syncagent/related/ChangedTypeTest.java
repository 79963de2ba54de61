package dev.mooring.syncagent.related;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.related.RelatedBench.Member;
import dev.mooring.syncagent.related.decide.Progress;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** An entry that names another type, or another version of it, than it did. */
class ChangedTypeTest {
  private static final ResourceType A = RelatedBench.type("apples");
  private static final ResourceType WIDGETS = RelatedBench.type("widgets");
  private static final String SECRET =
      "{'identifier':'it','origin':'kcp','kind':'Secret','object':{'template':{'template':'it'}}}";

  private final RelatedBench bench = new RelatedBench();

  @Test
  void keepsCopiesOfTheFormerTypeUntilTheyAreListed() {
    brought("v1");
    bench.startProcess(WIDGETS);
    Member a = bench.join(A, SECRET);

    assertThat(a.settle("a1")).isInstanceOf(Progress.NotSynced.class);
    assertThat(copy()).isPresent();
    assertThat(bench.records()).hasSize(1);

    bench.fill();
    assertThat(a.settle("a1")).isInstanceOf(Progress.Settled.class);
    assertThat(copy()).isEmpty();
    assertThat(original().finalizers()).isEmpty();
    assertThat(bench.onService("it")).isPresent();
    assertThat(bench.records()).hasSize(1);
  }

  @Test
  void letsNoPrimaryGoUntilCopiesOfTheFormerTypeAreListed() {
    Member before = brought("v1");
    before.cancel("a1");
    bench.startProcess(WIDGETS);
    Member a = bench.join(A, SECRET);

    assertThat(a.settle("a1")).isInstanceOf(Progress.NotSynced.class);
    assertThat(bench.records()).hasSize(1);

    bench.fill();
    assertThat(a.settle("a1")).isInstanceOf(Progress.Settled.class);
    assertThat(copy()).isEmpty();
    assertThat(original().finalizers()).isEmpty();
    assertThat(bench.records()).isEmpty();
  }

  @Test
  void keepsTheCopyWhereOnlyTheVersionIsAnother() {
    Member before = brought("v1");
    KubeObject copy = copy().orElseThrow();
    before.close();

    Member a = bench.join(A, widget("v2"));

    assertThat(a.settle("a1")).isInstanceOf(Progress.Settled.class);
    assertThat(copy().orElseThrow().uid()).isEqualTo(copy.uid());
    assertThat(bench.records()).hasSize(1);
    bench.consumer.patch(WIDGETS, "default", "it", Map.of("spec", Map.of("size", 2L)));
    assertThat(a.settle("a1")).isInstanceOf(Progress.Settled.class);
    assertThat(copy().orElseThrow().at("spec", "size")).isEqualTo(2L);
    assertThat(bench.records()).hasSize(1);
    a.cancel("a1");
    assertThat(a.settle("a1")).isInstanceOf(Progress.Settled.class);
    assertThat(copy()).isEmpty();
    assertThat(original().finalizers()).isEmpty();
    assertThat(bench.records()).isEmpty();
  }

  private Member brought(String version) {
    bench.secretInKcp("it");
    bench.consumer.create(
        WIDGETS, RelatedBench.object("default", "it").with(Map.of("size", 1L), "spec"));
    Member a = bench.join(A, widget(version));
    a.order("a1");
    assertThat(a.settle("a1")).isInstanceOf(Progress.Settled.class);
    assertThat(copy()).isPresent();
    return a;
  }

  private static String widget(String version) {
    return "{'identifier':'it','origin':'kcp','group':'example.io','version':'%s',"
            .formatted(version)
        + "'resource':'widgets','object':{'template':{'template':'it'}}}";
  }

  private Optional<KubeObject> copy() {
    return bench.owner.find(WIDGETS, RelatedBench.CLUSTER.name(), "it");
  }

  private KubeObject original() {
    return bench.consumer.find(WIDGETS, "default", "it").orElseThrow();
  }
}
