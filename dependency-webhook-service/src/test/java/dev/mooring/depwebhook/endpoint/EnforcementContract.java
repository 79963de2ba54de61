package dev.mooring.depwebhook.endpoint;

import static dev.mooring.depwebhook.endpoint.WebhookEnvironment.DENIED;
import static dev.mooring.depwebhook.endpoint.WebhookEnvironment.GATEWAYS;
import static dev.mooring.depwebhook.endpoint.WebhookEnvironment.MACHINES;
import static dev.mooring.depwebhook.endpoint.WebhookEnvironment.REGIONS;
import static dev.mooring.depwebhook.endpoint.WebhookEnvironment.VPCS;
import static dev.mooring.depwebhook.endpoint.WebhookEnvironment.VPCS_V1BETA1;
import static dev.mooring.runtime.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.identity.ResourceType;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Deletions in consumers' workspaces, on whatever kcp a subclass starts or finds. Every test tries
 * the deletion itself and looks whether the object is still there.
 */
abstract class EnforcementContract extends OnWebhookEnvironment {
  static ConfigurableApplicationContext service;

  /** To be called before all tests. */
  static void enter(WebhookEnvironment landscape) throws Exception {
    land = landscape;
    land.usualRules();
    service = land.serve(2);
    land.guard(service);
  }

  @Test
  void refusesUntilTheLastReferrerIsGone() {
    land.create(VPCS, "default", "shared", "");
    land.create(MACHINES, "default", "vm1", "shared");
    land.create(MACHINES, "default", "vm2", "shared");
    land.assertRefused(
        VPCS,
        "default",
        "shared",
        "cannot delete vpcs/shared: still referenced by VirtualMachine/vm1, VirtualMachine/vm2");

    land.delete(MACHINES, "default", "vm1");
    land.assertRefused(
        VPCS,
        "default",
        "shared",
        "cannot delete vpcs/shared: still referenced by VirtualMachine/vm2");

    land.delete(MACHINES, "default", "vm2");
    land.assertDeletable(VPCS, "default", "shared");
  }

  @Test
  void refusesInEveryVersionOfTheTarget() {
    land.create(VPCS, "default", "versioned", "");
    land.create(MACHINES, "default", "vm-versioned", "versioned");

    land.assertRefused(
        VPCS_V1BETA1,
        "default",
        "versioned",
        "cannot delete vpcs/versioned: still referenced by VirtualMachine/vm-versioned");
  }

  @Test
  void refusesACollectionThatHoldsAReferencedObject() {
    land.namespace("collection");
    land.create(VPCS, "collection", "wanted", "");
    land.create(MACHINES, "collection", "vm-collection", "wanted");

    assertThatThrownBy(() -> deleteAll(VPCS, "collection"))
        .hasMessageContaining(
            DENIED + "cannot delete vpcs/wanted: still referenced by VirtualMachine/vm-collection");

    assertThat(land.exists(VPCS, "collection", "wanted")).isTrue();
  }

  @Test
  void refusesACollectionOfReferencedClusterScopedObjects() {
    land.create(REGIONS, "", "collected", "");
    land.create(MACHINES, "default", "vm-collected", "collected");

    assertThatThrownBy(() -> deleteAll(REGIONS, ""))
        .hasMessageContaining("VirtualMachine/default/vm-collected");

    assertThat(land.exists(REGIONS, "", "collected")).isTrue();
    land.delete(MACHINES, "default", "vm-collected");
  }

  @Test
  void aReferrerWithoutTheFieldDoesNotBlockACollection() {
    land.namespace("unset");
    land.create(VPCS, "unset", "free1", "");
    land.create(VPCS, "unset", "free2", "");
    land.create(land.consumer, MACHINES, "unset", "vm-empty", "");
    land.create(land.consumer, MACHINES, "unset", "vm-unset", Map.of("other", "field"));

    deleteAll(VPCS, "unset");

    assertThat(land.exists(VPCS, "unset", "free1")).isFalse();
    assertThat(land.exists(VPCS, "unset", "free2")).isFalse();
  }

  @Test
  void refusesANamespacedTargetOfAClusterScopedReferrer() {
    land.create(VPCS, "default", "gated", "");
    land.create(GATEWAYS, "", "gw1", "gated");

    land.assertRefused(
        VPCS, "default", "gated", "cannot delete vpcs/gated: still referenced by Gateway/gw1");
  }

