package dev.mooring.depcontroller.control;

import static dev.mooring.runtime.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depcontroller.guard.ProviderWorkspaceReconciler;
import dev.mooring.depcontroller.guard.decide.GuardSettings;
import dev.mooring.depcontroller.guard.decide.GuardSettings.FailurePolicy;
import dev.mooring.depcontroller.status.decide.StatusFacts.WebhookDelay;
import dev.mooring.depcontroller.workspace.WorkspaceAccess;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.runtime.testing.Manifests;
import dev.mooring.runtime.testing.TestWorkspaces;
import dev.mooring.runtime.time.Clocks;
import dev.mooring.runtime.time.SystemTime;
import dev.mooring.runtime.trace.Tracing;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A workspace of rules' API, a network provider and a compute provider with one rule. */
public record ControllerEnvironment(
    TestWorkspaces workspaces,
    WorkspacePath dependencies,
    WorkspacePath network,
    WorkspacePath compute) {
  static final Path KCP = Path.of("../charts/mooring/kcp");

  /** The type of rules as the Go program has had it, without a status. */
  static final Path OLDER_KCP = Path.of("src/test/resources/older-kcp");

  /** The controller's, as the manifests name it. */
  static final String USER = "mooring:dependency-controller";

  static final String WEBHOOK = "mooring:dependency-webhook";

  static final String RULE = "vm";
  static final String EXPORT = "dependencies.opendefense.cloud";
  static final ControllerTimings TIMINGS =
      new ControllerTimings(
          Duration.ofMinutes(10), WEBHOOK, WebhookDelay.DEFAULT, Duration.ofSeconds(75));

  public static final GuardSettings SETTINGS =
      new GuardSettings(
          "https://hook.example:9443/validate", "", FailurePolicy.FAIL, Duration.ofSeconds(10));

  /** Everything but the rule. */
  public static ControllerEnvironment prepare(TestWorkspaces workspaces) {
    return prepare(workspaces, KCP);
  }

  /**
   * @param api directory of the schema of rules and of its export
   */
  static ControllerEnvironment prepare(TestWorkspaces workspaces, Path api) {
    var env =
        new ControllerEnvironment(
            workspaces,
            workspaces.create("dc-deps"),
            workspaces.create("dc-network"),
            workspaces.create("dc-compute"));
    workspaces.create(env.dependencies, api.resolve("apiresourceschema.yaml"));
    workspaces.create(env.dependencies, api.resolve("apiexport.yaml"));
    workspaces.create(env.dependencies, KCP.resolve("rbac-dependency-workspace.yaml"));
    workspaces.create(env.compute, Exports.of("compute.example.com", "virtualmachines"));
    workspaces.create(env.network, Exports.of("network.example.com", "vpcs", "subnets"));
    for (WorkspacePath provider : List.of(env.compute, env.network)) {
      KubeObject binding = Manifests.read(KCP.resolve("provider-apibinding.yaml")).getFirst();
      workspaces.bind(
          provider, binding.with(env.dependencies.value(), "spec", "reference", "export", "path"));
    }
    return env;
  }

  /** What the controller needs outside the workspace of rules' API. */
  void grantToController() {
    workspaces.apply(WorkspacePath.ROOT, Manifests.read(KCP.resolve("rbac-parent-workspace.yaml")));
    grantInProviders();
  }

  void grantInProviders() {
    for (WorkspacePath provider : List.of(compute, network)) {
      workspaces.create(provider, KCP.resolve("rbac-provider-workspace.yaml"));
    }
  }

  /** As the controller's user. */
  KubeConnection connect() {
    return workspaces.connect(dependencies, USER);
  }

  static DependencyController controller(KubeConnection kcp) {
    return controller(kcp, () -> SETTINGS, () -> true);
  }

  static DependencyController controller(
      KubeConnection kcp, Supplier<GuardSettings> settings, BooleanSupplier leads) {
    return controller(SystemTime.clocks(), kcp, settings, TIMINGS, leads);
  }

  public static DependencyController controller(
      Clocks clocks,
      KubeConnection kcp,
      Supplier<GuardSettings> settings,
      ControllerTimings timings,
      BooleanSupplier leads) {
    return new DependencyController(
            clocks, Tracing.OFF, new WorkspaceAccess(kcp, ""), EXPORT, settings, 4, timings, leads)
        .start();
  }

  public void writeRule(String resource) {
    workspaces.create(compute, DependencyRule.TYPE, rule(resource));
  }

  /** In addition to {@link #RULE}. */
  public void writeRule(String resource, String name) {
    workspaces.create(compute, DependencyRule.TYPE, rule(resource).with(name, "metadata", "name"));
  }

  /** As older versions of the Go program have it. */
  void writeOlderRule(String resource) {
    KubeObject rule = rule(resource);
    Map<String, Object> dependent = Trees.thawMap(rule.map("spec", "dependent"));
    Object export = dependent.remove("apiExportName");
    dependent.put("apiExportRef", Map.of("path", compute.value(), "name", export));
    workspaces.create(compute, DependencyRule.TYPE, rule.with(dependent, "spec", "dependent"));
  }

  /** About a resource of another provider than {@link #network}. */
  void writeRule(String resource, WorkspacePath provider) {
    workspaces.create(compute, DependencyRule.TYPE, rule(resource, provider));
  }

  public void editRule(String resource) {
    editRule(resource, network);
  }

  /** From now on about a resource of another provider than {@link #network}. */
  void editRule(String resource, WorkspacePath provider) {
    Map<String, Object> spec = rule(resource, provider).map("spec");
    workspaces.patch(compute, DependencyRule.TYPE, "", RULE, Map.of("spec", spec));
  }

  void deleteRule() {
    workspaces.delete(compute, DependencyRule.TYPE, "", RULE);
  }

  KubeObject found() {
    return workspaces.client(compute).find(DependencyRule.TYPE, "", RULE).orElseThrow();
  }

  /** The condition of the rule; empty if it has none of this type. */
  Optional<Object> condition(String type) {
    return found().list("status", "conditions").stream()
        .filter(condition -> type.equals(Trees.at(condition, "type")))
        .findFirst();
  }

  /** Until the rule has such a condition, whose message says all of this. */
  void awaitCondition(String type, String status, String reason, String... words) {
    await()
        .untilAsserted(() ->
            assertThat(condition(type))
                .hasValueSatisfying(condition -> {
                  assertThat(Trees.at(condition, "status")).isEqualTo(status);
                  assertThat(Trees.at(condition, "reason")).isEqualTo(reason);
                  assertThat(List.of(words))
                      .allSatisfy(word ->
                          assertThat(Trees.at(condition, "message")).asString().contains(word));
                }));
  }

  Optional<KubeObject> configuration() {
    return configuration(network);
  }

  /** Of a provider's workspace. */
  Optional<KubeObject> configuration(WorkspacePath provider) {
    return workspaces
        .client(provider)
        .find(ProviderWorkspaceReconciler.CONFIGURATIONS, "", GuardSettings.CONFIGURATION);
  }

  /** Whether deletions of this resource, and of no other, are asked about. */
  public boolean guardsOnly(String resource) {
    List<Object> rules =
        configuration().stream()
            .flatMap(found -> found.list("webhooks").stream())
            .flatMap(entry -> Trees.listOrEmpty(Trees.at(entry, "rules")).stream())
            .toList();
    return !rules.isEmpty()
        && rules.stream()
            .allMatch(
                rule -> Trees.listOrEmpty(Trees.at(rule, "resources")).equals(List.of(resource)));
  }

  /** The first webhook of the provider's configuration; null before there is one. */
  public @Nullable Object firstWebhook() {
    return configuration().stream()
        .flatMap(found -> found.list("webhooks").stream())
        .findFirst()
        .orElse(null);
  }

  private KubeObject rule(String resource) {
    return rule(resource, network);
  }

  private KubeObject rule(String resource, WorkspacePath provider) {
    return Manifests.parse(
            """
            apiVersion: dependencies.opendefense.cloud/v1alpha1
            kind: DependencyRule
            metadata: {name: %s}
            spec:
              dependent: {apiExportName: compute.example.com, group: compute.example.com, version: v1alpha1, kind: VirtualMachine, resource: virtualmachines}
              dependencies:
                - apiExportRef: {path: "%s", name: network.example.com}
                  group: network.example.com
                  version: v1alpha1
                  resource: %s
                  fieldRef: {path: .spec.ref.name}
            """
                .formatted(RULE, provider, resource))
        .getFirst();
  }
}
