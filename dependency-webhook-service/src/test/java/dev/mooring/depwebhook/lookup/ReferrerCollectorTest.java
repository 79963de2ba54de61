package dev.mooring.depwebhook.lookup;

import static dev.mooring.depwebhook.Fixtures.VPCS;
import static dev.mooring.depwebhook.Fixtures.machine;
import static dev.mooring.depwebhook.Fixtures.query;
import static dev.mooring.depwebhook.Fixtures.vmNeedsVpc;
import static dev.mooring.depwebhook.Fixtures.vpc;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depwebhook.eligibility.RuleEligibility;
import dev.mooring.depwebhook.lookup.decide.DependentSearch;
import dev.mooring.depwebhook.reading.ListedObject;
import dev.mooring.depwebhook.rules.decide.RuleIndex;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.dependency.Reference;
import dev.mooring.model.dependency.References;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class ReferrerCollectorTest {
  /** Each review has readers of its own, equal for the same rule. */
  @Test
  void usesTheReferencesThatAnotherReviewHasReadInTheObject() {
    var listed = new ListedObject(machine("default", "vm1", "net1"));
    listed.once(
        search().readers().getFirst(),
        () -> new References.Known(new TreeSet<>(List.of(new Reference("default", "net2")))));

    assertThat(found(listed, "net1")).isFalse();
    assertThat(found(listed, "net2")).isTrue();
  }

  private static boolean found(ListedObject listed, String vpc) {
    var collector =
        new ReferrerCollector(
            query(vpc("default", vpc), search().protections(), RuleEligibility.EVERY), search());
    collector.see(listed);
    return !collector.protections().isEmpty();
  }

  private static DependentSearch search() {
    return DependentSearch.forAll(RuleIndex.of(List.of(vmNeedsVpc())).about(GroupResource.of(VPCS)))
        .getFirst();
  }
}
