package dev.mooring.depcontroller.control;

import static dev.mooring.runtime.testing.Eventually.await;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.depcontroller.guard.ProviderWorkspaceReconciler;
import dev.mooring.depcontroller.guard.decide.GuardSettings;
import dev.mooring.depcontroller.guard.decide.GuardSettings.FailurePolicy;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.ExportFacts;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.ListQuery;
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.runtime.testing.Manifests;
import dev.mooring.runtime.testing.TestWorkspaces;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the controller makes of rules, on whatever kcp a subclass starts or finds. */
abstract class DependencyControllerContract {
  private static final Path KCP = ControllerEnvironment.KCP;
  private static final Path PROVIDER_RIGHTS = KCP.resolve("rbac-provider-workspace.yaml");
  static final String EXPORT = ControllerEnvironment.EXPORT;
  static final ResourceType SLICES =
      new ResourceType("apis.kcp.io", "v1alpha1", "apiexportendpointslices");
  private static final String[] DEPENDENCIES = {"spec", "dependencies"};

  static TestWorkspaces workspaces;
  static WorkspacePath dependencies;
  static KubeConnection kcp;

  private volatile GuardSettings settings = settings("https://hook.example:9443/validate", "Q0E=");

  /** How many providers have been reconciled, each as often as it was. */
  private final AtomicInteger reconciled = new AtomicInteger();

  private volatile boolean leads = true;
  DependencyController controller;
  WorkspacePath network;
  private WorkspacePath compute;

  /** To be called before all tests. */
  static void enter(TestWorkspaces given) {
    workspaces = given;
    workspaces.apply(WorkspacePath.ROOT, Manifests.read(KCP.resolve("rbac-parent-workspace.yaml")));
    dependencies = workspaces.create("dc-deps");
    workspaces.create(dependencies, KCP.resolve("apiresourceschema.yaml"));
    workspaces.create(dependencies, KCP.resolve("apiexport.yaml"));
    workspaces.create(dependencies, KCP.resolve("rbac-dependency-workspace.yaml"));
    kcp = workspaces.connect(dependencies, ControllerEnvironment.USER);
  }

  @AfterAll
  static void leave() {
    if (workspaces != null) {
      kcp.close();
      workspaces.close();
      workspaces = null;
    }
  }

  @BeforeEach
  void start() {
    network = target(_ -> true);
    compute = author(_ -> true);
    controller = controller();
  }

  /** A workspace that offers what rules protect, on such a shard. */
  final WorkspacePath target(Predicate<String> shard) {
    WorkspacePath made = workspace("dc-network", shard);
    workspaces.create(made, Exports.of("network.example.com", "vpcs", "subnets"));
    return made;
  }

  private static WorkspacePath workspace(String name, Predicate<String> shard) {
    WorkspacePath made = workspaces.create(name);
    // Where a workspace goes is a matter of its cluster's random name.
    while (!shard.test(workspaces.shard(made))) {
      made = workspaces.create(name);
    }
    workspaces.create(made, PROVIDER_RIGHTS);
    return made;
  }

  /** A workspace that may write rules about virtual machines, on such a shard. */
  final WorkspacePath author(Predicate<String> shard) {
    WorkspacePath made = workspace("dc-compute", shard);
    workspaces.create(made, Exports.of("compute.example.com", "virtualmachines"));
    bind(made);
    return made;
  }

  @AfterEach
  void stop() {
    controller.close();
    // Paths that nobody can look up would hold up the controllers of all tests that follow.
    for (KubeObject rule :
        workspaces.client(compute).list(DependencyRule.TYPE, ListQuery.ALL).items()) {
      delete(rule.name());
    }
  }

  @Test
  void installsWhatARuleProtectsEvenIfTheProviderBindsLater() {
    write(rule("vm", "vpcs", "subnets"));
    awaitCondition("vm", "WebhooksInstalled", "False", "ProviderNotBound");

    bind(network);

    awaitProtected("subnets", "vpcs");
    awaitCondition("vm", "Ready", "True", "Protected");
  }

