package dev.mooring.depcontroller.status.decide;

import static dev.mooring.depcontroller.Fixtures.bound;
import static dev.mooring.depcontroller.Fixtures.deletions;
import static dev.mooring.depcontroller.Fixtures.exporting;
import static dev.mooring.depcontroller.Fixtures.on;
import static dev.mooring.depcontroller.Fixtures.resolvedRules;
import static dev.mooring.depcontroller.Fixtures.rule;
import static dev.mooring.depcontroller.Fixtures.versioned;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depcontroller.Fixtures;
import dev.mooring.depcontroller.guard.decide.Coverage;
import dev.mooring.depcontroller.guard.decide.DeletionGuard;
import dev.mooring.depcontroller.guard.decide.GuardSettings.FailurePolicy;
import dev.mooring.depcontroller.guard.decide.Installation;
import dev.mooring.depcontroller.guard.decide.Installation.Blocked;
import dev.mooring.depcontroller.guard.decide.Installation.Cause;
import dev.mooring.depcontroller.guard.decide.Installation.Installed;
import dev.mooring.depcontroller.guard.decide.ReferenceGuard;
import dev.mooring.depcontroller.rules.decide.ResolvedRules;
import dev.mooring.depcontroller.rules.decide.ResolvedRules.ExportKey;
import dev.mooring.depcontroller.status.decide.StatusFacts.WebhookDelay;
import dev.mooring.depcontroller.workspace.decide.Resolution;
import dev.mooring.depcontroller.workspace.decide.Resolution.Absent;
import dev.mooring.depcontroller.workspace.decide.Resolution.Known;
import dev.mooring.depcontroller.workspace.decide.Resolution.Pending;
import dev.mooring.depcontroller.workspace.decide.Resolution.Unknown;
import dev.mooring.depcontroller.workspace.decide.VersionReading;
import dev.mooring.model.dependency.Bypass;
import dev.mooring.model.dependency.Consistency;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.DependencyRule.Dependent;
import dev.mooring.model.dependency.Enforcement;
import dev.mooring.model.dependency.ExportFacts;
import dev.mooring.model.dependency.ExportReading;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.dependency.Mode;
import dev.mooring.model.dependency.RaceProtection;
import dev.mooring.model.dependency.RuleReading;
import dev.mooring.model.dependency.WhileTerminating;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.model.schema.ObjectSchema;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RuleConditionsTest {
  private static final Set<GroupResource> READ =
      Set.of(
          new GroupResource("compute.example.com", "virtualmachines"),
          new GroupResource("network.example.com", "vpcs"),
          new GroupResource("", "configmaps"));
  private static final WebhookRights ALL_READABLE = new WebhookRights("hook", READ, Set.of());

  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00.123Z");
  private static final LogicalCluster NETWORK = new LogicalCluster("network1");
  private static final WorkspacePath PATH = new WorkspacePath("root:network");
  private static final DependencyRule RULE = rule("vm", on("root:network", "vpcs"));
  private static final Installation VPCS = installed("vpcs");
  private static final Installation RACED_VPCS =
      guarded(new DeletionGuard(Bypass.ANNOTATION, RaceProtection.STRICT));
  private static final ExportKey OWN_EXPORT =
      new ExportKey(RULE.key().cluster(), "compute.example.com");
  private static final ExportKey TARGET_EXPORT = new ExportKey(NETWORK, "network.example.com");
  private static final Enforcement RACED =
      new Enforcement(
          Mode.DENY,
          WhileTerminating.BLOCK,
          Bypass.ANNOTATION,
          Consistency.STRICT,
          RaceProtection.STRICT);

  @Test
  void isReadyOnceEveryProviderAsksTheWebhook() {
    var status = status(new Known(NETWORK), Map.of(NETWORK, VPCS));

    assertThat(reasons(status))
        .containsExactly(
            Map.entry("Accepted", "True/Valid"),
            Map.entry("TargetsResolved", "True/Resolved"),
            Map.entry("WebhooksInstalled", "True/Installed"),
            Map.entry("Ready", "True/Protected"));
    assertThat(status.get("observedGeneration")).isEqualTo(4L);
    assertThat(status.get("dependencies"))
        .isEqualTo(
            List.of(
                Map.of(
                    "path", "root:network",
                    "resource", "vpcs.network.example.com",
                    "logicalCluster", "network1",
                    "state", "Installed")));
  }

  @Test
  void namesATypeThatTheWebhookMayNotRead() {
    GroupResource machines = new GroupResource("compute.example.com", "virtualmachines");
    StatusFacts facts = facts(new WebhookRights("hook", READ, Set.of(machines)));

    var status = new RuleConditions(new RuleReading.Valid(RULE), facts).status(bare(), NOON);

    assertThat(reasons(status))
        .containsEntry("Accepted", "False/WebhookMayNotRead")
        .containsEntry("WebhooksInstalled", "True/Installed")
        .containsEntry("Ready", "False/WebhookMayNotRead");
    assertThat(message(status, "Ready"))
        .contains(
            "user \"hook\"",
            "virtualmachines.compute.example.com",
            "deletions of the targets are refused",
            "add {apiGroups: [compute.example.com], resources: [virtualmachines]} to"
                + " kcpManifests.dependents");
    assertThat(new RuleConditions(new RuleReading.Valid(RULE), facts).isAccepted()).isFalse();
  }

  /** The webhook reads a target only where references to it are reviewed. */
  @Test
  void mindsATargetThatTheWebhookMayNotReadUnderRaceProtectionOnly() {
    StatusFacts facts =
        facts(
            new WebhookRights(
                "hook", READ, Set.of(new GroupResource("network.example.com", "vpcs"))));

    assertThat(new RuleConditions(new RuleReading.Valid(RULE), facts).isAccepted()).isTrue();
    assertThat(new RuleConditions(new RuleReading.Valid(RULE.with(RACED)), facts).isAccepted())
        .isFalse();
  }

  @Test
  void isNotKnownBeforeTheWebhooksRightsAre() {
    StatusFacts facts = facts(new WebhookRights("hook", Set.of(), Set.of()));

    assertThat(new RuleConditions(new RuleReading.Valid(RULE), facts).areKnown()).isFalse();
  }

  /** Of the rule, with its provider's webhooks installed. */
  private static StatusFacts facts(WebhookRights rights) {
    return new StatusFacts(
        resolvedRules(Map.of(PATH, new Known(NETWORK)), RULE),
        Map.of(NETWORK, VPCS),
        Map.of(),
        WebhookDelay.DEFAULT,
        rights);
  }

  @Test
  void namesAWorkspaceThatDoesNotExist() {
    assertThat(reasons(status(new Absent("there is no workspace root:network"), Map.of())))
        .containsEntry("TargetsResolved", "False/WorkspaceNotFound")
        .containsEntry("WebhooksInstalled", "False/WorkspaceNotFound")
        .containsEntry("Ready", "False/WorkspaceNotFound");
  }

  @Test
  void doesNotTakeAnUnreadableWorkspaceForMissing() {
    assertThat(reasons(status(new Unknown("root cannot be listed: 403"), Map.of())))
        .containsEntry("TargetsResolved", "Unknown/WorkspaceUnreadable")
        .containsEntry("Ready", "False/WorkspaceUnreadable");
  }

  /** Who may write rules could otherwise ask by paths what other workspaces have. */
  @Test
  void saysTheSameOfEveryTargetWhoseProviderTakesNoPart() {
    Map<LogicalCluster, Installation> installations =
        Map.of(NETWORK, new Blocked(Cause.PROVIDER_NOT_BOUND, "create an APIBinding"));
    ResolvedRules known = bound(Map.of(), resolvedRules(Map.of(PATH, new Known(NETWORK)), RULE));
    var statuses = new LinkedHashSet<Map<String, Object>>();

    for (Resolution to :
        List.of(new Absent("no such workspace"), new Unknown("403"), new Pending())) {
      statuses.add(shown(bound(Map.of(), resolvedRules(Map.of(PATH, to), RULE)), installations));
    }
    for (ExportReading export :
        List.of(
            new ExportReading.Absent(),
            new ExportReading.Unreadable("403"),
            exporting(new GroupResource("a.example.com", "as")),
            exporting(new GroupResource("network.example.com", "vpcs")))) {
      var exports = new HashMap<>(known.exports());
      exports.put(TARGET_EXPORT, export);
      statuses.add(shown(Fixtures.reading(exports, known), installations));
      statuses.add(shown(Fixtures.reading(exports, known), Map.of()));
    }

    assertThat(statuses)
        .singleElement()
        .satisfies(status -> {
          assertThat(reasons(status))
              .containsExactly(
                  Map.entry("Accepted", "True/Valid"),
                  Map.entry("TargetsResolved", "Unknown/ProviderNotBound"),
                  Map.entry("WebhooksInstalled", "False/ProviderNotBound"),
                  Map.entry("Ready", "False/ProviderNotBound"));
          String what =
              "no workspace root:network is known to bind the dependency APIExport: correct"
                  + " apiExportRef.path, or ask the provider's administrators to bind it and to"
                  + " accept its permission claim; the operator of the dependency controller"
                  + " sees the cause in its log and in /actuator/status";
          assertThat(message(status, "TargetsResolved")).isEqualTo(what);
          assertThat(status.get("dependencies"))
              .isEqualTo(
                  List.of(
                      Map.of(
                          "path", "root:network",
                          "resource", "vpcs.network.example.com",
                          "state", "ProviderNotBound",
                          "message", what)));
        });
  }

  private static Map<String, Object> shown(
      ResolvedRules resolvedRules, Map<LogicalCluster, Installation> installations) {
    var reading = new RuleReading.Valid(RULE);
    assertThat(new RuleConditions(reading, of(resolvedRules, installations)).areKnown())
        .as("it is shown as soon for each")
        .isTrue();
    return new RuleConditions(reading, of(resolvedRules, installations)).status(bare(), NOON);
  }

  @Test
  void showsNoClusterOfAProviderThatTakesNoPartEvenIfTheRuleIsWrongInItsOwnWorkspace() {
    ResolvedRules known = bound(Map.of(), resolvedRules(Map.of(PATH, new Known(NETWORK)), RULE));
    var exports = Map.of(OWN_EXPORT, (ExportReading) new ExportReading.Absent());

    assertThat(shown(Fixtures.reading(exports, known), Map.of()))
        .isEqualTo(
            shown(
                Fixtures.reading(
                    exports, bound(Map.of(), resolvedRules(Map.of(PATH, new Absent("")), RULE))),
                Map.of()));
  }

  @Test
  void waitsForAPathThatMayLeadToAProviderThatTakesPart() {
    DependencyRule alias = rule("vm", on("xk2h:network", "vpcs"));
    ResolvedRules seen =
        bound(
            Map.of(NETWORK, new WorkspacePath("root:providers:network")),
            resolvedRules(Map.of(new WorkspacePath("xk2h:network"), new Pending()), alias));

    assertThat(new RuleConditions(new RuleReading.Valid(alias), of(seen, Map.of())).areKnown())
        .isFalse();
  }

  @Test
  void saysOfAPathOfOneSegmentWhatItIsTakenFor() {
    DependencyRule lone = rule("vm", on("network", "vpcs"));
    ResolvedRules seen =
        bound(
            Map.of(),
            resolvedRules(Map.of(new WorkspacePath("network"), new Known(NETWORK)), lone));

    assertThat(
            message(
                new RuleConditions(new RuleReading.Valid(lone), of(seen, Map.of()))
                    .status(bare(), NOON),
                "TargetsResolved"))
        .endsWith(
            "; network is taken for the name of a logical cluster: if it is a workspace, write"
                + " apiExportRef.path from root, as in root:…:network");
  }

  @Test
  void isPendingUntilTheProviderProtectsThisVeryResource() {
    assertThat(reasons(status(new Known(NETWORK), Map.of(NETWORK, installed("subnets")))))
        .containsEntry("WebhooksInstalled", "False/Pending");
    assertThat(reasons(status(new Known(NETWORK), Map.of())))
        .containsEntry("WebhooksInstalled", "False/Pending");
  }

  /** As between an edit of a rule and the write that it leads to, which may fail. */
  @Test
  void isPendingWhileTheProviderGuardsTheResourceLessThanTheRuleWants() {
    var advisory = guarded(DeletionGuard.of(enforced(Mode.AUDIT, Bypass.ANNOTATION)));
    var bypassed = guarded(DeletionGuard.of(enforced(Mode.DENY, Bypass.ANNOTATION)));
    var permitted = guarded(DeletionGuard.of(enforced(Mode.DENY, Bypass.REQUIRE_PERMISSION)));
    var strict = RULE.with(enforced(Mode.DENY, Bypass.REQUIRE_PERMISSION));

    assertThat(List.of(advisory, bypassed, permitted))
        .extracting(found -> ready(RULE, found))
        .containsExactly("False/Pending", "True/Protected", "True/Protected");
    assertThat(List.of(advisory, bypassed, permitted))
        .extracting(found -> ready(strict, found))
        .containsExactly("False/Pending", "False/Pending", "True/Protected");
    assertThat(ready(RULE.with(enforced(Mode.WARN, Bypass.REQUIRE_PERMISSION)), advisory))
        .as("nothing is to be refused")
        .isEqualTo("True/Protected");
  }

  @Test
  void saysWhatIsWrongWithAnInvalidRule() {
    var invalid = new RuleReading.Invalid(RULE.key(), 2, List.of("a is missing", "b is missing"));

    var status = new RuleConditions(invalid, facts(Map.of(), Map.of())).status(bare(), NOON);

    assertThat(reasons(status))
        .containsExactly(
            Map.entry("Accepted", "False/Invalid"), Map.entry("Ready", "False/Invalid"));
    assertThat(Trees.at(((List<?>) status.get("conditions")).getFirst(), "message"))
        .isEqualTo("a is missing; b is missing");
  }

  @Test
  void keepsTheTimeOfAConditionThatStays() {
    KubeObject before = bare().with(status(new Known(NETWORK), Map.of()), "status");

    Map<String, Object> after =
        new RuleConditions(
                new RuleReading.Valid(RULE),
                facts(Map.of(PATH, new Known(NETWORK)), Map.of(NETWORK, VPCS)))
            .status(before, NOON.plusSeconds(60));

    assertThat(times(after))
        .containsEntry("Accepted", "2026-01-01T12:00:00Z")
        .containsEntry("Ready", "2026-01-01T12:01:00Z");
  }

  @Test
  void isKnownOnlyOnceEveryWorkspaceWasLookedAt() {
    var reading = new RuleReading.Valid(RULE);
    Map<WorkspacePath, Resolution> resolved = Map.of(PATH, new Known(NETWORK));

    assertThat(
            new RuleConditions(
                    reading,
                    of(bound(Map.of(NETWORK, PATH), resolvedRules(Map.of(), RULE)), Map.of()))
                .areKnown())
        .isFalse();
    assertThat(new RuleConditions(reading, facts(Map.of(PATH, new Pending()), Map.of())).areKnown())
        .isFalse();
    assertThat(new RuleConditions(reading, facts(resolved, Map.of())).areKnown()).isFalse();
    assertThat(new RuleConditions(reading, facts(resolved, Map.of(NETWORK, VPCS))).areKnown())
        .isTrue();
    assertThat(
            new RuleConditions(reading, facts(Map.of(PATH, new Absent("")), Map.of())).areKnown())
        .isTrue();
  }

  @Test
  void isKnownUnderRaceProtectionOnlyOnceTheRulesOwnWorkspaceWasLookedAt() {
    DependencyRule raced = RULE.with(RACED);
    var reading = new RuleReading.Valid(raced);
    LogicalCluster own = raced.key().cluster();
    ResolvedRules resolved = resolvedRules(Map.of(PATH, new Known(NETWORK)), raced);
    ResolvedRules nowhere = resolvedRules(Map.of(PATH, new Absent("")), raced);

    assertThat(new RuleConditions(reading, of(resolved, Map.of(NETWORK, VPCS))).areKnown())
        .isFalse();
    assertThat(
            new RuleConditions(
                    reading,
                    of(
                        resolved,
                        Map.of(NETWORK, VPCS, own, new Blocked(Cause.PROVIDER_NOT_BOUND, "bind"))))
                .areKnown())
        .isTrue();
    assertThat(new RuleConditions(reading, of(nowhere, Map.of())).areKnown())
        .as("nothing is reviewed there")
        .isTrue();
  }

  @Test
  void saysThatTheVersionOfARuleIsNotServedAndCountsTheRule() {
    DependencyRule raced = RULE.with(RACED);
    Map<LogicalCluster, Installation> installed =
        Map.of(NETWORK, RACED_VPCS, raced.key().cluster(), references(FailurePolicy.FAIL));
    var other = serving("v1", "v2");
    var none = serving();
    var same = serving("v1alpha1", "v2");

    assertThat(reasons(served(raced, installed, other)))
        .containsEntry("Accepted", "False/DependentVersionNotServed")
        .containsEntry("WebhooksInstalled", "True/Installed")
        .containsEntry("Ready", "False/DependentVersionNotServed")
        .containsEntry("RaceProtected", "False/DependentVersionNotServed");
    assertThat(message(served(raced, installed, other), "Accepted"))
        .isEqualTo(
            "APIExport compute.example.com serves virtualmachines.compute.example.com in v1, v2,"
                + " not in v1alpha1: correct spec.dependent.version; until then deletions of the"
                + " targets are refused");
    assertThat(message(served(raced, installed, none), "Accepted"))
        .contains("in no version: create the APIResourceSchema that it names");
    assertThat(reasons(served(raced, installed, same)))
        .containsEntry("Accepted", "True/Valid")
        .containsEntry("RaceProtected", "Unknown/Settling");
  }

  @Test
  void isNotAcceptedWithAFieldThatItsDependentsCannotHave() {
    Map<String, Object> status =
        served(RULE.with(RACED), Map.of(NETWORK, RACED_VPCS), having("vpcReff"));

    assertThat(reasons(status))
        .containsEntry("Accepted", "False/FieldNotInSchema")
        .containsEntry("WebhooksInstalled", "True/Installed")
        .containsEntry("Ready", "False/FieldNotInSchema")
        .containsEntry("RaceProtected", "False/FieldNotInSchema");
    assertThat(message(status, "Accepted"))
        .isEqualTo(
            "spec.dependencies[0].fieldRef.path: .spec has no field \"ref\" (it has vpcReff); until"
                + " fixed, these fields are treated as matching everything: targets cannot be"
                + " deleted while there is a VirtualMachine");
    assertThat(Trees.text(Trees.listOrEmpty(status.get("dependencies")).getFirst(), "state"))
        .isEqualTo("FieldNotInSchema");
  }

  @Test
  void saysWhatTheSchemaLeavesOpen() {
    assertThat(message(served(RULE, Map.of(NETWORK, VPCS), serving("v1alpha1")), "Accepted"))
        .isEqualTo(
            "the rule is well-formed; not checked: spec.dependencies[0].fieldRef.path: the type has"
                + " no schema");
    assertThat(message(served(RULE, Map.of(NETWORK, VPCS), having("ref")), "Accepted"))
        .isEqualTo("the rule is well-formed");
  }

  /** Versions without a schema. */
  private static VersionReading serving(String... versions) {
    var schemas = new TreeMap<String, ObjectSchema>();
    Stream.of(versions).forEach(version -> schemas.put(version, new ObjectSchema(Map.of())));
    return new VersionReading.Served(schemas);
  }

  /** The version of the rule, with one reference in it. */
  private static VersionReading having(String reference) {
    Map<String, Object> name = Map.of("name", Map.of("type", "string"));
    Map<String, Object> spec = Map.of(reference, Map.of("type", "object", "properties", name));
    var schema =
        new ObjectSchema(
            Map.of("properties", Map.of("spec", Map.of("type", "object", "properties", spec))));
    return new VersionReading.Served(new TreeMap<>(Map.of("v1alpha1", schema)));
  }

  @Test
  void keepsARuleInForceWhoseVersionCannotBeRead() {
    Map<String, Object> status =
        served(RULE, Map.of(NETWORK, VPCS), new VersionReading.Unreadable("403"));

    assertThat(reasons(status))
        .containsEntry("Accepted", "True/Valid")
        .containsEntry("Ready", "True/Protected")
        .containsEntry("AuthorityUnknown", "True/Unreadable");
    assertThat(message(status, "AuthorityUnknown"))
        .isEqualTo(
            "403; until then the rule is in force here, and the webhook decides by what it can read"
                + " itself");
    assertThat(message(status, "Ready"))
        .isEqualTo(
            "the rule is enforced, unless the webhook reads that it is not eligible; see"
                + " AuthorityUnknown");
  }

  @Test
  void isNotKnownBeforeTheVersionsOfItsDependentsAre() {
    ResolvedRules resolved = resolvedRules(Map.of(PATH, new Known(NETWORK)), RULE);
    var exports = new HashMap<>(resolved.exports());
    GroupResource type = GroupResource.of(RULE.dependent().type());
    exports.put(
        OWN_EXPORT,
        new ExportReading.Found(
            new ExportFacts(
                "root:compute",
                "hash",
                new TreeSet<>(List.of(type)),
                new TreeSet<>(),
                Optional.empty(),
                new TreeMap<>(Map.of(type, "v1.virtualmachines.compute.example.com")))));
    ResolvedRules before = Fixtures.reading(exports, resolved);
    ResolvedRules after =
        versioned(Map.of(RULE.key(), new VersionReading.Unreadable("403")), before);
    var reading = new RuleReading.Valid(RULE);

    assertThat(new RuleConditions(reading, of(before, Map.of(NETWORK, VPCS))).areKnown()).isFalse();
    assertThat(before.complete()).isFalse();
    assertThat(new RuleConditions(reading, of(after, Map.of(NETWORK, VPCS))).areKnown()).isTrue();
    assertThat(after.complete()).isTrue();
  }

  @Test
  void isTheSameWhileNothingChanges() {
    Map<String, Object> first = status(new Known(NETWORK), Map.of(NETWORK, VPCS));

    Map<String, Object> second =
        new RuleConditions(
                new RuleReading.Valid(RULE),
                facts(Map.of(PATH, new Known(NETWORK)), Map.of(NETWORK, VPCS)))
            .status(bare().with(first, "status"), NOON.plusSeconds(3600));

    assertThat(second).isEqualTo(first);
  }

  @Test
  void saysWhyARuleHasNoAuthority() {
    ResolvedRules known = resolvedRules(Map.of(PATH, new Known(NETWORK)), RULE);

    assertThat(reasons(judged(known, OWN_EXPORT, new ExportReading.Absent())))
        .containsEntry("Accepted", "False/DependentExportNotFound")
        .containsEntry("TargetsResolved", "True/Resolved")
        .containsEntry("WebhooksInstalled", "False/DependentExportNotFound")
        .containsEntry("Ready", "False/DependentExportNotFound");
    assertThat(reasons(judged(known, TARGET_EXPORT, new ExportReading.Absent())))
        .containsEntry("Accepted", "True/Valid")
        .containsEntry("TargetsResolved", "False/TargetExportNotFound")
        .containsEntry("Ready", "False/TargetExportNotFound");
    assertThat(
            reasons(
                judged(known, TARGET_EXPORT, exporting(new GroupResource("a.example.com", "as")))))
        .containsEntry("TargetsResolved", "False/TargetNotExported");
  }

  @Test
  void countsARuleWhoseAuthorityCannotBeReadAndSaysSo() {
    ResolvedRules known = resolvedRules(Map.of(PATH, new Known(NETWORK)), RULE);

    assertThat(reasons(judged(known, OWN_EXPORT, new ExportReading.Unreadable("403"))))
        .containsEntry("Ready", "True/Protected")
        .containsEntry("AuthorityUnknown", "True/Unreadable");
  }

  @Test
  void isNotKnownBeforeAuthorityIs() {
    ResolvedRules known = resolvedRules(Map.of(PATH, new Known(NETWORK)), RULE);
    ResolvedRules pending = Fixtures.reading(Map.of(), known);

    assertThat(
            new RuleConditions(
                    new RuleReading.Valid(RULE),
                    new StatusFacts(
                        pending,
                        Map.of(NETWORK, VPCS),
                        Map.of(),
                        WebhookDelay.DEFAULT,
                        ALL_READABLE))
                .areKnown())
        .isFalse();
  }

  @Test
  void namesTheCycleThatARuleIsPartOf() {
    var facts =
        new StatusFacts(
            resolvedRules(Map.of(PATH, new Known(NETWORK)), RULE),
            Map.of(NETWORK, VPCS),
            Map.of(RULE.key(), "a → b → a"),
            WebhookDelay.DEFAULT,
            ALL_READABLE);

    var status = new RuleConditions(new RuleReading.Valid(RULE), facts).status(bare(), NOON);

    assertThat(reasons(status))
        .containsEntry("Cyclic", "True/DependencyCycle")
        .containsEntry("Ready", "True/Protected");
    assertThat(Trees.at(((List<?>) status.get("conditions")).getLast(), "message"))
        .asString()
        .endsWith(": a → b → a");
  }

  @Test
  void countsOnRaceProtectionOnlyOnceEverythingBeforeItHasSettled() {
    DependencyRule raced = RULE.with(RACED);
    Map<LogicalCluster, Installation> without = Map.of(NETWORK, RACED_VPCS);
    Map<LogicalCluster, Installation> with =
        Map.of(NETWORK, RACED_VPCS, raced.key().cluster(), references(FailurePolicy.FAIL));

    KubeObject first = after(raced, without, bare(), NOON);
    KubeObject second = after(raced, with, first, NOON.plusSeconds(10));
    KubeObject third = after(raced, with, second, NOON.plusSeconds(229));
    KubeObject fourth = after(raced, with, third, NOON.plusSeconds(231));
    KubeObject fifth = after(raced, without, fourth, NOON.plusSeconds(300));

    assertThat(List.of(first, second, third, fourth, fifth))
        .extracting(object -> reasons(object.map("status")).get("RaceProtected"))
        .containsExactly(
            "False/ReferencesNotReviewed",
            "Unknown/Settling",
            "Unknown/Settling",
            "True/Protected",
            "False/ReferencesNotReviewed");
    assertThat(RuleConditions.settling(second.map("status"))).isTrue();
    assertThat(RuleConditions.settling(fourth.map("status"))).isFalse();
  }

  @Test
  void doesNotCountOnRaceProtectionOfWhatAnEditBroughtBeforeThatHasSettled() {
    Map<LogicalCluster, Installation> installations =
        Map.of(NETWORK, RACED_VPCS, RULE.key().cluster(), references(FailurePolicy.FAIL));
    DependencyRule raced = RULE.with(RACED);
    DependencyRule edited = edited(rule("vm", on("root:network", "vpcs", ".spec.other")), 5);

    KubeObject first = after(raced, installations, bare(), NOON);
    KubeObject second = after(raced, installations, first, NOON.plusSeconds(221));
    KubeObject third = after(edited, installations, second, NOON.plusSeconds(250));
    KubeObject fourth = after(edited, installations, third, NOON.plusSeconds(469));
    KubeObject fifth = after(edited, installations, fourth, NOON.plusSeconds(471));
    KubeObject sixth = after(edited(edited, 6), installations, third, NOON.plusSeconds(300));

    assertThat(List.of(second, third, fourth, fifth, sixth))
        .extracting(object -> reasons(object.map("status")).get("RaceProtected"))
        .containsExactly(
            "True/Protected",
            "Unknown/Settling",
            "Unknown/Settling",
            "True/Protected",
            "Unknown/Settling");
    assertThat(times(sixth.map("status")).get("RaceProtected")).isEqualTo("2026-01-01T12:05:00Z");
  }

  /** Seconds that rules and indexes may be behind, and that requests (65) and clocks (5) take. */
  @ParameterizedTest
  @CsvSource({"75, 75, 220", "75, 120, 265", "600, 75, 745"})
  void settlesAsLongAsAReplicaMayUseOtherRulesAndAnIndexMayBeBehind(
      long rules, long index, long settled) {
    Map<LogicalCluster, Installation> installations =
        Map.of(NETWORK, RACED_VPCS, RULE.key().cluster(), references(FailurePolicy.FAIL));
    DependencyRule raced = RULE.with(RACED);
    var facts =
        new StatusFacts(
            resolvedRules(Map.of(PATH, new Known(NETWORK)), raced),
            installations,
            Map.of(),
            new WebhookDelay(Duration.ofSeconds(rules), Duration.ofSeconds(index)),
            ALL_READABLE);
    KubeObject settling = after(raced, installations, bare(), NOON);

    assertThat(
            List.of(NOON.plusSeconds(settled - 1), NOON.plusSeconds(settled)).stream()
                .map(now ->
                    new RuleConditions(new RuleReading.Valid(raced), facts).status(settling, now)))
        .extracting(status -> reasons(status).get("RaceProtected"))
        .containsExactly("Unknown/Settling", "True/Protected");
  }

  @Test
  void cannotProtectFromRacesWhereNothingIsRefused() {
    DependencyRule audited =
        RULE.with(
            new Enforcement(
                Mode.AUDIT,
                WhileTerminating.BLOCK,
                Bypass.ANNOTATION,
                Consistency.STRICT,
                RaceProtection.STRICT));

    assertThat(reasons(after(audited, Map.of(NETWORK, VPCS), bare(), NOON).map("status")))
        .containsEntry("Ready", "True/Protected")
        .containsEntry("RaceProtected", "False/NothingRefused");
  }

  @Test
  void doesNotCountOnReviewsOfObjectsWhereTheRuleReadsTheStatus() {
    DependencyRule raced = rule("vm", on("root:network", "vpcs", ".status.vpc")).with(RACED);

    assertThat(
            List.of(ReferenceGuard.OBJECT, ReferenceGuard.OBJECT_AND_STATUS).stream()
                .map(guard ->
                    Map.of(
                        NETWORK,
                        RACED_VPCS,
                        raced.key().cluster(),
                        references(FailurePolicy.FAIL, guard)))
                .map(found -> reasons(after(raced, found, bare(), NOON).map("status"))))
        .extracting(reasons -> reasons.get("RaceProtected"))
        .containsExactly("False/ReferencesNotReviewed", "Unknown/Settling");
  }

  @Test
  void cannotProtectFromRacesWhatAFailureLetsThrough() {
    DependencyRule raced = RULE.with(RACED);
    Map<LogicalCluster, Installation> installations =
        Map.of(NETWORK, RACED_VPCS, raced.key().cluster(), references(FailurePolicy.IGNORE));

    assertThat(reasons(after(raced, installations, bare(), NOON).map("status")))
        .containsEntry("RaceProtected", "False/FailurePolicyIgnore");
  }

  @Test
  void cannotProtectCoreTypesFromRaces() {
    DependencyRule core =
        new DependencyRule(
            RULE.key(),
            4,
            new Dependent("compute.example.com", ResourceType.core("configmaps"), "ConfigMap"),
            RULE.dependencies(),
            Optional.empty(),
            RACED,
            List.of());
    ResolvedRules known = resolvedRules(Map.of(PATH, new Known(NETWORK)), core);
    var exports = new HashMap<>(known.exports());
    exports.put(OWN_EXPORT, new ExportReading.Unreadable("403"));
    var facts =
        new StatusFacts(
            Fixtures.reading(exports, known),
            Map.of(NETWORK, RACED_VPCS),
            Map.of(),
            WebhookDelay.DEFAULT,
            ALL_READABLE);

    assertThat(reasons(new RuleConditions(new RuleReading.Valid(core), facts).status(bare(), NOON)))
        .containsEntry("Accepted", "False/NotInterceptable")
        .containsEntry("RaceProtected", "False/NotInterceptable")
        .containsEntry("WebhooksInstalled", "True/Installed");
  }

  /** As it is in another generation, under race protection. */
  private static DependencyRule edited(DependencyRule rule, long generation) {
    return new DependencyRule(
        rule.key(),
        generation,
        rule.dependent(),
        rule.dependencies(),
        rule.when(),
        RACED,
        rule.problems());
  }

  private static KubeObject after(
      DependencyRule rule,
      Map<LogicalCluster, Installation> installations,
      KubeObject before,
      Instant now) {
    var facts =
        new StatusFacts(
            resolvedRules(Map.of(PATH, new Known(NETWORK)), rule),
            installations,
            Map.of(),
            WebhookDelay.DEFAULT,
            ALL_READABLE);
    return before.with(
        new RuleConditions(new RuleReading.Valid(rule), facts).status(before, now), "status");
  }

  private static Installation references(FailurePolicy policy) {
    return references(policy, ReferenceGuard.OBJECT);
  }

  private static Installation references(FailurePolicy policy, ReferenceGuard guard) {
    return new Installed(
        new Coverage(new TreeMap<>(), new TreeMap<>(Map.of(RULE.dependent().type(), guard))),
        policy);
  }

  private static Map<String, Object> judged(
      ResolvedRules known, ExportKey export, ExportReading reading) {
    var exports = new HashMap<>(known.exports());
    exports.put(export, reading);
    var facts =
        new StatusFacts(
            Fixtures.reading(exports, known),
            Map.of(NETWORK, VPCS),
            Map.of(),
            WebhookDelay.DEFAULT,
            ALL_READABLE);
    return new RuleConditions(new RuleReading.Valid(RULE), facts).status(bare(), NOON);
  }

  private static StatusFacts facts(
      Map<WorkspacePath, Resolution> resolutions, Map<LogicalCluster, Installation> installations) {
    return new StatusFacts(
        resolvedRules(resolutions, RULE),
        installations,
        Map.of(),
        WebhookDelay.DEFAULT,
        ALL_READABLE);
  }

  private static Map<String, Object> served(
      DependencyRule rule,
      Map<LogicalCluster, Installation> installations,
      VersionReading versions) {
    ResolvedRules known = resolvedRules(Map.of(PATH, new Known(NETWORK)), rule);
    ResolvedRules read = versioned(Map.of(rule.key(), versions), known);
    return new RuleConditions(new RuleReading.Valid(rule), of(read, installations))
        .status(bare(), NOON);
  }

  private static String message(Map<String, Object> status, String type) {
    return Trees.listOrEmpty(status.get("conditions")).stream()
        .filter(condition -> type.equals(Trees.at(condition, "type")))
        .map(condition -> Trees.textOrEmpty(Trees.at(condition, "message")))
        .findFirst()
        .orElse("");
  }

  private static StatusFacts of(
      ResolvedRules resolvedRules, Map<LogicalCluster, Installation> installations) {
    return new StatusFacts(
        resolvedRules, installations, Map.of(), WebhookDelay.DEFAULT, ALL_READABLE);
  }

  private static Map<String, Object> status(
      Resolution resolution, Map<LogicalCluster, Installation> installations) {
    return new RuleConditions(
            new RuleReading.Valid(RULE), facts(Map.of(PATH, resolution), installations))
        .status(bare(), NOON);
  }

  private static String ready(DependencyRule rule, Installation provider) {
    return reasons(after(rule, Map.of(NETWORK, provider), bare(), NOON).map("status")).get("Ready");
  }

  private static Enforcement enforced(Mode mode, Bypass bypass) {
    return new Enforcement(
        mode, WhileTerminating.BLOCK, bypass, Consistency.STRICT, RaceProtection.NONE);
  }

  /** VPCs. */
  private static Installation guarded(DeletionGuard guard) {
    return new Installed(
        new Coverage(
            new TreeMap<>(Map.of(new GroupResource("network.example.com", "vpcs"), guard)),
            new TreeMap<>()),
        FailurePolicy.FAIL);
  }

  private static Installation installed(String resource) {
    return new Installed(deletions(resource), FailurePolicy.FAIL);
  }

  private static KubeObject bare() {
    return KubeObject.of(Map.of("metadata", Map.of("name", "vm")));
  }

  private static Map<String, String> reasons(Map<String, Object> status) {
    var reasons = new LinkedHashMap<String, String>();
    for (Object condition : Trees.listOrEmpty(status.get("conditions"))) {
      reasons.put(
          Trees.textOrEmpty(Trees.at(condition, "type")),
          Trees.at(condition, "status") + "/" + Trees.at(condition, "reason"));
    }
    return reasons;
  }

  private static Map<String, String> times(Map<String, Object> status) {
    var times = new LinkedHashMap<String, String>();
    for (Object condition : Trees.listOrEmpty(status.get("conditions"))) {
      times.put(
          Trees.textOrEmpty(Trees.at(condition, "type")),
          Trees.textOrEmpty(Trees.at(condition, "lastTransitionTime")));
    }
    return times;
  }
}
