package dev.mooring.depwebhook.rules.decide;

import static dev.mooring.depwebhook.Fixtures.MACHINES;
import static dev.mooring.depwebhook.Fixtures.VPCS;
import static dev.mooring.depwebhook.Fixtures.rule;
import static dev.mooring.depwebhook.Fixtures.vmNeedsVpc;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.identity.WorkspacePath;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RuleIndexTest {
  private static final GroupResource TARGET = GroupResource.of(VPCS);

  @Test
  void versionsOfATargetShareItsRules() {
    var v1beta1 = new ResourceType(VPCS.group(), "v1beta1", VPCS.resource());
    var index =
        RuleIndex.of(
            List.of(rule("b", MACHINES, "root:network", v1beta1, ".spec.vpc.name"), vmNeedsVpc()));

    assertThat(index.about(TARGET))
        .extracting(p -> p.rule().key().name())
        .containsExactly("b", "vm-dependencies");
  }

  @Test
  void knowsNothingAboutOtherTypes() {
    var index = RuleIndex.of(List.of(vmNeedsVpc()));

    assertThat(index.about(new GroupResource("network.example.com", "subnets"))).isEmpty();
    assertThat(index.about(new GroupResource("other.example.com", "vpcs"))).isEmpty();
  }

  @Test
  void leavesOutRulesAboutAnotherProvidersResourceOfTheSameName() {
    DependencyRule other = rule("other", MACHINES, "root:rival", VPCS, ".spec.vpcRef.name");
    var index = RuleIndex.of(List.of(vmNeedsVpc(), other));

    assertThat(index.about(TARGET, Optional.of(new WorkspacePath("root:network"))))
        .extracting(MatchedRule::rule)
        .containsExactly(vmNeedsVpc());
    assertThat(index.about(TARGET, Optional.empty())).hasSize(2);
  }

  @Test
  void keepsARuleWhosePathMayMeanTheProvider() {
    DependencyRule byCluster = rule("alias", MACHINES, "xk2hh1:network", VPCS, ".spec.vpcRef.name");
    var index = RuleIndex.of(List.of(byCluster));

    assertThat(index.about(TARGET, Optional.of(new WorkspacePath("root:network")))).hasSize(1);
  }
}