  @Test
  void saysThatAClaimWithASelectorHidesTheConfigurationAndGoesOnOnceItDoesNot() {
    bind(network);
    write(rule("vm", "vpcs"));
    awaitCondition("vm", "Ready", "True", "Protected");

    accept(Map.of("matchLabels", Map.of("share", "yes")));
    awaitCondition("vm", "WebhooksInstalled", "False", "ClaimNarrowed");
    assertThat(protectedNow()).containsExactly("vpcs");
    await().until(() -> controller.overview().queue().failing() == 0);
    edit("vm", rule("vm", "subnets"));
    accept(Map.of("matchAll", true));

    awaitCondition("vm", "Ready", "True", "Protected");
    awaitProtected("subnets");
  }

  /** The claim of the target's provider, as it was answered when it was bound. */
  private void accept(Map<String, Object> selector) {
    KubeObject binding = Manifests.read(KCP.resolve("provider-apibinding.yaml")).getFirst();
    var claim =
        new LinkedHashMap<>(Trees.mapOrEmpty(binding.list("spec", "permissionClaims").getFirst()));
    claim.put("selector", selector);
    workspaces.patch(
        network,
        ProviderWorkspaceReconciler.BINDINGS,
        "",
        binding.name(),
        Map.of("spec", Map.of("permissionClaims", List.of(claim))));
  }

  @Test
  void stopsInterceptingWhatARuleNoLongerNames() {
    bind(network);
    write(rule("vm", "vpcs", "subnets"));
    awaitProtected("subnets", "vpcs");

    edit("vm", rule("vm", "subnets"));

    awaitProtected("subnets");
  }

  @Test
  void unitesRulesAndKeepsWhatTheOthersSayWhenOneGoes() {
    bind(network);
    write(rule("vm", "vpcs"));
    write(rule("lb", "vpcs", "subnets"));
    awaitProtected("subnets", "vpcs");

    delete("lb");

    awaitProtected("vpcs");
  }

  @Test
  void removesWhatRulesLeftThatWentWhileItWasAway() {
    bind(network);
    write(rule("vm", "vpcs"));
    awaitProtected("vpcs");
    controller.close();
    delete("vm");

    controller = controller();

    await().until(() -> configuration().isEmpty());
  }

  @Test
  void removesWhatRulesLeftWhileAnotherRulesPathCannotBeLookedUp() {
    bind(network);
    write(rule("vm", "vpcs"));
    awaitProtected("vpcs");
    write(
        rule("typo", "vpcs")
            .with(
                List.of(
                    dependency(WorkspacePath.ROOT.child("nope").child(network.name()), "vpcs"),
                    dependency(new WorkspacePath("rot:" + network.name()), "vpcs")),
                "spec",
                "dependencies"));
    awaitCondition("typo", "TargetsResolved", "Unknown", "ProviderNotBound");

    delete("vm");

    await().until(() -> configuration().isEmpty());
    assertThat(controller.overview().shrinkBlockedBy()).isEmpty();
  }

  @Test
  void writesNothingWhenItStartsAgain() {
    bind(network);
    write(rule("vm", "vpcs"));
    write(rule("lb", "subnets", "vpcs"));
    write(rule("rogue", "vpcs").with("no.such.export", "spec", "dependent", "apiExportName"));
    awaitProtected("subnets", "vpcs");
    awaitCondition("vm", "Ready", "True", "Protected");
    awaitCondition("lb", "Ready", "True", "Protected");
    awaitCondition("rogue", "Ready", "False", "DependentExportNotFound");
    String before = configuration().orElseThrow().resourceVersion();
    String status = found("vm").resourceVersion();
    controller.close();

    controller = controller();

    await().until(() -> controller.overview().installations().size() > 0 && idle());
    assertThat(configuration().orElseThrow().resourceVersion()).isEqualTo(before);
    assertThat(found("vm").resourceVersion()).isEqualTo(status);
  }

