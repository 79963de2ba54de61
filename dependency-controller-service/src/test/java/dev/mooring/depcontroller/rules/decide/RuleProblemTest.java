package dev.mooring.depcontroller.rules.decide;

import static dev.mooring.depcontroller.Fixtures.bound;
import static dev.mooring.depcontroller.Fixtures.on;
import static dev.mooring.depcontroller.Fixtures.reading;
import static dev.mooring.depcontroller.Fixtures.resolvedRules;
import static dev.mooring.depcontroller.Fixtures.rule;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depcontroller.rules.decide.ResolvedRules.ExportKey;
import dev.mooring.depcontroller.rules.decide.RuleProblem.Kind;
import dev.mooring.depcontroller.workspace.decide.Resolution;
import dev.mooring.depcontroller.workspace.decide.Resolution.Absent;
import dev.mooring.depcontroller.workspace.decide.Resolution.Known;
import dev.mooring.depcontroller.workspace.decide.Resolution.Pending;
import dev.mooring.depcontroller.workspace.decide.Resolution.Unknown;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.ExportReading;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.WorkspacePath;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RuleProblemTest {
  private static final LogicalCluster NETWORK = new LogicalCluster("network1");
  private static final WorkspacePath PATH = new WorkspacePath("root:network");
  private static final DependencyRule RULE = rule("vm", on("root:network", "vpcs"));
  private static final ExportKey OWN =
      new ExportKey(RULE.key().cluster(), RULE.dependent().apiExportName());

  @Test
  void isNoneOfARuleThatCountsOrIsNotEvaluatedYet() {
    assertThat(resolvedRules(Map.of(PATH, new Known(NETWORK)), RULE).ruleProblems()).isEmpty();
    assertThat(resolvedRules(Map.of(PATH, new Pending()), RULE).ruleProblems()).isEmpty();
  }

  @Test
  void isAWorkspaceThatIsNotThereOrCannotBeRead() {
    assertThat(of(resolvedRules(Map.of(PATH, new Absent("create it")), RULE)))
        .contains(new RuleProblem(Kind.NOT_COUNTING, "WorkspaceNotFound", "create it"));
    assertThat(of(resolvedRules(Map.of(PATH, new Unknown("403")), RULE)))
        .contains(new RuleProblem(Kind.UNKNOWN, "WorkspaceUnreadable", "403"));
  }

  @Test
  void isAnExportThatIsNotThereOrCannotBeRead() {
    assertThat(of(with(PATH, OWN, new ExportReading.Absent(), RULE)))
        .hasValueSatisfying(ruleProblem -> {
          assertThat(ruleProblem.kind()).isEqualTo(Kind.NOT_COUNTING);
          assertThat(ruleProblem.reason()).isEqualTo("DependentExportNotFound");
        });
    assertThat(of(with(PATH, OWN, new ExportReading.Unreadable("403"), RULE)))
        .contains(new RuleProblem(Kind.UNKNOWN, "AuthorityUnknown", "403"));
  }

  @Test
  void isAProviderThatDoesNotBind() {
    assertThat(of(bound(Map.of(), resolvedRules(Map.of(PATH, new Known(NETWORK)), RULE))))
        .contains(
            new RuleProblem(
                Kind.NOT_COUNTING,
                "ProviderNotBound",
                "the provider's workspace (logical cluster network1) does not bind the dependency"
                    + " APIExport: create an APIBinding there that accepts its permission claim"));
  }

  /** The Go program looks for one in root; its rules may have such paths. */
  @Test
  void saysThatALoneSegmentIsTakenForAClustersName() {
    DependencyRule rule = rule("vm", on("network", "vpcs"));
    var lone = resolvedRules(Map.of(new WorkspacePath("network"), new Known(NETWORK)), rule);

    assertThat(of(bound(Map.of(), lone)))
        .hasValueSatisfying(ruleProblem ->
            assertThat(ruleProblem.message())
                .contains("; network is taken for the name of a logical cluster")
                .contains("write apiExportRef.path from root"));
  }

  @Test
  void isTheGravestOfSeveral() {
    DependencyRule rule = rule("vm", on("root:network", "vpcs"), on("root:other", "zones"));
    var other = new WorkspacePath("root:other");

    for (Map<WorkspacePath, Resolution> paths :
        List.<Map<WorkspacePath, Resolution>>of(
            Map.of(PATH, new Unknown("403"), other, new Absent("create it")),
            Map.of(PATH, new Absent("create it"), other, new Unknown("403")))) {
      assertThat(of(resolvedRules(paths, rule)))
          .contains(new RuleProblem(Kind.NOT_COUNTING, "WorkspaceNotFound", "create it"));
    }
  }

  private static Optional<RuleProblem> of(ResolvedRules resolvedRules) {
    return Optional.ofNullable(resolvedRules.ruleProblems().get(RULE.key()));
  }

  private static ResolvedRules with(
      WorkspacePath path, ExportKey key, ExportReading reading, DependencyRule rule) {
    ResolvedRules known = resolvedRules(Map.of(path, new Known(NETWORK)), rule);
    var exports = new HashMap<>(known.exports());
    exports.put(key, reading);
    return reading(exports, known);
  }
}
