package dev.mooring.depwebhook.endpoint;

import static dev.mooring.depwebhook.endpoint.WebhookEnvironment.GATEWAYS;
import static dev.mooring.depwebhook.endpoint.WebhookEnvironment.MACHINES;
import static dev.mooring.depwebhook.endpoint.WebhookEnvironment.VPCS;
import static dev.mooring.runtime.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.ListQuery;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the fields of a rule mean when something is deleted. */
abstract class ReferencesContract extends OnWebhookEnvironment {
  private static final ResourceType EVENTS = ResourceType.core("events");

  /** To be called before all tests. */
  static void enter(WebhookEnvironment landscape) throws Exception {
    land = landscape;
    land.rule("plain", MACHINES, "{path: .spec.ref.name}", "vpcs", "regions");
    land.rule("listed", MACHINES, "{path: '.spec.nics[*].vpc'}", "vpcs");
    land.rule("quoted", MACHINES, "{path: \".metadata.annotations['example.com/vpc']\"}", "vpcs");
    land.rule(
        "across", MACHINES, "{path: .spec.far.name, namespacePath: .spec.far.namespace}", "vpcs");
    land.rule("typed", MACHINES, "{path: .spec.typed.name, match: {kind: VPC}}", "vpcs");
    land.rule(
        "computed",
        MACHINES,
        "{expression: \"has(object.spec.link) ? [object.spec.link] : []\"}",
        "vpcs");
    land.rule(
        land.compute,
        "sometimes",
        "when: \"has(object.spec.power) && object.spec.power == 'on'\"",
        MACHINES,
        "{path: .spec.when.name}",
        "vpcs");
    land.rule(
        land.compute,
        "patient",
        "whileTerminating: Ignore",
        MACHINES,
        "{path: .spec.patient.name}",
        "vpcs");
    land.rule(land.compute, "warns", "mode: Warn", GATEWAYS, "{path: .spec.warn.name}", "vpcs");
    land.rule(land.compute, "audits", "mode: Audit", GATEWAYS, "{path: .spec.audit.name}", "vpcs");
    land.guard(land.serve(10));
  }

  @Test
  void findsANameInAnyItemOfAList() {
    land.create(VPCS, "default", "item", "");
    machine(
        "default", "vm-item", Map.of("nics", List.of(Map.of("vpc", "x"), Map.of("vpc", "item"))));

    land.assertRefused(
        VPCS,
        "default",
        "item",
        "cannot delete vpcs/item: still referenced by VirtualMachine/vm-item");
  }

  @Test
  void findsANameUnderAQuotedKey() {
    land.create(VPCS, "default", "quoted", "");
    machine("default", "vm-quoted", Map.of());
    land.annotate(MACHINES, "default", "vm-quoted", "example.com/vpc", "quoted");

    land.assertRefused(
        VPCS,
        "default",
        "quoted",
        "cannot delete vpcs/quoted: still referenced by VirtualMachine/vm-quoted");
  }

  @Test
  void findsReferencesFromOtherNamespaces() {
    land.namespace("far");
    land.create(VPCS, "default", "near", "");
    land.create(VPCS, "far", "near", "");
    machine("far", "vm-far", Map.of("far", Map.of("name", "near", "namespace", "default")));

    land.assertRefused(
        VPCS,
        "default",
        "near",
        "cannot delete vpcs/near: still referenced by VirtualMachine/vm-far");
    land.assertDeletable(VPCS, "far", "near");
  }

  @Test
  void takesTheDependentsNamespaceWhereNoneIsNamed() {
    land.create(VPCS, "default", "own", "");
    machine("default", "vm-own", Map.of("far", Map.of("name", "own")));

    land.assertRefused(
        VPCS,
        "default",
        "own",
        "cannot delete vpcs/own: still referenced by VirtualMachine/vm-own");
  }

