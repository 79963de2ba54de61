package dev.mooring.depwebhook.endpoint;

import static dev.mooring.depwebhook.Fixtures.MACHINES;
import static dev.mooring.depwebhook.Fixtures.VPC;
import static dev.mooring.depwebhook.Fixtures.VPCS;
import static dev.mooring.depwebhook.Fixtures.decided;
import static dev.mooring.depwebhook.Fixtures.deletion;
import static dev.mooring.depwebhook.Fixtures.rule;
import static dev.mooring.depwebhook.Fixtures.vmNeedsVpc;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.depwebhook.admission.Review;
import dev.mooring.depwebhook.admission.decide.AdmissionDecision.Denied;
import dev.mooring.depwebhook.admission.decide.DeletionFacts;
import dev.mooring.depwebhook.admission.decide.DeletionFacts.Bypasses;
import dev.mooring.depwebhook.admission.decide.Outcome;
import dev.mooring.depwebhook.eligibility.decide.WorkspaceState;
import dev.mooring.depwebhook.lookup.decide.ClientRefusal;
import dev.mooring.depwebhook.lookup.decide.LookupResult;
import dev.mooring.depwebhook.lookup.decide.LookupResult.Found;
import dev.mooring.depwebhook.rules.decide.MatchedRule;
import dev.mooring.depwebhook.rules.decide.RuleIndex;
import dev.mooring.depwebhook.rules.decide.Rules;
import dev.mooring.model.dependency.Blocker;
import dev.mooring.model.dependency.Blockers;
import dev.mooring.model.dependency.Blockers.Search;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.Mode;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.time.Clocks;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class DecisionMetricsTest {
  private static final Review.Deletion DELETION =
      deletion(KubeObject.of(Map.of()), Optional.empty());

  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final DependencyRule rule = vmNeedsVpc();
  private final AtomicReference<Runnable> look = new AtomicReference<>();
  private volatile Instant now = Instant.EPOCH;
  private volatile Rules<RuleIndex> rules = new Rules.Loaded<>(RuleIndex.of(List.of(rule)));
  private final DecisionMetrics.Decisions decisions =
      new DecisionMetrics.Decisions(
          meters,
          () -> rules,
          new Clocks(() -> now, () -> now),
          (_, task) -> {
            look.set(task);
            return () -> {};
          });
  private final MatchedRule bypassed = new MatchedRule(rule, rule.dependencies().getFirst());

  @Test
  void countsABypassByWhichADeletionWentAhead() {
    decisions.decided(
        DELETION,
        decided(
            new DeletionFacts(VPC, Mode.DENY)
                .with(new Rules.Loaded<>(List.of(bypassed)))
                .with(new Bypasses(List.of(bypassed, bypassed), List.of()))));

    assertThat(count("bypassed")).isOne();
  }

  @Test
  void countsNoBypassOfADeletionThatAnotherRuleRefused() {
    DependencyRule other = rule("other", MACHINES, "root:network", VPCS, ".spec.vpcRef.name");
    var denying = new MatchedRule(other, other.dependencies().getFirst());
    var blocker = new Blocker("VirtualMachine", "default", "vm1");
    var found =
        new Found(
            Blockers.of(List.of(blocker), Search.COMPLETE),
            List.of(rule.qualifiedName()),
            List.of());
    decisions.decided(
        DELETION,
        decided(
            new DeletionFacts(VPC, Mode.DENY)
                .with(new Rules.Loaded<>(List.of(bypassed, denying)))
                .with(new Bypasses(List.of(bypassed), List.of()))
                .with(new LookupResult.Complete(Map.of(Mode.DENY, found), List.of()))
                .with(WorkspaceState.ACTIVE)));

    assertThat(count("bypassed")).isZero();
    assertThat(count("denied")).isOne();
  }

  @Test
  void startsTheSeriesOfARuleBeforeItsFirstDecision() {
    decisions.update();

    assertThat(meters.find("mooring.dependency.webhook.decisions").counters())
        .extracting(counter -> counter.getId().getTag("outcome"))
        .containsExactlyInAnyOrder("denied", "warned", "audited", "bypassed");
    assertThat(count("denied")).isZero();
  }

  @Test
  void endsTheSeriesOfARuleSomeTimeAfterTheRule() {
    deny(rule.qualifiedName());
    deny("other/rule");

    later(DecisionMetrics.Decisions.KEPT.minusSeconds(1));
    assertThat(named()).as("its last values are still there").contains("other/rule");
    later(Duration.ofSeconds(1));

    assertThat(named()).containsExactly(rule.qualifiedName());
    deny("other/rule");
    assertThat(named()).as("counted again").contains("other/rule");
  }

  @Test
  void takesNoRuleForGoneWhileRulesAreNotKnown() {
    deny(rule.qualifiedName());

    for (Rules<RuleIndex> unknown :
        List.of(
            new Rules.Loading<RuleIndex>("a shard"),
            new Rules.Stale<>(RuleIndex.EMPTY, "silent"))) {
      rules = unknown;
      later(DecisionMetrics.Decisions.KEPT.multipliedBy(2));
      assertThat(named()).containsExactly(rule.qualifiedName());
    }
  }

  private void deny(String by) {
    decisions.decided(
        DELETION,
        new Denied(Outcome.DENIED, ClientRefusal.forbidden("still referenced"), List.of(by)));
  }

  private void later(Duration time) {
    now = now.plus(time);
    decisions.update();
  }

  private List<String> named() {
    return meters.getMeters().stream()
        .map(meter -> meter.getId().getTag("rule"))
        .distinct()
        .sorted()
        .toList();
  }

  @Test
  void looksForRulesThatAreGoneAgainAndAgain() {
    deny("other/rule");
    Runnable first = look.get();
    first.run();
    await().untilAsserted(() -> assertThat(look.get()).isNotSameAs(first));
    now = now.plus(DecisionMetrics.Decisions.KEPT);

    look.get().run();

    await().until(() -> !named().contains("other/rule"));
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