  @Test
  void reconcilesNoProviderThatAChangeDoesNotConcern() {
    bind(network);
    write(rule("vm", "vpcs"));
    awaitCondition("vm", "Ready", "True", "Protected");
    await().until(this::idle);
    int before = reconciled.get();

    workspaces.create(network, Exports.of("storage.example.com", "volumes"));
    workspaces.create(network, Exports.of("dns.example.com", "zones"));
    await().until(() -> controller.overview().exports().containsValue("3 exports") && idle());

    assertThat(reconciled).hasValue(before);
  }

  @Test
  void correctsTheUrlAndTheCaOfWhatIsInstalled() {
    bind(network);
    write(rule("vm", "vpcs"));
    awaitProtected("vpcs");

    settings = settings("https://other.example:9443/validate", "T1RIRVI=");
    controller.resync();

    await()
        .untilAsserted(() ->
            assertThat(
                    Trees.at(
                        configuration().orElseThrow().list("webhooks").getFirst(), "clientConfig"))
                .isEqualTo(
                    Map.of(
                        "url",
                        "https://other.example:9443/validate/" + workspaces.cluster(network),
                        "caBundle",
                        "T1RIRVI=")));
  }

  @Test
  void saysNothingOfProvidersWhileAnotherReplicaLooksAfterThem() {
    bind(network);
    write(rule("vm", "vpcs"));
    awaitProtected("vpcs");
    await().until(() -> !controller.overview().installations().isEmpty());

    leads = false;
    controller.resync();
    await().until(() -> controller.overview().installations().isEmpty());

    leads = true;
    controller.resync();
    await().until(() -> !controller.overview().installations().isEmpty());
    awaitProtected("vpcs");
  }

  @Test
  void restoresADeletedWebhookConfiguration() {
    bind(network);
    write(rule("vm", "vpcs"));
    awaitProtected("vpcs");
    String first = configuration().orElseThrow().uid();

    workspaces
        .client(network)
        .delete(
            ProviderWorkspaceReconciler.CONFIGURATIONS,
            "",
            GuardSettings.CONFIGURATION,
            new DeleteCondition.SameObject(first));

    await()
        .until(
            () -> configuration().map(KubeObject::uid).filter(u -> !u.equals(first)).isPresent());
  }

  @Test
  void namesAWorkspaceThatDoesNotExist() {
    KubeObject rule =
        rule("typo", "vpcs")
            .with(
                List.of(dependency(WorkspacePath.ROOT.child("no-such-workspace"), "vpcs")),
                "spec",
                "dependencies");

    write(rule);

    awaitProblemMessage("typo", "WorkspaceNotFound", "there is no workspace root:no-such");
  }

  @Test
  void namesTheFirstWorkspaceThatDoesNotExistOnTheWayToOne() {
    WorkspacePath nope = WorkspacePath.ROOT.child("nope");
    write(rule("child", "vpcs").with(List.of(dependency(nope.child("x"), "vpcs")), DEPENDENCIES));
    WorkspacePath parent = workspaces.create("dc-parent");
    workspaces.apply(parent, Manifests.read(KCP.resolve("rbac-parent-workspace.yaml")));
    WorkspacePath deep = parent.child("nope").child("a").child("b").child("c");
    write(rule("deep", "vpcs").with(List.of(dependency(deep, "vpcs")), DEPENDENCIES));

    awaitProblemMessage(
        "child",
        "WorkspaceUnreadable",
        "there is no workspace root:nope (the parent of root:nope:x): create it, or correct"
            + " apiExportRef.path");
    awaitProblemMessage(
        "deep",
        "WorkspaceUnreadable",
        "there is no workspace " + parent.child("nope") + " (above " + deep + "): ");
  }

  /** What the operator reads of a rule, once the workspaces above have been asked. */
  private void awaitProblemMessage(String rule, String reason, String words) {
    var key = new ObjectKey(workspaces.cluster(compute), "", rule);
    await()
        .untilAsserted(() ->
            assertThat(controller.overview().ruleProblems().get(key))
                .isNotNull()
                .satisfies(ruleProblem -> {
                  assertThat(ruleProblem.reason()).isEqualTo(reason);
                  assertThat(ruleProblem.message()).contains(words);
                }));
  }

