package dev.mooring.cli.why.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cli.live.ServedType;
import dev.mooring.cli.why.decide.Cause.Finding;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeletionCausesTest {
  private static final ResourceType VPCS =
      new ResourceType("network.example.corp", "v1alpha1", "vpcs");
  private static final String DENIED =
      "admission webhook \"dependency-controller.dependencies.opendefense.cloud\" denied the"
          + " request: ";

  @ParameterizedTest
  @CsvSource({
    "the rule cache is stale; retry later,RulesStale",
    "'dependency webhook not yet initialized, retry later',RulesNotLoaded",
    "cannot delete vpcs/main: still referenced by VirtualMachine/web-1,Referenced",
    "the dependency webhook failed; its log tells why (review 1),NotEvaluated"
  })
  void readsWhatTheDependencyWebhookSays(String said, String reason) {
    Finding finding = finding(new DryRun.Refused(DENIED + said), new Fact.Known<>(true));

    assertThat(finding.reason()).isEqualTo(reason);
    assertThat(finding.evidence()).contains(said);
  }

  @Test
  void blamesNoOneElsesRefusalOnMooring() {
    Finding finding =
        finding(
            new DryRun.Refused("admission webhook \"quota.example.io\" denied the request: no"),
            new Fact.Known<>(true));

    assertThat(finding.reason()).isEqualTo("RefusedByOther");
    assertThat(finding.message()).contains("quota.example.io");
  }

  @Test
  void saysThatTheCallerLacksThePermission() {
    assertThat(finding(new DryRun.NotPermitted("no"), new Fact.Known<>(true)).reason())
        .isEqualTo("NotPermitted");
  }

  @Test
  void saysWhetherTheCallerMayBypass() {
    var refused = new DryRun.Refused(DENIED + "cannot delete vpcs/main: still referenced by A/b");

    assertThat(finding(refused, new Fact.Known<>(true)).fix())
        .endsWith(
            "kubectl annotate vpcs.network.example.corp main -n default"
                + " dependencies.opendefense.cloud/skip-protection=true");
    assertThat(finding(refused, new Fact.Known<>(false)).fix()).contains("you may not");
  }

  @Test
  void saysWhichProvidersRulesItCouldNotRead() {
    Finding finding = finding(new DryRun.Allowed(), new Fact.Known<>(true));

    assertThat(finding.reason()).isEqualTo("NoRule");
    assertThat(finding.message()).contains("that the caller may read");
    assertThat(finding.evidence()).containsExactly("rules in root:compute not read: forbidden");
  }

  private static Finding finding(DryRun dryRun, Fact<Boolean> mayAnnotate) {
    var facts =
        new DeletionFacts(
            new ServedType(VPCS, "VPC", true),
            KubeObject.of(VPCS, "VPC", "default", "main"),
            dryRun,
            List.of(),
            List.of("rules in root:compute not read: forbidden"),
            mayAnnotate,
            new Fact.Unread<>("not asked"));
    return DeletionCauses.first(facts).orElseThrow().finding();
  }
}
