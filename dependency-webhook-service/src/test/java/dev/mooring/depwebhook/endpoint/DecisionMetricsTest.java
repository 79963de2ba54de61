package dev.mooring.depwebhook.endpoint;

import static dev.mooring.depwebhook.Fixtures.VPC;
import static dev.mooring.depwebhook.Fixtures.vmNeedsVpc;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depwebhook.admission.DeletionCheck.Checked;
import dev.mooring.depwebhook.admission.Review;
import dev.mooring.depwebhook.admission.decide.Verdict;
import dev.mooring.depwebhook.rules.decide.Protection;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.access.Caller;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DecisionMetricsTest {
  private static final Review.Deletion DELETION =
      new Review.Deletion(
          "r-1",
          VPC,
          KubeObject.of(Map.of()),
          new Caller("alice", "", List.of(), Map.of()),
          Review.Effect.REAL);

  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final DecisionMetrics.Decisions decisions = new DecisionMetrics.Decisions(meters);
  private final DependencyRule rule = vmNeedsVpc();
  private final Protection waived = new Protection(rule, rule.dependencies().getFirst());

  @Test
  void countsABypassByWhichADeletionWentAhead() {
    decisions.decided(
        DELETION,
        new Checked(
            new Verdict.Allow(Verdict.Ground.SKIP_PROTECTION),
            List.of(waived),
            List.of(waived, waived)));

    assertThat(count("bypassed")).isOne();
  }

  @Test
  void countsNoBypassOfADeletionThatAnotherRuleRefused() {
    decisions.decided(
        DELETION,
        new Checked(
            new Verdict.Deny("still referenced", List.of(rule.qualifiedName())),
            List.of(waived),
            List.of(waived)));

    assertThat(count("bypassed")).isZero();
    assertThat(count("denied")).isOne();
  }

  private double count(String outcome) {
    return meters
        .counter(
            "mooring.dependency.webhook.decisions",
            "outcome",
            outcome,
            "rule",
            rule.qualifiedName())
        .count();
  }
}
