package dev.mooring.syncagent.related;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.syncagent.related.RelatedBench.Member;
import dev.mooring.syncagent.related.decide.Progress;
import dev.mooring.syncagent.simulation.ServerModel;
import org.junit.jupiter.api.Test;

/** What one pass reads. */
class RelatedPassTest {
  private static final String SETTINGS =
      "{'identifier':'settings','origin':'kcp','kind':'Secret',"
          + "'object':{'template':{'template':'settings'}}}";

  /** When a server answered last. */
  private int lookupsAtRequest;

  private final RelatedBench bench =
      new RelatedBench(
          new ServerModel.Faults() {
            @Override
            public void before(String verb) {}

            @Override
            public void after(String verb) {
              lookupsAtRequest = bench.lookups();
            }
          });

  @Test
  void looksForNoRemovedEntryAfterItsWrite() {
    bench.secretInKcp("settings");
    Member a = bench.join(RelatedBench.type("apples"), SETTINGS);
    a.order("a1");
    Progress progress = a.pass("a1");

    for (int writes = 0; progress instanceof Progress.Wrote; writes++) {
      assertThat(bench.lookups()).as("after write %d", writes).isEqualTo(lookupsAtRequest);
      progress = a.pass("a1");
    }
    assertThat(progress).isInstanceOf(Progress.Settled.class);
  }

  @Test
  void looksForNoRemovedEntryAfterItsWriteWhileThePrimaryIsDeleted() {
    bench.secretInKcp("settings");
    Member a = bench.join(RelatedBench.type("apples"), SETTINGS);
    a.order("a1");
    a.settle("a1");
    a.cancel("a1");
    Progress progress = a.pass("a1");

    assertThat(progress).isInstanceOf(Progress.Wrote.class);
    assertThat(bench.lookups()).isEqualTo(lookupsAtRequest);
  }
}