  @Test
  void saysOfAPathOfOneSegmentThatItIsTakenForALogicalCluster() {
    var lone = new WorkspacePath("network");
    write(rule("lone", "vpcs").with(List.of(dependency(lone, "vpcs")), DEPENDENCIES));

    awaitProblemMessage(
        "lone", "ProviderNotBound", "; network is taken for the name of a logical cluster: if it");
  }

  /** Whoever may write rules could otherwise ask by their status what other workspaces have. */
  @Test
  void showsAnAuthorTheSameOfEveryTargetWhoseProviderDoesNotBind() {
    WorkspacePath closed = workspaces.create("dc-closed");
    workspaces.create(closed, Exports.of("network.example.com", "vpcs"));
    allowDependents(closed, "");
    var targets = new TreeMap<String, Map<String, Object>>();
    targets.put("no-workspace", dependency(WorkspacePath.ROOT.child("no-such-workspace"), "vpcs"));
    targets.put("no-parent", dependency(WorkspacePath.ROOT.child("nope").child("x"), "vpcs"));
    targets.put("no-child", dependency(network.child("nested"), "vpcs"));
    targets.put(
        "no-export",
        KubeObject.of(dependency(network, "vpcs"))
            .with("other.example.com", "apiExportRef", "name")
            .tree());
    targets.put("no-type", dependency(network, "routers"));
    targets.put("not-allowed", dependency(closed, "vpcs"));
    targets.put("not-bound", dependency(network, "vpcs"));

    targets.forEach((name, target) ->
        write(
            rule(name, "vpcs")
                .with("strict", "spec", "raceProtection")
                .with(List.of(target), DEPENDENCIES)));

    awaitCondition("not-bound", "WebhooksInstalled", "False", "ProviderNotBound");
    String unbound = shown("not-bound", targets.get("not-bound"));
    await()
        .untilAsserted(() ->
            assertThat(targets)
                .allSatisfy((name, target) -> assertThat(shown(name, target)).isEqualTo(unbound)));
    assertThat(configuration(compute)).as("which authors can read as well").isEmpty();
    awaitProblemMessage("no-workspace", "WorkspaceNotFound", "no-such-workspace");
    awaitProblemMessage("no-parent", "WorkspaceUnreadable", "root:nope");
    awaitProblemMessage("not-bound", "ProviderNotBound", "logical cluster");
  }

  /** The status of a rule, without times and what its author wrote. */
  private String shown(String rule, Map<String, Object> target) {
    return found(rule)
        .map("status")
        .toString()
        .replaceAll("lastTransitionTime=[^,}]*", "")
        .replace(Trees.textOrEmpty(Trees.at(target, "apiExportRef", "path")), "PATH")
        .replace(Trees.textOrEmpty(Trees.at(target, "resource")), "RESOURCE");
  }

  @Test
  void followsAWorkspaceThatWasDeletedAndMadeAgain() {
    bind(network);
    write(rule("vm", "vpcs"));
    awaitProtected("vpcs");

    workspaces.recreate(network);
    workspaces.create(network, PROVIDER_RIGHTS);
    awaitCondition("vm", "WebhooksInstalled", "False", "ProviderNotBound");
    bind(network);
    awaitCondition("vm", "TargetsResolved", "False", "TargetExportNotFound");
    workspaces.create(network, Exports.of("network.example.com", "vpcs", "subnets"));

    awaitProtected("vpcs");
  }

  @Test
  void installsNothingForARuleThatMayNotSayWhatItSays() {
    bind(network);
    KubeObject rogue =
        rule("rogue", "vpcs").with("no.such.export", "spec", "dependent", "apiExportName");
    write(rogue);
    write(rule("honest", "subnets"));
    awaitCondition("rogue", "Accepted", "False", "DependentExportNotFound");

    awaitProtected("subnets");
    awaitCondition("honest", "Ready", "True", "Protected");

    workspaces.create(compute, Exports.of("no.such.export", "virtualmachines"));
    awaitCondition("rogue", "Accepted", "False", "DependentNotExported");
    assertThat(protectedNow()).containsExactly("subnets");
  }

