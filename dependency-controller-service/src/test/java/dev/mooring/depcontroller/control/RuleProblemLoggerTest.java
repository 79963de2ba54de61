package dev.mooring.depcontroller.control;

import static dev.mooring.depcontroller.Fixtures.located;
import static dev.mooring.depcontroller.Fixtures.on;
import static dev.mooring.depcontroller.Fixtures.resolvedRules;
import static dev.mooring.depcontroller.Fixtures.rule;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.mooring.depcontroller.rules.decide.ResolvedRules;
import dev.mooring.depcontroller.workspace.decide.Resolution;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.runtime.testing.LoggedLines;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RuleProblemLoggerTest {
  private static final DependencyRule RULE = rule("vm", on("root:network", "vpcs"));

  @RegisterExtension final LoggedLines lines = new LoggedLines(RuleProblemLogger.class);
  private final RuleProblemLogger log = new RuleProblemLogger();

  @Test
  void namesARuleOnceAndAgainWhenThatChanges() {
    ResolvedRules missing = leading(new Resolution.Absent("create it"));
    ResolvedRules found = leading(new Resolution.Known(new LogicalCluster("network1")));

    tell(missing);
    tell(missing);
    tell(leading(new Resolution.Unknown("403")));
    tell(found);
    tell(found);
    tell(located(Map.of(RULE.key().cluster(), new WorkspacePath("root:compute")), missing));

    assertThat(lines.all())
        .extracting(ILoggingEvent::getFormattedMessage)
        .containsExactly(
            "Rule compute1|vm does not count: WorkspaceNotFound: create it",
            "Rule compute1|vm may not count: WorkspaceUnreadable: 403",
            "Rule compute1|vm was deleted or is effective now",
            "Rule vm in root:compute does not count: WorkspaceNotFound: create it");
  }

  private void tell(ResolvedRules resolvedRules) {
    log.log(resolvedRules.ruleProblems(), resolvedRules.paths());
  }

  private static ResolvedRules leading(Resolution to) {
    return resolvedRules(Map.of(new WorkspacePath("root:network"), to), RULE);
  }
}
