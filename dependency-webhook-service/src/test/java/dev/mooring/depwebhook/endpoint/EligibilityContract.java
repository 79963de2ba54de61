package dev.mooring.depwebhook.endpoint;

import static dev.mooring.depwebhook.endpoint.WebhookEnvironment.MACHINES;
import static dev.mooring.depwebhook.endpoint.WebhookEnvironment.VPCS;
import static dev.mooring.depwebhook.endpoint.WebhookEnvironment.schema;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depwebhook.eligibility.decide.Binding;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.ExportFacts;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.testing.Manifests;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Whose rules count for whose objects. Every test tries the deletion itself. */
abstract class EligibilityContract extends OnWebhookEnvironment {
  private static final ResourceType CONFIG_MAPS = ResourceType.core("configmaps");

  private static WorkspacePath rivalNetwork;
  private static WorkspacePath rivalCompute;

  /** Binds the rival's network and our compute. */
  private static WorkspacePath mixed;

  /** Binds our network and the rival's compute. */
  private static WorkspacePath mixedToo;

  /** To be called before all tests. */
  static void enter(WebhookEnvironment landscape) throws Exception {
    land = landscape;
    land.usualRules();
    withoutRegister();
    rivalNetwork = land.workspaces.create("depwh-rival-network");
    land.bindDependencies(rivalNetwork);
    rivalCompute = land.workspaces.create("depwh-rival-compute");
    land.export(
        rivalNetwork, "network.example.com", schema("vpcs.network.example.com", "v1alpha1"));
    land.export(
        rivalCompute,
        "compute.example.com",
        schema("virtualmachines.compute.example.com", "v1alpha1"),
        schema("gateways.compute.example.com", "v1alpha1"));
    mixed = land.workspaces.create("depwh-mixed");
    land.bind(mixed, rivalNetwork, "network.example.com");
    land.bind(mixed, land.compute, "compute.example.com");
    mixedToo = land.workspaces.create("depwh-mixed-too");
    land.bind(mixedToo, land.network, "network.example.com");
    land.bind(mixedToo, rivalCompute, "compute.example.com");
    var service = land.serve(2);
    land.guard(rivalNetwork, WebhookEnvironment.port(service), "vpcs");
    land.guard(service);
  }

  /** Takes the webhook's right to the Leases of its register: who needs it is refused. */
  private static void withoutRegister() {
    land.workspaces.apply(
        land.dependencies,
        Manifests.parse(
            """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: Role
            metadata: {name: dependency-webhook, namespace: dependency-races}
            rules:
            - apiGroups: [""]
              resources: [secrets]
              resourceNames: [dependency-webhook-url-keys]
              verbs: [get]
            """));
  }

  @Test
  void aRuleAboutOneProvidersTypeDoesNotKeepAnothersOfTheSameName() {
    land.create(mixed, VPCS, "default", "rivals", "");
    land.create(mixed, MACHINES, "default", "vm-rivals", "rivals");

    land.delete(mixed, VPCS, "default", "rivals");

    assertThat(land.exists(mixed, VPCS, "default", "rivals")).isFalse();
  }

  @Test
  void dependentsOfAnotherProvidersExportAreNotThoseOfTheRule() {
    land.create(mixedToo, VPCS, "default", "ours", "");
    land.create(mixedToo, MACHINES, "default", "vm-theirs", "ours");

    land.delete(mixedToo, VPCS, "default", "ours");

    assertThat(land.exists(mixedToo, VPCS, "default", "ours")).isFalse();
  }

  @Test
  void aRuleThatNamesAnExportItsWorkspaceDoesNotHaveKeepsNothing() {
    land.create(VPCS, "default", "victim", "");
    land.create(
        land.consumer, MACHINES, "default", "vm-victim", Map.of("odd", Map.of("name", "victim")));
    land.ruleOf(
        land.compute, "rogue", "nosuch.example.com", MACHINES, "{path: .spec.odd.name}", "vpcs");
    try {
      land.awaitRules(3);

      land.assertDeletable(VPCS, "default", "victim");
    } finally {
      land.deleteRule("rogue");
      land.awaitRules(2);
    }
  }

  @Test
  void aRuleAboutATypeThatItsAuthorDoesNotExportKeepsNothing() {
    land.create(VPCS, "default", "innocent", "");
    land.create(
        land.consumer, VPCS, "default", "accomplice", Map.of("ref", Map.of("name", "innocent")));
    land.rule("rogue-type", VPCS, "{path: .spec.ref.name}", "vpcs");
    try {
      land.awaitRules(3);

      land.assertDeletable(VPCS, "default", "innocent");
    } finally {
      land.deleteRule("rogue-type");
      land.awaitRules(2);
    }
  }

  @Test
  void aRaceProtectedRuleThatDoesNotCountNeedsNoRegister() {
    land.create(VPCS, "default", "unburdened", "");
    land.create(MACHINES, "default", "vm-unburdened", "unburdened");
    raced("rogue-raced", VPCS);
    try {
      land.awaitRules(3);

      land.assertRefused(
          VPCS,
          "default",
          "unburdened",
          "cannot delete vpcs/unburdened: still referenced by VirtualMachine/vm-unburdened");
      land.delete(MACHINES, "default", "vm-unburdened");
      land.assertDeletable(VPCS, "default", "unburdened");
    } finally {
      land.deleteRule("rogue-raced");
      land.awaitRules(2);
    }
  }