  @Test
  void letsATargetsProviderSayWhoMayReferToIt() {
    bind(network);
    write(rule("vm", "vpcs"));
    awaitProtected("vpcs");

    allowDependents("root:somebody:else.example.com");
    awaitCondition("vm", "TargetsResolved", "False", "DependentNotAllowed");
    await().until(() -> configuration().isEmpty());

    allowDependents("root:somebody:else.example.com, " + compute.value() + ":compute.example.com");
    awaitProtected("vpcs");
    awaitCondition("vm", "Ready", "True", "Protected");
  }

  @Test
  void takesTheOlderReferenceToTheDependentsExportLikeItsName() {
    bind(network);
    write(older("vm", "compute.example.com"));
    awaitProtected("vpcs");
    awaitCondition("vm", "Ready", "True", "Protected");

    write(older("rogue", "no.such.export"));
    awaitCondition("rogue", "Accepted", "False", "DependentExportNotFound");
  }

  /** A rule as the Go program has had it, about VPCs. */
  private KubeObject older(String name, String export) {
    KubeObject rule = rule(name, "vpcs");
    var dependent = new TreeMap<>(rule.map("spec", "dependent"));
    dependent.remove("apiExportName");
    dependent.put("apiExportRef", Map.of("path", compute.value(), "name", export));
    return rule.with(dependent, "spec", "dependent");
  }

  @Test
  void namesATargetThatItsExportDoesNotHave() {
    bind(network);
    write(rule("vm", "vpcs", "routers"));

    awaitCondition("vm", "TargetsResolved", "False", "TargetNotExported");
    awaitProtected("vpcs");
  }

  @Test
  void saysThatTheVersionOfARuleIsNotServedAndProtectsAllTheSame() {
    bind(network);
    write(rule("vm", "vpcs").with("v2", "spec", "dependent", "version"));

    awaitCondition("vm", "Accepted", "False", "DependentVersionNotServed");
    awaitProtected("vpcs");

    edit("vm", rule("vm", "vpcs"));
    awaitCondition("vm", "Ready", "True", "Protected");
  }

  @Test
  void followsTheSchemaOfTheDependentsAndProtectsAllTheSame() {
    bind(network);
    write(rule("vm", "vpcs"));
    awaitCondition("vm", "Ready", "True", "Protected");

    serve("v2", "reff");
    awaitCondition("vm", "Accepted", "False", "FieldNotInSchema");
    assertThat(found("vm").list("status", "dependencies").getFirst())
        .isEqualTo(
            Map.of(
                "path",
                network.value(),
                "resource",
                "vpcs.network.example.com",
                "logicalCluster",
                workspaces.cluster(network).name(),
                "state",
                "FieldNotInSchema",
                "message",
                "spec.dependencies[0].fieldRef.path: .spec has no field \"ref\" (did you mean"
                    + " \"reff\"?)"));
    assertThat(protectedNow()).containsExactly("vpcs");

    serve("v3", "ref");
    awaitCondition("vm", "Ready", "True", "Protected");
  }

  /** Has the export of the dependents serve a schema that has one reference. */
  private void serve(String prefix, String reference) {
    String schema = prefix + ".virtualmachines.compute.example.com";
    workspaces.create(
        compute,
        """
        apiVersion: apis.kcp.io/v1alpha1
        kind: APIResourceSchema
        metadata: {name: %s}
        spec:
          group: compute.example.com
          scope: Namespaced
          names:
            plural: virtualmachines
            singular: virtualmachines-one
            kind: Kvirtualmachines
            listKind: KvirtualmachinesList
          versions:
          - name: v1alpha1
            served: true
            storage: true
            schema:
              type: object
              properties:
                spec:
                  type: object
                  properties:
                    %s: {type: object, properties: {name: {type: string}}}
        """
            .formatted(schema, reference));
    Map<String, Object> entry =
        Map.of(
            "group",
            "compute.example.com",
            "name",
            "virtualmachines",
            "schema",
            schema,
            "storage",
            Map.of("crd", Map.of()));
    workspaces.patch(
        compute,
        ExportFacts.TYPE,
        "",
        "compute.example.com",
        Map.of("spec", Map.of("resources", List.of(entry))));
  }

