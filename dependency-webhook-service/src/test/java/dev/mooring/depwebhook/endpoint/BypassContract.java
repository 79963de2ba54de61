package dev.mooring.depwebhook.endpoint;

import static dev.mooring.depwebhook.endpoint.Landscape.DENIED;
import static dev.mooring.depwebhook.endpoint.Landscape.MACHINES;
import static dev.mooring.depwebhook.endpoint.Landscape.REGIONS;
import static dev.mooring.depwebhook.endpoint.Landscape.VPCS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.ListQuery;
import dev.mooring.runtime.testing.TestWorkspaces;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.context.ConfigurableApplicationContext;

/** Who may delete what is referenced, and what is left behind. */
abstract class BypassContract {
  private static final ResourceType EVENTS = ResourceType.core("events");
  private static Landscape land;
  private static ConfigurableApplicationContext service;

  /** To be called before all tests. */
  static void enter(Landscape landscape) throws Exception {
    land = landscape;
    land.rule("open", MACHINES, "{path: .spec.ref.name}", "vpcs");
    land.rule(
        land.compute,
        "locked",
        "bypass: RequirePermission",
        MACHINES,
        "{path: .spec.ref.name}",
        "regions");
    service = land.serve(2);
    land.guard(service);
  }

  @AfterAll
  static void leave() {
    if (land != null) {
      land.close();
      land = null;
    }
  }

  /** One on each shard. */
  static Stream<WorkspacePath> consumers() {
    return land.consumers.stream();
  }

  @ParameterizedTest
  @MethodSource("consumers")
  void anAnnotatedObjectGoesAndLeavesAnEvent(WorkspacePath in) {
    land.create(in, VPCS, "default", "skipped", "");
    land.create(in, MACHINES, "default", "vm-skipped", "skipped");
    assertThat(land.refusal(in, VPCS, "default", "skipped")).contains("vm-skipped");
    land.annotate(in, VPCS, "default", "skipped", DependencyRule.SKIP_PROTECTION, "true");

    land.assertDeletable(in, VPCS, "default", "skipped");

    await()
        .atMost(TestWorkspaces.PATIENCE)
        .untilAsserted(
            () -> assertThat(reasons(in, "skipped")).containsExactly("ProtectionBypassed"));
  }

  @Test
  void anAnnotationCountsUntilItsEnd() {
    land.create(VPCS, "default", "timed", "");
    land.create(MACHINES, "default", "vm-timed", "timed");
    land.annotate(
        VPCS, "default", "timed", DependencyRule.SKIP_PROTECTION, "until=2001-01-01T00:00:00Z");
    land.assertRefused(
        VPCS,
        "default",
        "timed",
        "cannot delete vpcs/timed: still referenced by VirtualMachine/vm-timed; not bypassed: the"
            + " annotation does not count: it ended at 2001-01-01T00:00:00Z");

    land.annotate(
        VPCS, "default", "timed", DependencyRule.SKIP_PROTECTION, "until=2999-01-01T00:00:00Z");

    land.assertDeletable(VPCS, "default", "timed");
  }

  @Test
  void aLockedRuleAsksTheTargetsProviderWhoMayBypassIt() throws Exception {
    land.create(REGIONS, "", "locked", "");
    land.create(MACHINES, "default", "vm-locked", "locked");
    land.annotate(REGIONS, "", "locked", DependencyRule.SKIP_PROTECTION, "true");

    assertThat(message(land.review(service, REGIONS, "", "locked", "depwh-alice")))
        .isEqualTo(
            "cannot delete regions/locked: still referenced by VirtualMachine/default/vm-locked;"
                + " not bypassed: user depwh-alice needs permission to bypass"
                + " dependencyrules.dependencies.opendefense.cloud locked in workspace "
                + land.network);

    land.workspaces.create(
        land.network,
        """
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRole
        metadata: {name: may-bypass}
        rules:
        - {apiGroups: [dependencies.opendefense.cloud], resources: [dependencyrules], resourceNames: [locked], verbs: [bypass]}
        - {nonResourceURLs: ["/"], verbs: [access]}
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRoleBinding
        metadata: {name: may-bypass}
        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: may-bypass}
        subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: depwh-alice}]
        """);

    await()
        .atMost(TestWorkspaces.PATIENCE)
        .untilAsserted(() ->
            assertThat(
                    land.review(service, REGIONS, "", "locked", "depwh-alice")
                        .at("response", "allowed"))
                .isEqualTo(true));
  }

  @Test
  void withoutTheAnnotationNobodyIsAsked() {
    land.create(REGIONS, "", "plain", "");
    land.create(MACHINES, "default", "vm-plain", "plain");

    assertThat(land.refusal(land.consumer, REGIONS, "", "plain"))
        .isEqualTo(
            DENIED
                + "cannot delete regions/plain: still referenced by"
                + " VirtualMachine/default/vm-plain");
  }

  private static List<String> reasons(WorkspacePath in, String name) {
    return land
        .workspaces
        .client(in)
        .list(EVENTS, ListQuery.ALL.inNamespace("default"))
        .items()
        .stream()
        .filter(event -> event.text("involvedObject", "name").equals(name))
        .map(event -> event.text("reason"))
        .toList();
  }

  private static String message(KubeObject review) {
    assertThat(review.at("response", "allowed")).isEqualTo(false);
    return review.text("response", "status", "message");
  }
}