  @Test
  void refusesAClusterScopedTargetOfReferrersInAnyNamespace() {
    land.namespace("elsewhere");
    land.create(REGIONS, "", "north", "");
    land.create(MACHINES, "default", "vm-north", "north");
    land.create(MACHINES, "elsewhere", "vm-north", "north");
    land.create(GATEWAYS, "", "gw-north", "north");

    land.assertRefused(
        REGIONS,
        "",
        "north",
        "cannot delete regions/north: still referenced by Gateway/gw-north,"
            + " VirtualMachine/default/vm-north, VirtualMachine/elsewhere/vm-north");
  }

  @Test
  void aReferrerInAnotherNamespaceMeansTheObjectInItsOwn() {
    land.namespace("apart");
    land.create(VPCS, "default", "beside", "");
    land.create(MACHINES, "apart", "vm-apart", "beside");

    land.assertDeletable(VPCS, "default", "beside");
  }

  @Test
  void anotherConsumersObjectsAreNoReferrers() {
    land.create(VPCS, "default", "lonely", "");
    land.create(land.other, MACHINES, "default", "vm-elsewhere", "lonely");

    land.assertDeletable(VPCS, "default", "lonely");
  }

  @Test
  void refusesInEveryConsumersWorkspace() {
    land.create(land.other, VPCS, "default", "theirs", "");
    land.create(land.other, MACHINES, "default", "vm-theirs", "theirs");

    land.assertRefused(
        land.other,
        VPCS,
        "default",
        "theirs",
        "cannot delete vpcs/theirs: still referenced by VirtualMachine/vm-theirs");
  }

  @Test
  void namesNoMoreThanTenReferrers() {
    land.create(VPCS, "default", "popular", "");
    for (int i = 10; i < 25; i++) {
      land.create(MACHINES, "default", "vm-fan" + i, "popular");
    }

    assertThat(land.refusal(land.consumer, VPCS, "default", "popular"))
        .startsWith(DENIED + "cannot delete vpcs/popular: still referenced by")
        .endsWith("VirtualMachine/vm-fan19 and 5 more")
        .doesNotContain("vm-fan20");
    assertThat(land.exists(VPCS, "default", "popular")).isTrue();
  }

  @Test
  void findsWhatHasChangedAmongAThousand() {
    land.namespace("crowd");
    land.create(VPCS, "crowd", "quay", "");
    land.create(VPCS, "crowd", "berth", "");
    IntStream.range(0, 1_000)
        .parallel()
        .forEach(i -> land.create(MACHINES, "crowd", "vm-" + (1_000 + i), "elsewhere"));
    String kept = "cannot delete vpcs/%s: still referenced by VirtualMachine/%s";
    land.create(MACHINES, "crowd", "vm-9000", "berth");
    land.assertRefused(VPCS, "crowd", "berth", kept.formatted("berth", "vm-9000"));

    land.create(MACHINES, "crowd", "vm-9001", "quay");
    land.assertRefused(VPCS, "crowd", "quay", kept.formatted("quay", "vm-9001"));
    land.delete(MACHINES, "crowd", "vm-9001");
    land.delete(MACHINES, "crowd", "vm-1500");
    land.create(MACHINES, "crowd", "vm-1500", "quay");
    land.assertRefused(VPCS, "crowd", "quay", kept.formatted("quay", "vm-1500"));
    land.workspaces
        .client(land.consumer)
        .patch(MACHINES, "crowd", "vm-1700", Map.of("spec", Map.of("ref", Map.of("name", "quay"))));
    land.delete(MACHINES, "crowd", "vm-1500");
    land.assertRefused(VPCS, "crowd", "quay", kept.formatted("quay", "vm-1700"));
    land.delete(MACHINES, "crowd", "vm-1700");
    land.assertDeletable(VPCS, "crowd", "quay");
  }

  @Test
  void allowsWhatIsAnnotatedToSkipProtection() {
    land.create(VPCS, "default", "skipped", "");
    land.create(MACHINES, "default", "vm-skipped", "skipped");
    land.assertRefused(
        VPCS,
        "default",
        "skipped",
        "cannot delete vpcs/skipped: still referenced by VirtualMachine/vm-skipped");

    land.annotate(VPCS, "default", "skipped", DependencyRule.SKIP_PROTECTION, "true");

    land.assertDeletable(VPCS, "default", "skipped");
  }

