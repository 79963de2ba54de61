package dev.mooring.cli.why.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cli.live.ServedType;
import dev.mooring.cli.status.ObjectStatus;
import dev.mooring.cli.why.decide.Cause.Finding;
import dev.mooring.cli.why.decide.Cause.State;
import dev.mooring.cli.why.decide.Remedy.Who;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.dependency.WebhookContract;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeletionCausesTest {
  private static final ResourceType VPCS =
      new ResourceType("network.example.corp", "v1alpha1", "vpcs");
  private static final String DENIED =
      "admission webhook \"dependency-controller.dependencies.opendefense.cloud\" denied the"
          + " request: ";

  private List<Mention> mentions = List.of();
  private List<RuleView> rules = List.of();

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

    assertThat(finding(refused, new Fact.Known<>(true)).remedy().fix())
        .endsWith(
            "kubectl annotate vpcs.network.example.corp main -n default"
                + " dependencies.opendefense.cloud/skip-protection=true");
    assertThat(finding(refused, new Fact.Known<>(false)).remedy().fix()).contains("you may not");
  }

  @Test
  void saysWhichProvidersRulesItCouldNotRead() {
    Finding finding = finding(new DryRun.Allowed(), new Fact.Known<>(true));

    assertThat(finding.reason()).isEqualTo("NoRule");
    assertThat(finding.message()).contains("that the caller may read");
    assertThat(finding.evidence()).containsExactly("rules in root:compute not read: forbidden");
  }

  /** A webhook that is down is started again; objects stay protected meanwhile. */
  @Test
  void advisesNoBypassOfAWebhookThatIsDown() {
    Remedy remedy =
        finding(
                new DryRun.Refused(
                    "failed calling webhook"
                        + " \"dependency-controller.dependencies.opendefense.cloud\": refused"),
                new Fact.Known<>(true))
            .remedy();

    assertThat(remedy.who()).isEqualTo(Who.platform);
    assertThat(remedy.fix() + remedy.command()).doesNotContain("skip-protection");
  }

  @Test
  void blamesARuleWithAMistakeForWhatItDenies() {
    rules =
        List.of(
            new RuleView(
                "machines",
                "root:compute",
                new ObjectStatus(
                    "DependencyRule/machines",
                    ObjectStatus.State.failing,
                    "",
                    "",
                    "Accepted",
                    "FieldNotInSchema",
                    ".spec has no field vpcReff"),
                "machines.c",
                ".spec.vpcReff.name",
                "Deny",
                "Annotation",
                "root:network",
                new Fact.Known<>(List.of()),
                new Fact.Known<>(true)));

    Finding finding =
        finding(
            new DryRun.Refused(DENIED + "cannot delete vpcs/main: still referenced by A/b"),
            new Fact.Known<>(true));

    assertThat(finding.reason()).isEqualTo("RuleNotInForce");
    assertThat(finding.state()).isEqualTo(State.denied);
    assertThat(finding.remedy().who()).isEqualTo(Who.provider);
    assertThat(finding.remedy().object()).isEqualTo("DependencyRule machines in root:compute");
  }

  /** The caller sees neither the rule nor the ClusterRole: the refusal names both. */
  @Test
  void namesTheGrantThatTheWebhookLacks() {
    String said =
        "checking dependencies for rule c/machines: listing machines.v1.c: 403 forbidden; let user"
            + " \"hook\" get and list machines.c in logical cluster blue: the operator of the"
            + " webhook has to "
            + WebhookContract.grant(new GroupResource("c", "machines"));
    Finding finding = finding(new DryRun.Refused(DENIED + said), new Fact.Known<>(true));

    assertThat(finding.reason()).isEqualTo("WebhookMayNotRead");
    assertThat(finding.state()).isEqualTo(State.denied);
    assertThat(finding.evidence()).contains(said);
    assertThat(finding.remedy().who()).isEqualTo(Who.platform);
    assertThat(finding.remedy().object())
        .isEqualTo("ClusterRole dependency-webhook in system:admin of every shard");
    assertThat(finding.remedy().fix())
        .startsWith("add {apiGroups: [c], resources: [machines]} to kcpManifests.dependents");
  }

  @Test
  void namesWhatSeemsToReferToAnUnprotectedObject() {
    mentions =
        List.of(
            new Mention(
                "root:compute:compute",
                "machines.c",
                "VirtualMachine/web .spec.vpcRef.name",
                Optional.empty()));

    Finding finding = finding(new DryRun.Allowed(), new Fact.Known<>(true));

    assertThat(finding.reason()).isEqualTo("NotProtected");
    assertThat(finding.message()).contains("VirtualMachine/web .spec.vpcRef.name");
    assertThat(finding.remedy().who()).isEqualTo(Who.provider);
    assertThat(finding.remedy().command()).isEqualTo("mooring status --workspace root:compute");
  }

  @Test
  void findsFieldsThatAreCalledAfterTheKind() {
    var vpcs = new ServedType(VPCS, "VPC", true);
    KubeObject target = KubeObject.of(VPCS, "VPC", "default", "main");
    var machines = new ServedType(new ResourceType("c", "v1", "machines"), "Machine", true);
    KubeObject machine = KubeObject.of(machines.resource(), "Machine", "default", "web");

    assertThat(
            Mention.of(
                "root:c",
                machines,
                machine.with(List.of(Map.of("vpcRef", Map.of("name", "main"))), "spec", "nics"),
                vpcs,
                target))
        .contains(
            new Mention(
                "root:c", "machines.c", "Machine/web .spec.nics[0].vpcRef.name", Optional.empty()));
    assertThat(Mention.of("root:c", machines, machine.with("main", "spec", "branch"), vpcs, target))
        .isEmpty();
    assertThat(Mention.of("root:c", vpcs, target.with("main", "spec", "vpc"), vpcs, target))
        .as("itself")
        .isEmpty();
  }

  @Test
  void saysThatWhatRefersToItIsBeingDeletedAlready() {
    var machines = new ServedType(new ResourceType("c", "v1", "machines"), "Machine", true);
    KubeObject leaving =
        KubeObject.of(machines.resource(), "Machine", "default", "web")
            .with("main", "spec", "vpc")
            .with("2026-01-01T00:00:00Z", "metadata", "deletionTimestamp")
            .with(List.of("example.org/detach"), "metadata", "finalizers");
    var vpcs = new ServedType(VPCS, "VPC", true);
    KubeObject target = KubeObject.of(VPCS, "VPC", "default", "main");
    mentions = List.of(Mention.of("root:c", machines, leaving, vpcs, target).orElseThrow());
    var refused =
        new DryRun.Refused(DENIED + "cannot delete vpcs/main: still referenced by Machine/web");

    Remedy remedy = finding(refused, new Fact.Known<>(true)).remedy();
    assertThat(remedy.object()).isEqualTo("Machine default/web");
    assertThat(remedy.fix()).contains("being deleted already", "example.org/detach");
    assertThat(remedy.command()).isEqualTo("kubectl get machines.c web -n default -o yaml");

    mentions =
        List.of(
            mentions.getFirst(),
            new Mention("root:c", "machines.c", "Machine/web .spec.vpc", Optional.empty()));
    assertThat(finding(refused, new Fact.Known<>(true)).remedy().fix())
        .startsWith("delete the objects");
  }

  private Finding finding(DryRun dryRun, Fact<Boolean> mayAnnotate) {
    var facts =
        new DeletionFacts(
            new ServedType(VPCS, "VPC", true),
            KubeObject.of(VPCS, "VPC", "default", "main"),
            dryRun,
            rules,
            List.of("rules in root:compute not read: forbidden"),
            mentions,
            mayAnnotate,
            new Fact.Unread<>("not asked"));
    return DeletionCauses.first(facts).orElseThrow().finding();
  }
}