  @Test
  void tellsTypedReferencesApart() {
    land.create(VPCS, "default", "typed", "");
    machine("default", "vm-other-type", Map.of("typed", Map.of("kind", "Subnet", "name", "typed")));
    land.create(VPCS, "default", "matched", "");
    machine("default", "vm-matched", Map.of("typed", Map.of("kind", "VPC", "name", "matched")));

    land.assertDeletable(VPCS, "default", "typed");
    land.assertRefused(
        VPCS,
        "default",
        "matched",
        "cannot delete vpcs/matched: still referenced by VirtualMachine/vm-matched");
  }

  @Test
  void evaluatesExpressions() {
    land.create(VPCS, "default", "linked", "");
    machine("default", "vm-linked", Map.of("link", "linked"));

    land.assertRefused(
        VPCS,
        "default",
        "linked",
        "cannot delete vpcs/linked: still referenced by VirtualMachine/vm-linked");
  }

  @Test
  void countsADependentOnlyWhenTheRuleSaysSo() {
    land.create(VPCS, "default", "powered", "");
    machine("default", "vm-powered", Map.of("when", Map.of("name", "powered"), "power", "on"));
    land.create(VPCS, "default", "unpowered", "");
    machine("default", "vm-unpowered", Map.of("when", Map.of("name", "unpowered"), "power", "off"));

    land.assertRefused(
        VPCS,
        "default",
        "powered",
        "cannot delete vpcs/powered: still referenced by VirtualMachine/vm-powered");
    land.assertDeletable(VPCS, "default", "unpowered");
  }

  @Test
  void aTerminatingDependentCountsUnlessTheRuleIgnoresIt() {
    land.create(VPCS, "default", "awaited", "");
    machine("default", "vm-awaited", Map.of("ref", Map.of("name", "awaited")));
    terminating("vm-awaited");
    land.create(VPCS, "default", "ignored", "");
    machine("default", "vm-ignored", Map.of("patient", Map.of("name", "ignored")));
    terminating("vm-ignored");

    land.assertRefused(
        VPCS,
        "default",
        "awaited",
        "cannot delete vpcs/awaited: still referenced by VirtualMachine/vm-awaited");
    land.assertDeletable(VPCS, "default", "ignored");
    release("vm-awaited");
    release("vm-ignored");
  }

  @Test
  void aWarningRuleAllows() {
    land.create(VPCS, "default", "warned", "");
    land.create(land.consumer, GATEWAYS, "", "gw-warn", Map.of("warn", Map.of("name", "warned")));

    land.assertDeletable(VPCS, "default", "warned");
  }

  @Test
  void anAuditingRuleAllowsAndRecordsAnEvent() {
    land.create(VPCS, "default", "audited", "");
    land.create(
        land.consumer, GATEWAYS, "", "gw-audit", Map.of("audit", Map.of("name", "audited")));

    land.assertDeletable(VPCS, "default", "audited");

    await()
        .untilAsserted(() ->
            assertThat(
                    land.workspaces
                        .client(land.consumer)
                        .list(EVENTS, ListQuery.ALL.inNamespace("default"))
                        .items())
                .filteredOn(event -> event.text("involvedObject", "name").equals("audited"))
                .extracting(event -> event.text("reason") + ": " + event.text("message"))
                .containsExactly(
                    "DeletedWhileReferenced: vpcs/audited is still referenced by Gateway/gw-audit"));
  }

  private static void machine(String namespace, String name, Map<String, ?> spec) {
    land.create(land.consumer, MACHINES, namespace, name, spec);
  }

  private static void terminating(String name) {
    finalizers(name, List.of("example.com/held"));
    land.delete(MACHINES, "default", name);
    KubeObject held =
        land.workspaces.client(land.consumer).find(MACHINES, "default", name).orElseThrow();
    assertThat(held.deleting()).isTrue();
  }

  private static void release(String name) {
    finalizers(name, List.of());
  }

  private static void finalizers(String name, List<String> finalizers) {
    land.workspaces
        .client(land.consumer)
        .patch(MACHINES, "default", name, Map.of("metadata", Map.of("finalizers", finalizers)));
  }
}