  @Test
  void aRogueRuleDoesNotMakeObjectsBlockThemselves() {
    land.rule("rogue", VPCS, "{path: .spec.self.name}", "vpcs");
    try {
      land.awaitRules(3);
      land.create(
          land.consumer, VPCS, "default", "innocent", Map.of("self", Map.of("name", "innocent")));

      land.assertDeletable(VPCS, "default", "innocent");
    } finally {
      land.deleteRule("rogue");
      land.awaitRules(2);
    }
  }

  @Test
  void enforcesARuleThatRefersToTheExportOfItsDependentsAsOlderOnesDo() {
    land.olderRule("older", MACHINES, "{path: .spec.older.name}", "vpcs");
    try {
      land.awaitRules(3);
      land.create(VPCS, "default", "older-net", "");
      land.create(
          land.consumer,
          MACHINES,
          "default",
          "vm-older",
          Map.of("older", Map.of("name", "older-net")));

      land.assertRefused(
          VPCS,
          "default",
          "older-net",
          "cannot delete vpcs/older-net: still referenced by VirtualMachine/vm-older");
    } finally {
      land.deleteRule("older");
      land.awaitRules(2);
    }
  }

  @Test
  void aFieldThatTheSchemaLacksMatchesEverything() throws Exception {
    land.namespace("typo");
    land.create(VPCS, "typo", "typo-net", "");
    land.create(MACHINES, "typo", "vm-typo", "another-net");
    land.rule("typo", MACHINES, "{path: .spec.vpcReff.name}", "vpcs");
    try {
      land.awaitRules(3);
      land.reportMissingField("typo", ".spec has no field \"vpcReff\"");
      await().until(() -> !wouldAllow("typo", "typo-net"));
      assertThatThrownBy(() -> land.delete(VPCS, "typo", "typo-net"))
          .hasMessageContaining("still referenced by VirtualMachine/")
          .hasMessageContaining("refers to: .spec has no field \"vpcReff\"");

      land.editRule("typo", MACHINES, "{path: .spec.typo.name}", "vpcs");
      await().until(() -> wouldAllow("typo", "typo-net"));
    } finally {
      land.deleteRule("typo");
      land.awaitRules(2);
    }
  }

  @Test
  void followsARuleThatIsEditedInPlaceDeletedAndMadeAgain() throws Exception {
    String kept = "cannot delete vpcs/%s: still referenced by VirtualMachine/vm-edited";
    land.create(VPCS, "default", "first-net", "");
    land.create(VPCS, "default", "second-net", "");
    land.create(
        land.consumer,
        MACHINES,
        "default",
        "vm-edited",
        Map.of("first", Map.of("name", "first-net"), "second", Map.of("name", "second-net")));
    land.rule("edited", MACHINES, "{path: .spec.first.name}", "vpcs");
    try {
      land.awaitRules(3);
      land.assertRefused(VPCS, "default", "first-net", kept.formatted("first-net"));

      land.editRule("edited", MACHINES, "{path: .spec.second.name}", "vpcs");
      await().until(() -> !wouldAllow("default", "second-net"));
      land.assertRefused(VPCS, "default", "second-net", kept.formatted("second-net"));
      land.assertDeletable(VPCS, "default", "first-net");

      land.deleteRule("edited");
      land.awaitRules(2);
      assertThat(wouldAllow("default", "second-net")).isTrue();
      land.rule("edited", MACHINES, "{path: .spec.second.name}", "vpcs");
      land.awaitRules(3);
      land.assertRefused(VPCS, "default", "second-net", kept.formatted("second-net"));
    } finally {
      land.deleteRule("edited");
      land.awaitRules(2);
    }
    land.assertDeletable(VPCS, "default", "second-net");
  }

  /** Whether a deletion would go through; nothing is deleted. */
  private static boolean wouldAllow(String namespace, String vpc) throws Exception {
    return Boolean.TRUE.equals(
        land.review(service, VPCS, namespace, vpc, "somebody").at("response", "allowed"));
  }

  private static void deleteAll(ResourceType type, String namespace) {
    land.workspaces.deleteCollection(land.consumer, type, namespace);
  }
}
