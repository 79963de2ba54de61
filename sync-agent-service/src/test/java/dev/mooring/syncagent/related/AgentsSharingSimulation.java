package dev.mooring.syncagent.related;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.testing.Seeds;
import dev.mooring.syncagent.related.RelatedBench.Member;
import dev.mooring.syncagent.related.decide.Progress;
import dev.mooring.syncagent.simulation.LaggingCache;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Two agents of one namespace that copy a consumer's Secret to the same place. */
class AgentsSharingSimulation {
  private static final ResourceType A = RelatedBench.type("apples");
  private static final ResourceType B = RelatedBench.type("berries");
  private static final String SHARED =
      "{'identifier':'tls','origin':'kcp','kind':'Secret',"
          + "'object':{'template':{'template':'shared'}}}";
  private static final ResourceType C = RelatedBench.type("cherries");
  private static final String NAMED =
      "{'identifier':'tls','origin':'kcp','kind':'Secret',"
          + "'object':{'reference':{'path':'spec.names'}}}";
  private static final int SEEDS = 500;

  /** More than both take together. */
  private static final int STEPS_MAX = 30;

  /** Watches that stand still do so for as many steps, on average. */
  private static final int STILL = 8;

  private final RelatedBench bench = new RelatedBench();
  private final Member a = bench.join(A, SHARED);
  private final Member b = joinAnotherAgent();

  /** Uid of the copy. */
  private String copy;

  private Member joinAnotherAgent() {
    bench.startAgent("another");
    return bench.join(B, SHARED);
  }

  static IntStream seeds() {
    return Seeds.of(SEEDS);
  }

  @Test
  void theCopyGoesWithTheLastPrimaryAndNotBefore() {
    copy = bench.share(a, b);

    a.cancel("a1");
    assertThat(a.settle("a1")).isInstanceOf(Progress.Settled.class);

    bench.assertThatOneCopyIsLeft("shared", copy);
    assertThat(b.settle("b1")).isInstanceOf(Progress.Settled.class);
    bench.assertThatOneCopyIsLeft("shared", copy);
    b.cancel("b1");
    assertThat(b.settle("b1")).isInstanceOf(Progress.Settled.class);
    bench.assertThatNothingIsLeft("shared");
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void leavesNothingWhereBothPrimariesGoAtOnceWithStaleCaches(int seed) {
    var random = new Random(seed);
    copy = bench.share(a, b);
    a.cancel("a1");
    b.cancel("b1");

    Set<LaggingCache> still = bench.some(random);
    for (int step = random.nextInt(STEPS_MAX); step > 0; step--) {
      Member next = random.nextBoolean() ? a : b;
      String name = next == a ? "a1" : "b1";
      bench.catchUpExcept(random.nextInt(STILL) == 0 ? Set.of() : still);
      if (next.passBehind(name) instanceof Progress.Settled && next.primary(name) != null) {
        next.release(name); // as its own reconciler does: nobody looks again
      }
    }
    for (int round = 0; round < 3; round++) {
      a.settle("a1");
      b.settle("b1");
    }

    assertThat(a.settle("a1")).isInstanceOf(Progress.Settled.class);
    assertThat(b.settle("b1")).isInstanceOf(Progress.Settled.class);
    bench.assertThatNothingIsLeft("shared");
  }

  @Test
  void theCopyGoesWithItsOriginalThoughItsOtherAgentIsDown() {
    copy = bench.share(a, b);
    b.close();

    bench.consumer.delete(
        RelatedBench.SECRETS, "default", "shared", new DeleteCondition.Unconditional());
    a.settle("a1");

    assertThat(bench.onService("shared")).isEmpty();
  }

  @Test
  void whatIsCalledForAgainIsNeededAgain() {
    Member c = bench.join(C, NAMED);
    bench.secretInKcp("shared");
    a.order("a1");
    a.settle("a1");
    c.order("c1", "shared");
    assertThat(c.settle("c1")).isInstanceOf(Progress.Settled.class);
    copy = bench.onService("shared").orElseThrow().uid();

    c.name("c1");
    assertThat(c.pass("c1")).isInstanceOf(Progress.Wrote.class); // that it lets go
    c.name("c1", "shared");
    assertThat(c.settle("c1")).isInstanceOf(Progress.Settled.class);
    a.cancel("a1");
    assertThat(a.settle("a1")).isInstanceOf(Progress.Settled.class);

    bench.assertThatOneCopyIsLeft("shared", copy);
  }

  /** Of two exports, or of two kcps. */
  @Test
  void primariesOfTheSameNameAndTypeAreEachRecordedByTheirOwnAgent() {
    bench.startAgent("third");
    Member third = bench.join(A, SHARED);
    bench.secretInKcp("shared");
    a.order("a1");
    assertThat(a.settle("a1")).isInstanceOf(Progress.Settled.class);
    KubeObject record = bench.records().getFirst();

    assertThat(third.settle("a1")).isInstanceOf(Progress.Settled.class);

    assertThat(bench.records()).hasSize(2).contains(record);
    a.cancel("a1");
    assertThat(a.settle("a1")).isInstanceOf(Progress.Settled.class);
    assertThat(bench.onService("shared")).isPresent();
    assertThat(third.settle("a1")).isInstanceOf(Progress.Settled.class);
    bench.assertThatNothingIsLeft("shared");
  }

  @Test
  void aRecordIsItsAgentsWhateverItIsCalled() {
    copy = bench.share(a, b);
    bench.records().forEach(record -> bench.rename(record, "mooring-related-" + record.uid()));
    List<String> names = bench.records().stream().map(KubeObject::name).toList();

    bench.consumer.patch(
        RelatedBench.SECRETS, "default", "shared", Map.of("data", Map.of("value", "v2")));
    assertThat(a.settle("a1")).isInstanceOf(Progress.Settled.class);
    assertThat(b.settle("b1")).isInstanceOf(Progress.Settled.class);

    assertThat(bench.onService("shared").orElseThrow().at("data", "value")).isEqualTo("v2");
    assertThat(bench.records()).extracting(KubeObject::name).isEqualTo(names);
    a.cancel("a1");
    b.cancel("b1");
    assertThat(a.settle("a1")).isInstanceOf(Progress.Settled.class);
    assertThat(b.settle("b1")).isInstanceOf(Progress.Settled.class);
    bench.assertThatNothingIsLeft("shared");
  }
}
