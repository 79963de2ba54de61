package dev.mooring.syncagent.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.syncagent.sync.FailureRegistry.Failure;
import dev.mooring.syncagent.sync.ObjectDiagnosis.State;
import org.junit.jupiter.api.Test;

class FailureRegistryTest {
  private static final Failure REFUSED = new Failure(State.FAILED, "Refused", "too long");

  private final FailureRegistry failures = new FailureRegistry();

  private static ObjectKey key(int number) {
    return new ObjectKey(new LogicalCluster("c1"), "default", "o" + number);
  }

  @Test
  void countsMoreThanItLists() {
    int many = FailureRegistry.LISTED_MAX + 500;
    for (int i = 0; i < many; i++) {
      failures.report(key(i), REFUSED);
    }

    assertThat(failures.count(State.FAILED)).isEqualTo(many);
    assertThat(failures.count(State.PENDING)).isZero();
    assertThat(failures.listed()).hasSize(FailureRegistry.LISTED_MAX);
    assertThat(failures.with("Refused")).hasSize(many);
    assertThat(failures.with("Paused")).isEmpty();
  }

  @Test
  void tellsNewsFromWhatIsKnownWhateverTheirNumber() {
    int many = FailureRegistry.LISTED_MAX + 1;
    for (int i = 0; i < many; i++) {
      assertThat(failures.report(key(i), REFUSED)).isTrue();
    }

    assertThat(failures.report(key(many - 1), REFUSED)).isFalse();
    assertThat(failures.report(key(many - 1), new Failure(State.FAILED, "Refused", "too short")))
        .isTrue();
    assertThat(failures.report(key(0), REFUSED)).isFalse();
  }

  @Test
  void makesRoomForOthersInTheList() {
    for (int i = 0; i <= FailureRegistry.LISTED_MAX; i++) {
      failures.report(key(i), REFUSED);
    }
    failures.clear(key(0));
    failures.report(key(-1), REFUSED);

    assertThat(failures.listed()).hasSize(FailureRegistry.LISTED_MAX).containsKey(key(-1));
    assertThat(failures.of(key(0))).isEmpty();
    assertThat(failures.of(key(FailureRegistry.LISTED_MAX))).contains(State.FAILED);
  }

  @Test
  void knowsEveryReasonForWhichSomethingFails() {
    failures.report(key(1), REFUSED);
    failures.report(key(2), REFUSED);
    failures.report(key(2), new Failure(State.FAILED, "Refused", "too short"));
    failures.report(key(3), new Failure(State.PENDING, "Waiting", ""));
    assertThat(failures.failingReasons()).containsExactly("Refused");

    failures.report(key(1), new Failure(State.FAILED, "Taken", ""));
    assertThat(failures.failingReasons()).containsExactlyInAnyOrder("Refused", "Taken");
    assertThat(failures.failing())
        .hasValueSatisfying(said -> assertThat(said).contains("Refused (1), Taken (1)"));

    failures.clear(key(1));
    failures.report(key(2), new Failure(State.SKIPPED, "Paused", ""));
    assertThat(failures.failingReasons()).isEmpty();
    assertThat(failures.failing()).isEmpty();
  }
}