  @Test
  void namesTheCycleOfRulesThatKeepEachOtherBusy() {
    bind(network);
    write(rule("vm", "vpcs"));
    KubeObject backwards =
        rule("backwards", "subnets")
            .with("network.example.com", "spec", "dependent", "apiExportName")
            .with("network.example.com", "spec", "dependent", "group")
            .with("vpcs", "spec", "dependent", "resource")
            .with(
                List.of(
                    KubeObject.of(dependency(compute, "virtualmachines"))
                        .with("compute.example.com", "group")
                        .with("compute.example.com", "apiExportRef", "name")
                        .tree()),
                "spec",
                "dependencies");

    workspaces.create(network, DependencyRule.TYPE, backwards);

    awaitCondition("vm", "Cyclic", "True", "DependencyCycle");
    awaitProtected("vpcs");
  }

  @Test
  void guardsReferencesOfARuleUnderRaceProtection() {
    bind(network);
    settings = ControllerEnvironment.SETTINGS;
    write(rule("vm", "vpcs").with("strict", "spec", "raceProtection"));
    awaitProtected("vpcs");

    awaitCondition("vm", "RaceProtected", "Unknown", "Settling");

    KubeObject own = configuration(compute).orElseThrow();
    assertThat(entries(own))
        .containsExactly("references Fail 10 CREATE,UPDATE v1alpha1 virtualmachines");
    edit("vm", rule("vm", "vpcs").with("none", "spec", "raceProtection"));
    await().until(() -> configuration(compute).isEmpty());
    assertThat(protectedNow()).containsExactly("vpcs");
  }

  @Test
  void guardsReferencesInTheStatusWhereARuleUnderRaceProtectionReadsIt() {
    bind(network);
    write(
        rule("vm", "vpcs")
            .with("strict", "spec", "raceProtection")
            .with("has(object.status) && object.status.up", "spec", "when"));

    await()
        .untilAsserted(() ->
            assertThat(configuration(compute).map(DependencyControllerContract::entries))
                .contains(
                    List.of(
                        "references Ignore 10 CREATE,UPDATE v1alpha1"
                            + " virtualmachines,virtualmachines/status")));
  }

  @Test
  void leavesTheBypassToTheWebhookWhereARuleWantsPermission() {
    bind(network);
    write(rule("vm", "vpcs"));
    awaitEntries("dependency-controller", "bypass-audit");

    edit("vm", rule("vm", "vpcs").with("RequirePermission", "spec", "bypass"));

    awaitEntries("dependency-controller");
    assertThat(protectedNow()).containsExactly("vpcs");
    assertThat(
            Trees.at(configuration().orElseThrow().list("webhooks").getFirst(), "matchConditions"))
        .isNull();
  }

  @Test
  void aRuleThatOnlyAuditsRefusesNothingWhileTheWebhookIsAway() {
    bind(network);
    var vpcs = new ResourceType("network.example.com", "v1alpha1", "vpcs");
    WorkspacePath consumer = workspaces.create("dc-consumer");
    workspaces.bind(consumer, Exports.binding(network, "network.example.com"));
    KubeObject vpc =
        KubeObject.of(
            Map.of(
                "apiVersion", vpcs.apiVersion(),
                "kind", "Kvpcs",
                "metadata",
                    Map.of(
                        "name", "main",
                        "namespace", "default",
                        "finalizers", List.of("example.com/held"))));
    settings =
        new GuardSettings(
            "https://127.0.0.1:9/validate", "", FailurePolicy.FAIL, Duration.ofSeconds(10));
    write(rule("vm", "vpcs"));
    awaitProtected("vpcs");
    workspaces.create(consumer, vpcs, vpc);
    await()
        .untilAsserted(() ->
            assertThatThrownBy(() -> delete(consumer, vpcs))
                .hasMessageContaining("calling webhook"));

    edit("vm", rule("vm", "vpcs").with("Audit", "spec", "mode"));

    awaitEntries("advisory");
    await().untilAsserted(() -> delete(consumer, vpcs));
    workspaces.patch(
        consumer, vpcs, "default", "main", Map.of("metadata", Map.of("finalizers", List.of())));
  }

