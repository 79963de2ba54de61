package dev.mooring.depwebhook.lookup.decide;

import static dev.mooring.depwebhook.Fixtures.MACHINES;
import static dev.mooring.depwebhook.Fixtures.VPC;
import static dev.mooring.depwebhook.Fixtures.VPCS;
import static dev.mooring.depwebhook.Fixtures.machine;
import static dev.mooring.depwebhook.Fixtures.rule;
import static dev.mooring.depwebhook.Fixtures.vmNeedsVpc;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depwebhook.rules.decide.RuleIndex;
import dev.mooring.model.dependency.Blocker;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DependentSearchTest {
  @Test
  void asksOnceForAllFieldsOfOneType() {
    DependencyRule peering = rule("peering", MACHINES, "root:network", VPCS, ".spec.peerRef.name");

    assertThat(searches(peering, vmNeedsVpc()))
        .containsExactly(
            new DependentSearch(
                MACHINES,
                "VirtualMachine",
                List.of("compute1/peering", "compute1/vm-dependencies"),
                List.of(
                    peering.reader(peering.dependencies().getFirst()),
                    vmNeedsVpc().reader(vmNeedsVpc().dependencies().getFirst()))));
  }

  @Test
  void asksForEveryDependentType() {
    var gateways = new ResourceType("compute.example.com", "v1alpha1", "gateways");
    DependencyRule gateway = rule("gw", gateways, "root:network", VPCS, ".spec.vpcRef.name");

    assertThat(searches(gateway, vmNeedsVpc()))
        .extracting(DependentSearch::dependent)
        .containsExactly(gateways, MACHINES);
  }

  @Test
  void findsTheObjectThatRefersToTheTarget() {
    DependentSearch search = searches(vmNeedsVpc()).getFirst();

    assertThat(search.blocker(machine("default", "vm1", "net1"), VPC))
        .contains(new Blocker("VirtualMachine", "default", "vm1"));
    assertThat(search.blocker(machine("default", "vm2", "net2"), VPC)).isEmpty();
    assertThat(search.blocker(machine("default", "vm3", ""), VPC)).isEmpty();
  }

  @Test
  void noObjectBlocksItsOwnDeletion() {
    DependencyRule rogue = rule("rogue", VPCS, "root:network", VPCS, ".metadata.name");
    DependentSearch search = searches(rogue).getFirst();
    KubeObject innocent =
        KubeObject.of(Map.of("metadata", Map.of("name", "net1", "namespace", "default")));

    assertThat(search.blocker(innocent, VPC)).isEmpty();
    assertThat(search.blocker(innocent.without("metadata", "namespace"), VPC)).isPresent();
  }

  private static List<DependentSearch> searches(DependencyRule... rules) {
    return DependentSearch.forAll(RuleIndex.of(List.of(rules)).about(GroupResource.of(VPCS)));
  }
}
