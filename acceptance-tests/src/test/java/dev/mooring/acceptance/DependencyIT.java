package dev.mooring.acceptance;

import static dev.mooring.acceptance.Objects.awaitGone;
import static dev.mooring.acceptance.Objects.delete;
import static dev.mooring.acceptance.Objects.find;
import static dev.mooring.acceptance.Objects.machine;
import static dev.mooring.acceptance.Objects.refusal;
import static dev.mooring.acceptance.Objects.vpc;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cli.demo.ClusterClient;
import dev.mooring.cli.live.Types;
import dev.mooring.runtime.client.KubeFailure;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Controller and webhook as processes: what may be deleted, and what the refusal says. */
@ExtendWith(Mooring.class)
class DependencyIT {
  private ClusterClient blue;
  private ClusterClient green;

  @BeforeEach
  void takePlaces(Mooring.Running running) {
    blue = running.stage().blue();
    green = running.stage().green();
  }

  @Test
  void refusesToDeleteWhatIsReferencedAndSaysByWhat() {
    blue.client().create(Types.VPCS, vpc("used"));
    blue.client().create(Types.VIRTUAL_MACHINES, machine("user-1", "used"));

    KubeFailure refusal = refusal(blue, Types.VPCS, "used");

    assertThat(refusal.kind()).isEqualTo(KubeFailure.Kind.FORBIDDEN);
    assertThat(refusal)
        .hasMessageEndingWith(
            "admission webhook \"dependency-controller.dependencies.opendefense.cloud\" denied the"
                + " request: cannot delete vpcs/used: still referenced by VirtualMachine/user-1");
    assertThat(find(blue, Types.VPCS, "used").orElseThrow().deleting()).isFalse();
  }

  @Test
  void namesEveryReferrerInOrder() {
    blue.client().create(Types.VPCS, vpc("shared"));
    blue.client().create(Types.VIRTUAL_MACHINES, machine("shared-2", "shared"));
    blue.client().create(Types.VIRTUAL_MACHINES, machine("shared-1", "shared"));

    assertThat(refusal(blue, Types.VPCS, "shared"))
        .hasMessageEndingWith(
            "still referenced by VirtualMachine/shared-1, VirtualMachine/shared-2");
  }

  @Test
  void allowsItOnceNothingRefersAnyMore() {
    blue.client().create(Types.VPCS, vpc("freed"));
    blue.client().create(Types.VIRTUAL_MACHINES, machine("leaving", "freed"));
    refusal(blue, Types.VPCS, "freed");

    delete(blue, Types.VIRTUAL_MACHINES, "leaving");
    awaitGone(blue, Types.VIRTUAL_MACHINES, "leaving");
    delete(blue, Types.VPCS, "freed");

    awaitGone(blue, Types.VPCS, "freed");
  }

  @Test
  void isNotConcernedWithOtherConsumers() {
    blue.client().create(Types.VPCS, vpc("twin"));
    green.client().create(Types.VPCS, vpc("twin"));
    blue.client().create(Types.VIRTUAL_MACHINES, machine("twin-user", "twin"));

    delete(green, Types.VPCS, "twin");

    awaitGone(green, Types.VPCS, "twin");
    refusal(blue, Types.VPCS, "twin");
  }

  @Test
  void allowsTheDeletionOfWhatIsMarkedToSkipProtection() {
    blue.client().create(Types.VPCS, vpc("skipped"));
    blue.client().create(Types.VIRTUAL_MACHINES, machine("skipped-user", "skipped"));
    refusal(blue, Types.VPCS, "skipped");

    blue.client()
        .patch(
            Types.VPCS,
            "default",
            "skipped",
            Map.of(
                "metadata",
                Map.of(
                    "annotations",
                    Map.of("dependencies.opendefense.cloud/skip-protection", "true"))));
    delete(blue, Types.VPCS, "skipped");

    awaitGone(blue, Types.VPCS, "skipped");
  }
}
