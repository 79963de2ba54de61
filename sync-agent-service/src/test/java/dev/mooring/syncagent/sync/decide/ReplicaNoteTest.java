package dev.mooring.syncagent.sync.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.syncagent.sync.decide.SyncState.Problem;
import dev.mooring.syncagent.sync.decide.SyncState.Running;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReplicaNoteTest {
  private static final Problem REJECTED =
      new Problem(Problem.CLAIM_REJECTED, "Accept \"secrets\".");
  private static final Running OWN = running(3, 1, 0);

  @Test
  void addsWhatEachReplicaCountsAndNamesEachProblemOnce() {
    String one = ReplicaNote.of(Map.of("things", running(10, 0, 2, REJECTED)));
    String other =
        ReplicaNote.of(Map.of("things", running(5, 5, 0, REJECTED), "more", running(9, 9, 9)));

    assertThat(ReplicaNote.merged("things", OWN, List.of(one, other)))
        .isEqualTo(running(18, 6, 2, REJECTED));
  }

  @Test
  void countsNothingWhileAReplicaHasNotCounted() {
    var listing = new SyncState.Listing("Objects are being listed.");
    var uncounted = new Running(Optional.empty(), List.of());
    for (String note :
        List.of(
            "",
            "{}",
            "not JSON",
            "{\"things\":{\"objects\":[1,2]}}",
            "{\"things\":7}",
            ReplicaNote.of(Map.of("things", listing)),
            ReplicaNote.of(Map.of("things", uncounted)))) {
      assertThat(ReplicaNote.merged("things", OWN, List.of(note))).as(note).isEqualTo(uncounted);
    }
  }

  @Test
  void leavesAStateThatIsNotRunningAsItIs() {
    var off = new SyncState.Off();

    assertThat(ReplicaNote.merged("things", off, List.of(ReplicaNote.of(Map.of("things", OWN)))))
        .isEqualTo(off);
    assertThat(ReplicaNote.merged("things", OWN, List.of())).isEqualTo(OWN);
  }

  @Test
  void saysNothingThatAnAnnotationHasNoRoomFor() {
    var endless = new Problem(Problem.OBJECTS_FAILING, "x".repeat(ReplicaNote.LENGTH_MAX));

    assertThat(ReplicaNote.of(Map.of("things", running(1, 1, 1, endless)))).isEqualTo("{}");
  }

  private static Running running(long synced, long pending, long failed, Problem... problems) {
    return new Running(Optional.of(new ObjectCounts(synced, pending, failed)), List.of(problems));
  }
}
