package dev.mooring.depwebhook.race.decide;

import static dev.mooring.depwebhook.Fixtures.MACHINES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depwebhook.lookup.decide.ClientRefusal;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RefusalTest {
  @Test
  void namesADependentToTheOperatorAlone() {
    var dependent = new DependentId(MACHINES, "private", "vm1", "uid1");

    ClientRefusal refusal = of(new Refusal.ReferenceUnderWay(dependent, Duration.ofSeconds(65)));

    assertThat(refusal.message()).contains("private/vm1");
    assertThat(refusal.clientMessage())
        .isEqualTo(
            "cannot delete vpcs/net1: a reference to it is in flight, retry; in at most 65 s it is"
                + " decided");
  }

  @Test
  void saysWhatCouldNotBeReadToTheOperatorAlone() {
    ClientRefusal refusal = of(new Refusal.Unknown("Namespace dependency-system is missing"));

    assertThat(refusal.message()).contains("dependency-system");
    assertThat(refusal.clientMessage())
        .isEqualTo(
            "cannot delete vpcs/net1: the dependency webhook could not find out whether that is"
                + " safe; ask again, or the platform's operator if it stays so");
  }

  private static ClientRefusal of(Refusal refusal) {
    return refusal.forClient("cannot delete vpcs/net1", "vpcs/net1");
  }
}
