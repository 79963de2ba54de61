package dev.mooring.syncagent.related;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.syncagent.related.RelatedBench.Member;
import dev.mooring.syncagent.related.decide.Progress;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Two published types whose primaries share a consumer's Secret, and one whose sync is stopped, or
 * knows nothing yet, after every single step of the other.
 */
class SharedObjectsSimulation {
  private static final ResourceType A = RelatedBench.type("apples");
  private static final ResourceType B = RelatedBench.type("berries");
  private static final String SHARED =
      "{'identifier':'tls','origin':'kcp','kind':'Secret',"
          + "'object':{'template':{'template':'shared'}}}";

  /** More than it takes to remove what is related to one primary. */
  private static final int STEPS_MAX = 6;

  private final RelatedBench bench = new RelatedBench();

  /** Uid of the copy that both share. */
  private String copy;

  static IntStream moments() {
    return IntStream.rangeClosed(0, STEPS_MAX);
  }

  @ParameterizedTest(name = "stopped after {0} steps")
  @MethodSource("moments")
  void keepsWhatATypeNeedsWhoseSyncIsStopped(int steps) {
    Member a = bench.join(A, SHARED);
    Member b = bench.join(B, SHARED);
    copy = bench.share(a, b);
    a.cancel("a1");
    for (int step = 0; step < steps; step++) {
      a.pass("a1");
    }
    b.close();

    assertThat(a.settle("a1")).isInstanceOf(Progress.Settled.class);

    bench.assertThatOneCopyIsLeft("shared", copy);
    Member again = bench.join(B, SHARED);
    assertThat(again.settle("b1")).isInstanceOf(Progress.Settled.class);
    bench.assertThatOneCopyIsLeft("shared", copy);
    again.cancel("b1");
    again.settle("b1");
    bench.assertThatNothingIsLeft("shared");
  }

  @ParameterizedTest(name = "listed after {0} steps")
  @MethodSource("moments")
  void keepsWhatATypeNeedsWhosePrimariesAreNotListedYet(int steps) {
    Member a = bench.join(A, SHARED);
    Member b = bench.join(B, SHARED);
    copy = bench.share(a, b);
    bench.startProcess();
    a = bench.join(A, SHARED);
    b = bench.joinUnlisted(B, SHARED);
    a.cancel("a1");
    for (int step = 0; step < steps; step++) {
      a.pass("a1");
    }

    b.list();
    a.settle("a1");
    b.settle("b1");

    bench.assertThatOneCopyIsLeft("shared", copy);
    b.cancel("b1");
    b.settle("b1");
    bench.assertThatNothingIsLeft("shared");
  }

  @ParameterizedTest(name = "stopped after {0} steps")
  @MethodSource("moments")
  void leavesNothingWhereTheOtherWasTakenAwayMeanwhile(int steps) {
    Member a = bench.join(A, SHARED);
    Member b = bench.join(B, SHARED);
    copy = bench.share(a, b);
    a.cancel("a1");
    for (int step = 0; step < steps; step++) {
      a.pass("a1");
    }
    b.takeByForce("b1");
    b.close();
    a.settle("a1");

    Member again = bench.join(B, SHARED);
    assertThat(again.due).contains(RelatedBench.key("b1"));
    again.settleDue();

    bench.assertThatNothingIsLeft("shared");
  }

  @Test
  void goesOnBringingChangesWhileTheLeaderIsStopped() {
    Member a = bench.join(A, SHARED);
    Member b = bench.join(B, SHARED);
    copy = bench.share(a, b);
    a.close();

    bench.consumer.patch(
        RelatedBench.SECRETS,
        "default",
        "shared",
        java.util.Map.of("data", java.util.Map.of("value", "v2")));
    b.settle("b1");

    assertThat(bench.onService("shared").orElseThrow().at("data", "value")).isEqualTo("v2");
  }
}
