package dev.mooring.depwebhook.race.decide;

import static dev.mooring.depwebhook.Fixtures.MACHINES;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RaceRefusalTest {
  @Test
  void namesADependentToTheOperatorAlone() {
    var dependent = new DependentId(MACHINES, "private", "vm1", "uid1");

    RaceRefusal refusal = of(new Refusal.ReferenceUnderWay(dependent, Duration.ofSeconds(65)));

    assertThat(refusal.message()).contains("private/vm1");
    assertThat(refusal.clientMessage())
        .isEqualTo(
            "cannot delete vpcs/net1: a reference to it is in flight, retry; in at most 65 s it is"
                + " decided");
  }

  @Test
  void saysWhatCouldNotBeReadToTheOperatorAlone() {
    RaceRefusal refusal = of(new Refusal.Unknown("Namespace dependency-system is missing"));

    assertThat(refusal.message()).contains("dependency-system");
    assertThat(refusal.clientMessage())
        .isEqualTo(
            "cannot delete vpcs/net1: the dependency webhook could not find out whether that is"
                + " safe; ask again, or the platform's operator if it stays so");
  }

  private static RaceRefusal of(Refusal refusal) {
    return RaceRefusal.of(refusal, "cannot delete vpcs/net1", "vpcs/net1");
  }
}