  private static void delete(WorkspacePath consumer, ResourceType type) {
    workspaces.delete(consumer, type, "default", "main");
  }

  @Test
  void keepsProtectingWhileTheEndpointSliceIsRecreated() {
    bind(network);
    write(rule("vm", "vpcs"));
    awaitProtected("vpcs");
    awaitCondition("vm", "Ready", "True", "Protected");
    KubeObject installed = configuration().orElseThrow();
    String slice = slice().orElseThrow().uid();

    workspaces
        .client(dependencies)
        .delete(SLICES, "", EXPORT, new DeleteCondition.SameObject(slice));

    await()
        .until(() ->
            slice()
                .filter(made -> !made.uid().equals(slice))
                .filter(made -> !made.list("status", "endpoints").isEmpty())
                .isPresent());
    edit("vm", rule("vm", "subnets", "vpcs"));
    awaitProtected("subnets", "vpcs");
    assertThat(configuration().map(KubeObject::uid)).contains(installed.uid());
  }

  static Optional<KubeObject> slice() {
    return workspaces.client(dependencies).find(SLICES, "", EXPORT);
  }

  @Test
  void takesOverInPlaceWhatTheGoProgramInstalled() {
    bind(network);
    controller.close();
    KubeObject theirs =
        workspaces.create(
            network,
            ProviderWorkspaceReconciler.CONFIGURATIONS,
            goConfiguration("vpcs", "routers"));
    write(rule("vm", "vpcs"));

    controller = controller();

    awaitProtected("vpcs");
    assertThat(configuration().orElseThrow().uid()).isEqualTo(theirs.uid());
    awaitEntries("dependency-controller", "bypass-audit");
  }

  private static KubeObject goConfiguration(String... resources) {
    var rules = new ArrayList<Map<String, Object>>();
    for (String resource : resources) {
      rules.add(
          Map.of(
              "apiGroups", List.of("network.example.com"),
              "apiVersions", List.of("v1alpha1"),
              "operations", List.of("DELETE"),
              "resources", List.of(resource)));
    }
    return KubeObject.of(
        Map.of(
            "apiVersion",
            "admissionregistration.k8s.io/v1",
            "kind",
            "ValidatingWebhookConfiguration",
            "metadata",
            Map.of("name", "dependency-controller"),
            "webhooks",
            List.of(
                Map.of(
                    "name",
                    "dependency-controller.dependencies.opendefense.cloud",
                    "clientConfig",
                    Map.of("url", "https://old.example:9443/validate"),
                    "rules",
                    rules,
                    "failurePolicy",
                    "Ignore",
                    "sideEffects",
                    "None",
                    "admissionReviewVersions",
                    List.of("v1")))));
  }

  private void allowDependents(String allowed) {
    allowDependents(network, allowed);
  }

  private static void allowDependents(WorkspacePath provider, String allowed) {
    workspaces.patch(
        provider,
        ExportFacts.TYPE,
        "",
        "network.example.com",
        Map.of("metadata", Map.of("annotations", Map.of(ExportFacts.ALLOWED_DEPENDENTS, allowed))));
  }

  /** Name, failure policy, seconds, and what each covers. */
  private static List<String> entries(KubeObject configuration) {
    var entries = new ArrayList<String>();
    for (Object entry : configuration.list("webhooks")) {
      Object rule = Trees.listOrEmpty(Trees.at(entry, "rules")).getFirst();
      entries.add(
          "%s %s %s %s %s %s"
              .formatted(
                  Trees.textOrEmpty(Trees.at(entry, "name")).split("\\.")[0],
                  Trees.at(entry, "failurePolicy"),
                  Trees.at(entry, "timeoutSeconds"),
                  joined(Trees.at(rule, "operations")),
                  joined(Trees.at(rule, "apiVersions")),
                  joined(Trees.at(rule, "resources"))));
    }
    return entries;
  }

  private static String joined(Object texts) {
    return Trees.listOrEmpty(texts).stream().map(String.class::cast).collect(joining(","));
  }

