package dev.mooring.depwebhook.endpoint;

import static dev.mooring.depwebhook.endpoint.WebhookEnvironment.DENIED;
import static dev.mooring.depwebhook.endpoint.WebhookEnvironment.MACHINES;
import static dev.mooring.depwebhook.endpoint.WebhookEnvironment.REGIONS;
import static dev.mooring.depwebhook.endpoint.WebhookEnvironment.VPCS;
import static dev.mooring.runtime.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.ListQuery;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.context.ConfigurableApplicationContext;

/** Who may delete what is referenced, and what is left behind. */
abstract class BypassContract extends OnWebhookEnvironment {
  private static final ResourceType EVENTS = ResourceType.core("events");
  private static final ResourceType CONFIGURATIONS =
      new ResourceType("admissionregistration.k8s.io", "v1", "validatingwebhookconfigurations");
  private static ConfigurableApplicationContext service;
  private static ConfigurableApplicationContext early;

  /** To be called before all tests. */
  static void enter(WebhookEnvironment landscape) throws Exception {
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
    early = land.serveWithoutRules();
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
        .untilAsserted(
            () -> assertThat(reasons(in, "skipped")).containsExactly("ProtectionBypassed"));
  }

  @Test
  void anAnnotatedObjectGoesThoughANotifiedReplicaDoesNotKnowItsRules() {
    tell("/told");

    awaitDeletable(() -> notified() > 0);
  }

  /** It does not know the URL. */
  @Test
  void anAnnotatedObjectGoesThoughAnOlderReplicaIsNotified() {
    tell("/not-known-to-this-version");

    awaitDeletable(() -> unknown() > 0);
  }

  /** API servers take up a changed configuration after a moment. */
  private static void awaitDeletable(BooleanSupplier notified) {
    await()
        .until(() -> {
          String name = "let-go-" + Long.toString(System.nanoTime(), 36);
          land.create(VPCS, "default", name, "");
          land.create(MACHINES, "default", "vm-" + name, name);
          land.annotate(VPCS, "default", name, DependencyRule.SKIP_PROTECTION, "true");
          land.assertDeletable(VPCS, "default", name);
          return notified.getAsBoolean();
        });
  }

  /** Has kcp tell a replica, beside what else it asks, of deletions that annotations allow. */
  private static void tell(String path) {
    KubeClient network = land.workspaces.client(land.network);
    KubeObject there = network.find(CONFIGURATIONS, "", "dependency-controller").orElseThrow();
    Object asking = there.list("webhooks").getFirst();
    Map<String, Object> telling = Trees.thawMap(Trees.mapOrEmpty(asking));
    telling.put("name", "bypass-audit.dependencies.opendefense.cloud");
    telling.put("failurePolicy", "Ignore");
    telling.put(
        "matchConditions",
        List.of(
            Map.of(
                "name",
                "skipped",
                "expression",
                "has(oldObject.metadata.annotations)"
                    + " && '%1$s' in oldObject.metadata.annotations"
                        .formatted(DependencyRule.SKIP_PROTECTION))));
    telling.put(
        "clientConfig",
        Map.of(
            "url",
            "https://127.0.0.1:%d/validate/%s%s"
                .formatted(
                    WebhookEnvironment.port(early), land.workspaces.cluster(land.network), path),
            "caBundle",
            Trees.at(asking, "clientConfig", "caBundle")));
    network.update(CONFIGURATIONS, there.with(List.of(asking, telling), "webhooks"));
  }

  private static long notified() {
    return early
        .getBean(MeterRegistry.class)
        .get("mooring.dependency.webhook.reviews")
        .tag("decision", "notified")
        .timer()
        .count();
  }

  /** Requests by URLs that a replica does not know. */
  private static long unknown() {
    Timer timer =
        early
            .getBean(MeterRegistry.class)
            .find("http.server.requests")
            .tag("status", "404")
            .timer();
    return timer == null ? 0 : timer.count();
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
        .untilAsserted(() ->
            assertThat(
                    land.review(service, REGIONS, "", "locked", "depwh-alice")
                        .at("response", "allowed"))
                .isEqualTo(true));
  }

  @Test
  void withoutTheAnnotationNoPermissionIsChecked() {
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