  @Test
  void aRaceProtectedRuleAboutAnotherProvidersTypeNeedsNoRegister() {
    land.create(mixed, VPCS, "default", "rivals-own", "");
    land.create(VPCS, "default", "needs-register", "");
    raced("honest-raced", MACHINES);
    try {
      land.awaitRules(3);

      land.assertDeletable(mixed, VPCS, "default", "rivals-own");
      assertThat(land.refusal(land.consumer, VPCS, "default", "needs-register"))
          .contains("could not find out whether that is safe", "the webhook's log on review")
          .doesNotContain("dependency-races");
    } finally {
      land.deleteRule("honest-raced");
      land.awaitRules(2);
    }
  }

  private static void raced(String name, ResourceType dependent) {
    land.rule(
        land.compute, name, "raceProtection: strict", dependent, "{path: .spec.odd.name}", "vpcs");
  }

  @Test
  void aProviderMaySayWhoseObjectsMayReferToItsOwn() {
    land.create(VPCS, "default", "narrowed", "");
    land.create(MACHINES, "default", "vm-narrowed", "narrowed");

    allow("root:somebody:else.example.com");
    try {
      land.assertDeletable(VPCS, "default", "narrowed");

      land.create(VPCS, "default", "narrowed", "");
      allow("root:somebody:else.example.com, " + land.compute + ":compute.example.com");
      land.assertRefused(
          VPCS,
          "default",
          "narrowed",
          "cannot delete vpcs/narrowed: still referenced by VirtualMachine/vm-narrowed");
    } finally {
      allow(null);
    }
  }

  @Test
  void aProviderThatTakesItsConsentBackIsHeldToNoRulesButItsOwn() {
    land.create(VPCS, "default", "withdrawn", "");
    land.create(MACHINES, "default", "vm-withdrawn", "withdrawn");
    land.create(VPCS, "default", "peered", "");
    land.create(land.consumer, VPCS, "default", "peer", Map.of("peer", Map.of("name", "peered")));
    land.rule(land.network, "own", "", VPCS, "{path: .spec.peer.name}", "vpcs");
    try {
      land.awaitRules(3);
      land.assertRefused(
          VPCS,
          "default",
          "withdrawn",
          "cannot delete vpcs/withdrawn: still referenced by VirtualMachine/vm-withdrawn");

      consent("Rejected");

      land.assertDeletable(VPCS, "default", "withdrawn");
      land.assertRefused(
          VPCS, "default", "peered", "cannot delete vpcs/peered: still referenced by VPC/peer");
    } finally {
      consent("Accepted");
      land.workspaces
          .client(land.network)
          .delete(DependencyRule.TYPE, "", "own", new DeleteCondition.Unconditional());
      land.awaitRules(2);
    }
  }

  /** The network provider's, to webhooks about its types. */
  private static void consent(String state) {
    KubeClient provider = land.workspaces.client(land.network);
    List<Object> claims =
        provider
            .find(Binding.TYPE, "", DependencyRule.GROUP)
            .orElseThrow()
            .list("spec", "permissionClaims")
            .stream()
            .<Object>map(claim -> {
              var changed = new HashMap<>(Trees.mapOrEmpty(claim));
              changed.put("state", state);
              return changed;
            })
            .toList();
    provider.patch(
        Binding.TYPE, "", DependencyRule.GROUP, Map.of("spec", Map.of("permissionClaims", claims)));
  }

  @Test
  void whatIsBoundToTheVeryExportsIsKept() {
    land.create(VPCS, "default", "kept", "");
    land.create(MACHINES, "default", "vm-kept", "kept");

    land.assertRefused(
        VPCS,
        "default",
        "kept",
        "cannot delete vpcs/kept: still referenced by VirtualMachine/vm-kept");
  }

  @Test
  void configMapsCountWhereTheConsumerAcceptsTheAuthorsClaimOnThem() {
    land.workspaces
        .client(land.compute)
        .patch(ExportFacts.TYPE, "", "compute.example.com", claims(Map.of()));
    land.workspaces
        .client(land.consumer)
        .patch(
            Binding.TYPE,
            "",
            "compute.example.com",
            claims(Map.of("state", "Accepted", "selector", Map.of("matchAll", true))));
    land.rule("settings-need", CONFIG_MAPS, "{path: .data.vpc}", "vpcs");
    try {
      land.awaitRules(3);
      for (WorkspacePath in : List.of(land.consumer, land.other)) {
        land.create(in, VPCS, "default", "configured", "");
        land.workspaces.client(in).create(CONFIG_MAPS, settings("configured"));
      }

      land.assertRefused(
          VPCS,
          "default",
          "configured",
          "cannot delete vpcs/configured: still referenced by ConfigMap/settings");
      land.delete(land.other, VPCS, "default", "configured");
      assertThat(land.exists(land.other, VPCS, "default", "configured")).isFalse();
    } finally {
      land.deleteRule("settings-need");
      land.awaitRules(2);
    }
  }

  /** A claim on ConfigMaps, as exports and bindings write it. */
  private static Map<String, Object> claims(Map<String, Object> more) {
    var claim = new HashMap<String, Object>(more);
    claim.put("group", "");
    claim.put("resource", "configmaps");
    claim.put("verbs", List.of("get", "list", "watch"));
    return Map.of("spec", Map.of("permissionClaims", List.of(claim)));
  }

  private static KubeObject settings(String vpc) {
    return KubeObject.of(
        Map.of(
            "apiVersion",
            "v1",
            "kind",
            "ConfigMap",
            "metadata",
            Map.of("name", "settings", "namespace", "default"),
            "data",
            Map.of("vpc", vpc)));
  }

  private static void allow(String dependents) {
    var annotations = new HashMap<String, Object>();
    annotations.put(ExportFacts.ALLOWED_DEPENDENTS, dependents);
    land.workspaces
        .client(land.network)
        .patch(
            ExportFacts.TYPE,
            "",
            "network.example.com",
            Map.of("metadata", Map.of("annotations", annotations)));
  }
}
