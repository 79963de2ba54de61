package dev.mooring.syncagent.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.syncagent.sync.Troubles.Outlook;
import dev.mooring.syncagent.sync.Troubles.Trouble;
import org.junit.jupiter.api.Test;

class TroublesTest {
  private static final Trouble REFUSED = new Trouble(Outlook.FAILED, "Refused", "too long");

  private final Troubles troubles = new Troubles();

  private static ObjectKey key(int number) {
    return new ObjectKey(new LogicalCluster("c1"), "default", "o" + number);
  }

  @Test
  void countsMoreThanItLists() {
    int many = Troubles.LISTED_MAX + 500;
    for (int i = 0; i < many; i++) {
      troubles.report(key(i), REFUSED);
    }

    assertThat(troubles.count(Outlook.FAILED)).isEqualTo(many);
    assertThat(troubles.count(Outlook.PENDING)).isZero();
    assertThat(troubles.listed()).hasSize(Troubles.LISTED_MAX);
    assertThat(troubles.with("Refused")).hasSize(many);
    assertThat(troubles.with("Paused")).isEmpty();
  }

  @Test
  void tellsNewsFromWhatIsKnownWhateverTheirNumber() {
    int many = Troubles.LISTED_MAX + 1;
    for (int i = 0; i < many; i++) {
      assertThat(troubles.report(key(i), REFUSED)).isTrue();
    }

    assertThat(troubles.report(key(many - 1), REFUSED)).isFalse();
    assertThat(troubles.report(key(many - 1), new Trouble(Outlook.FAILED, "Refused", "too short")))
        .isTrue();
    assertThat(troubles.report(key(0), REFUSED)).isFalse();
  }

  @Test
  void makesRoomForOthersInTheList() {
    for (int i = 0; i <= Troubles.LISTED_MAX; i++) {
      troubles.report(key(i), REFUSED);
    }
    troubles.clear(key(0));
    troubles.report(key(-1), REFUSED);

    assertThat(troubles.listed()).hasSize(Troubles.LISTED_MAX).containsKey(key(-1));
    assertThat(troubles.of(key(0))).isEmpty();
    assertThat(troubles.of(key(Troubles.LISTED_MAX))).contains(Outlook.FAILED);
  }

  @Test
  void knowsEveryReasonForWhichSomethingFails() {
    troubles.report(key(1), REFUSED);
    troubles.report(key(2), REFUSED);
    troubles.report(key(2), new Trouble(Outlook.FAILED, "Refused", "too short"));
    troubles.report(key(3), new Trouble(Outlook.PENDING, "Waiting", ""));
    assertThat(troubles.failingReasons()).containsExactly("Refused");

    troubles.report(key(1), new Trouble(Outlook.FAILED, "Taken", ""));
    assertThat(troubles.failingReasons()).containsExactlyInAnyOrder("Refused", "Taken");
    assertThat(troubles.failing())
        .hasValueSatisfying(said -> assertThat(said).contains("Refused (1), Taken (1)"));

    troubles.clear(key(1));
    troubles.report(key(2), new Trouble(Outlook.LEFT, "Paused", ""));
    assertThat(troubles.failingReasons()).isEmpty();
    assertThat(troubles.failing()).isEmpty();
  }
}