  private void awaitEntries(String... names) {
    await()
        .untilAsserted(() ->
            assertThat(configuration().map(c -> c.list("webhooks")).orElse(List.of()))
                .extracting(entry -> Trees.textOrEmpty(Trees.at(entry, "name")).split("\\.")[0])
                .containsExactly(names));
  }

  private DependencyController controller() {
    return ControllerEnvironment.controller(
        kcp,
        () -> {
          reconciled.incrementAndGet();
          return settings;
        },
        () -> leads);
  }

  private boolean idle() {
    var queue = controller.overview().queue();
    return queue.waiting() == 0 && queue.running() == 0 && queue.failing() == 0;
  }

  final void bind(WorkspacePath provider) {
    KubeObject binding = Manifests.read(KCP.resolve("provider-apibinding.yaml")).getFirst();
    workspaces.bind(
        provider, binding.with(dependencies.value(), "spec", "reference", "export", "path"));
  }

  final KubeObject rule(String name, String... resources) {
    var on = new ArrayList<Map<String, Object>>();
    for (String resource : resources) {
      on.add(dependency(network, resource));
    }
    return KubeObject.of(
        Map.of(
            "apiVersion", DependencyRule.TYPE.apiVersion(),
            "kind", DependencyRule.KIND,
            "metadata", Map.of("name", name),
            "spec",
                Map.of(
                    "dependent",
                    Map.of(
                        "apiExportName", "compute.example.com",
                        "group", "compute.example.com",
                        "version", "v1alpha1",
                        "kind", "VirtualMachine",
                        "resource", "virtualmachines"),
                    "dependencies",
                    on)));
  }

  private static Map<String, Object> dependency(WorkspacePath provider, String resource) {
    return Map.of(
        "apiExportRef",
        Map.of("path", provider.value(), "name", "network.example.com"),
        "group",
        "network.example.com",
        "version",
        "v1alpha1",
        "resource",
        resource,
        "fieldRef",
        Map.of("path", ".spec.ref.name"));
  }

  private void write(KubeObject rule) {
    workspaces.create(compute, DependencyRule.TYPE, rule);
  }

  private void edit(String name, KubeObject rule) {
    workspaces.patch(compute, DependencyRule.TYPE, "", name, Map.of("spec", rule.map("spec")));
  }

  private void delete(String name) {
    workspaces.delete(compute, DependencyRule.TYPE, "", name);
  }

  private KubeObject found(String rule) {
    return workspaces.client(compute).find(DependencyRule.TYPE, "", rule).orElseThrow();
  }

  private Optional<KubeObject> configuration() {
    return configuration(network);
  }

  private static Optional<KubeObject> configuration(WorkspacePath provider) {
    return workspaces
        .client(provider)
        .find(ProviderWorkspaceReconciler.CONFIGURATIONS, "", GuardSettings.CONFIGURATION);
  }

  final void awaitProtected(String... resources) {
    await().untilAsserted(() -> assertThat(protectedNow()).containsExactly(resources));
  }

  private TreeSet<String> protectedNow() {
    var resources = new TreeSet<String>();
    for (Object webhook : configuration().map(c -> c.list("webhooks")).orElse(List.of())) {
      for (Object rule : Trees.listOrEmpty(Trees.at(webhook, "rules"))) {
        Trees.listOrEmpty(Trees.at(rule, "resources"))
            .forEach(resource -> resources.add((String) resource));
      }
    }
    return resources;
  }

  private void awaitCondition(String rule, String type, String status, String reason) {
    await()
        .untilAsserted(() ->
            assertThat(found(rule).list("status", "conditions"))
                .anySatisfy(condition -> {
                  assertThat(Trees.at(condition, "type")).isEqualTo(type);
                  assertThat(Trees.at(condition, "status")).isEqualTo(status);
                  assertThat(Trees.at(condition, "reason")).isEqualTo(reason);
                }));
  }

  private static GuardSettings settings(String url, String ca) {
    return new GuardSettings(url, ca, FailurePolicy.IGNORE, Duration.ofSeconds(10));
  }
}
