package dev.mooring.depcontroller.status.decide;

import static dev.mooring.depcontroller.Fixtures.on;
import static dev.mooring.depcontroller.Fixtures.rule;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depcontroller.guard.decide.Installation;
import dev.mooring.depcontroller.guard.decide.Installation.Blocked;
import dev.mooring.depcontroller.guard.decide.Installation.Cause;
import dev.mooring.depcontroller.guard.decide.Installation.Installed;
import dev.mooring.depcontroller.workspace.decide.Resolution;
import dev.mooring.depcontroller.workspace.decide.Resolution.Absent;
import dev.mooring.depcontroller.workspace.decide.Resolution.Known;
import dev.mooring.depcontroller.workspace.decide.Resolution.Pending;
import dev.mooring.depcontroller.workspace.decide.Resolution.Unknown;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.dependency.RuleReading;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class RuleConditionsTest {
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00.123Z");
  private static final LogicalCluster NETWORK = new LogicalCluster("network1");
  private static final WorkspacePath PATH = new WorkspacePath("root:network");
  private static final DependencyRule RULE = rule("vm", on("root:network", "vpcs"));
  private static final Installation VPCS = installed("vpcs");

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

  @Test
  void namesAProviderThatDoesNotBind() {
    var blocked = new Blocked(Cause.PROVIDER_NOT_BOUND, "create an APIBinding");

    assertThat(reasons(status(new Known(NETWORK), Map.of(NETWORK, blocked))))
        .containsEntry("WebhooksInstalled", "False/ProviderNotBound")
        .containsEntry("Ready", "False/ProviderNotBound");
  }

  @Test
  void isPendingUntilTheProviderProtectsThisVeryResource() {
    assertThat(reasons(status(new Known(NETWORK), Map.of(NETWORK, installed("subnets")))))
        .containsEntry("WebhooksInstalled", "False/Pending");
    assertThat(reasons(status(new Known(NETWORK), Map.of())))
        .containsEntry("WebhooksInstalled", "False/Pending");
  }

  @Test
  void saysWhatIsWrongWithAnInvalidRule() {
    var invalid = new RuleReading.Invalid(RULE.key(), 2, List.of("a is missing", "b is missing"));

    var status = RuleConditions.status(invalid, Map.of(), Map.of(), bare(), NOON);

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
        RuleConditions.status(
            new RuleReading.Valid(RULE),
            Map.of(PATH, new Known(NETWORK)),
            Map.of(NETWORK, VPCS),
            before,
            NOON.plusSeconds(60));

    assertThat(times(after))
        .containsEntry("Accepted", "2026-01-01T12:00:00Z")
        .containsEntry("Ready", "2026-01-01T12:01:00Z");
  }

  @Test
  void isKnownOnlyOnceEveryWorkspaceWasLookedAt() {
    var reading = new RuleReading.Valid(RULE);
    Map<WorkspacePath, Resolution> resolved = Map.of(PATH, new Known(NETWORK));

    assertThat(RuleConditions.known(reading, Map.of(), Map.of())).isFalse();
    assertThat(RuleConditions.known(reading, Map.of(PATH, new Pending()), Map.of())).isFalse();
    assertThat(RuleConditions.known(reading, resolved, Map.of())).isFalse();
    assertThat(RuleConditions.known(reading, resolved, Map.of(NETWORK, VPCS))).isTrue();
    assertThat(RuleConditions.known(reading, Map.of(PATH, new Absent("")), Map.of())).isTrue();
  }

  @Test
  void isTheSameWhileNothingChanges() {
    Map<String, Object> first = status(new Known(NETWORK), Map.of(NETWORK, VPCS));

    Map<String, Object> second =
        RuleConditions.status(
            new RuleReading.Valid(RULE),
            Map.of(PATH, new Known(NETWORK)),
            Map.of(NETWORK, VPCS),
            bare().with(first, "status"),
            NOON.plusSeconds(3600));

    assertThat(second).isEqualTo(first);
  }

  private static Map<String, Object> status(
      Resolution resolution, Map<LogicalCluster, Installation> installations) {
    return RuleConditions.status(
        new RuleReading.Valid(RULE), Map.of(PATH, resolution), installations, bare(), NOON);
  }

  private static Installation installed(String resource) {
    return new Installed(
        new TreeSet<>(List.of(new GroupResource("network.example.com", resource))));
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
