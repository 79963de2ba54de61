package dev.mooring.depwebhook.admission;

import static dev.mooring.depwebhook.Fixtures.VPC;
import static dev.mooring.depwebhook.Fixtures.vmNeedsVpc;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depwebhook.Fixtures;
import dev.mooring.depwebhook.admission.decide.AdmissionDecision;
import dev.mooring.depwebhook.admission.decide.AdmissionDecision.Allowed;
import dev.mooring.depwebhook.admission.decide.Outcome;
import dev.mooring.depwebhook.eligibility.EligibilityChecker;
import dev.mooring.depwebhook.race.UnusedRegister;
import dev.mooring.depwebhook.rules.ProviderPaths;
import dev.mooring.depwebhook.rules.decide.RuleIndex;
import dev.mooring.depwebhook.rules.decide.Rules;
import dev.mooring.model.dependency.Bypass;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.Enforcement;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BypassNotificationTest {
  private static final RuleIndex RULES = RuleIndex.of(List.of(vmNeedsVpc()));
  private final List<AdmissionDecision> heard = new ArrayList<>();

  @Test
  void tellsOfTheRulesThatAnAnnotatedObjectPassedBy() {
    assertThat(notes(new Rules.Loaded<>(RULES)).report(deletion("true"))).isTrue();

    assertThat(heard)
        .containsExactly(
            new Allowed(
                Outcome.SKIP_PROTECTION,
                List.of(),
                List.of(),
                List.of(vmNeedsVpc().qualifiedName())));
  }

  @Test
  void tellsByTheRulesAsTheyWereLastKnown() {
    var stale = new Rules.Stale<>(RULES, "no watch event or bookmark for 80 s");

    assertThat(notes(stale).report(deletion("true"))).isTrue();

    assertThat(heard).hasSize(1);
  }

  @Test
  void canTellNothingBeforeRulesAreKnown() {
    var loading = new Rules.Loading<RuleIndex>("the endpoint slice is missing");

    assertThat(notes(loading).report(deletion("true"))).isFalse();

    assertThat(heard).isEmpty();
  }

  /** The API server let it go before it knew of the edit. */
  @Test
  void tellsOfARuleThatWantsPermissionSinceItWasEdited() {
    Enforcement usual = Enforcement.DEFAULT;
    DependencyRule edited =
        vmNeedsVpc()
            .with(
                new Enforcement(
                    usual.mode(),
                    usual.whileTerminating(),
                    Bypass.REQUIRE_PERMISSION,
                    usual.consistency(),
                    usual.raceProtection()));

    notes(new Rules.Loaded<>(RuleIndex.of(List.of(edited)))).report(deletion("true"));

    assertThat(heard).singleElement().extracting(c -> ((Allowed) c).bypassed().size()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "yes", "until=2999-01-01T00:00:00Z"})
  void tellsOfNoBypassWhereTheApiServerKnowsOfNone(String annotation) {
    assertThat(notes(new Rules.Loaded<>(RULES)).report(deletion(annotation))).isTrue();

    assertThat(heard).isEmpty();
  }

  private NotificationReviews notes(Rules<RuleIndex> rules) {
    var unreadable =
        new ProviderPaths(_ -> {
          throw new IllegalArgumentException("no such cluster");
        });
    var check =
        new FactGatherer(
            () -> rules,
            unreadable,
            UnusedRegister.protection(_ -> {
              throw new AssertionError("nobody waits for what refers to the target");
            }),
            new EligibilityChecker(
                BypassNotificationTest::unasked,
                BypassNotificationTest::unasked,
                unreadable,
                DependencyRule.GROUP,
                Duration.ZERO,
                () -> Instant.EPOCH),
            new BypassChecker(
                BypassNotificationTest::unasked,
                BypassNotificationTest::unasked,
                () -> Instant.EPOCH),
            () -> Instant.EPOCH);
    return new NotificationReviews(check, List.of((_, decision) -> heard.add(decision)), _ -> {});
  }

  private static <T, R> R unasked(T what) {
    throw new AssertionError("nobody waits for an answer about " + what);
  }

  private static Review.Deletion deletion(String annotation) {
    KubeObject object = KubeObject.of(Map.of("metadata", Map.of("name", VPC.key().name())));
    return Fixtures.deletion(
        annotation.isEmpty()
            ? object
            : object.with(annotation, "metadata", "annotations", DependencyRule.SKIP_PROTECTION),
        Optional.of(new LogicalCluster("network1")));
  }
}
