package dev.mooring.syncagent.related;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.syncagent.related.RelatedBench.Member;
import dev.mooring.syncagent.related.decide.Progress;
import org.junit.jupiter.api.Test;

/**
 * A shard that starts answers 404 to everything in the export's virtual workspace, then for types
 * that come by APIBindings: nothing counts as absent by that.
 */
class StartingShardTest {
  private static final ResourceType A = RelatedBench.type("apples");
  private static final String DOWN =
      "{'identifier':'settings','origin':'kcp','kind':'Secret',"
          + "'object':{'template':{'template':'settings'}}}";

  private final RelatedBench bench = new RelatedBench();

  @Test
  void leavesNoOriginalHeldWhoseHoldTheCacheDoesNotShow() {
    bench.claims("secrets:Accepted", "namespaces:Accepted");
    bench.secretInKcp("settings");
    Member a = bench.join(A, DOWN);
    a.order("a1");
    while (bench.inKcp("settings").orElseThrow().finalizers().isEmpty()) {
      assertThat(a.pass("a1")).isInstanceOf(Progress.Wrote.class);
    }
    a.cancel("a1");

    bench.kcp.serve(_ -> false);
    assertThatExceptionOfType(KubeFailure.class)
        .isThrownBy(() -> a.passBehind("a1"))
        .matches(e -> e.kind() == KubeFailure.Kind.NOT_SERVED);
    assertThat(bench.records()).hasSize(1);
    bench.kcp.serve(type -> !type.equals(RelatedBench.SECRETS));
    assertThatExceptionOfType(KubeFailure.class)
        .isThrownBy(() -> a.passBehind("a1"))
        .matches(e -> e.kind() == KubeFailure.Kind.UNAVAILABLE);
    assertThat(bench.records()).hasSize(1);

    bench.kcp.serve(_ -> true);
    assertThat(a.settle("a1")).isInstanceOf(Progress.Settled.class);
    bench.assertThatNothingIsLeft("settings");
  }

  @Test
  void keepsAPrimaryUntilItIsKnownThatThereIsNoSuchType() {
    ResourceType widgets = RelatedBench.type("widgets");
    bench.startProcess(widgets);
    Member a =
        bench.join(
            A,
            "{'identifier':'w','origin':'kcp','group':'example.io','version':'v1',"
                + "'resource':'widgets','object':{'template':{'template':'w'}}}");
    a.order("a1");
    a.cancel("a1");

    bench.kcp.serve(_ -> false);
    assertThatExceptionOfType(KubeFailure.class).isThrownBy(() -> a.passBehind("a1"));

    bench.kcp.serve(type -> !type.equals(widgets));
    assertThat(a.passBehind("a1")).isInstanceOf(Progress.Settled.class);
  }
}
