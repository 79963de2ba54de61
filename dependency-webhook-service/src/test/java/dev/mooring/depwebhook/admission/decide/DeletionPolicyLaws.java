package dev.mooring.depwebhook.admission.decide;

import static dev.mooring.depwebhook.Fixtures.VPC;
import static dev.mooring.depwebhook.Fixtures.decided;
import static dev.mooring.depwebhook.Fixtures.vmNeedsVpc;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.mooring.depwebhook.admission.decide.AdmissionDecision.Allowed;
import dev.mooring.depwebhook.admission.decide.AdmissionDecision.Denied;
import dev.mooring.depwebhook.admission.decide.DeletionFacts.Bypasses;
import dev.mooring.depwebhook.admission.decide.DeletionFacts.Fact;
import dev.mooring.depwebhook.admission.decide.DeletionPolicy.Gather;
import dev.mooring.depwebhook.eligibility.decide.WorkspaceState;
import dev.mooring.depwebhook.lookup.decide.ClientRefusal;
import dev.mooring.depwebhook.lookup.decide.LookupResult;
import dev.mooring.depwebhook.lookup.decide.LookupResult.Found;
import dev.mooring.depwebhook.rules.decide.MatchedRule;
import dev.mooring.depwebhook.rules.decide.Rules;
import dev.mooring.model.dependency.Blocker;
import dev.mooring.model.dependency.Blockers;
import dev.mooring.model.dependency.Blockers.Search;
import dev.mooring.model.dependency.Mode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The whole state space: what a lookup can come to for each mode, whether something could not be
 * read, and what becomes of the workspace.
 */
class DeletionPolicyLaws {
  private static final MatchedRule PROTECTION =
      new MatchedRule(vmNeedsVpc(), vmNeedsVpc().dependencies().getFirst());

  private static final List<Integer> COUNTS = List.of(0, 1, 10, 11, 9000);

  static Stream<Arguments> states() {
    return lookups().stream()
        .flatMap(
            lookup -> Stream.of(WorkspaceState.values()).map(state -> Arguments.of(lookup, state)));
  }

  private static List<LookupResult> lookups() {
    var lookups = new ArrayList<LookupResult>();
    lookups.add(new LookupResult.Incomplete("the list failed", "ask again"));
    for (Search search : Search.values()) {
      for (int denied : COUNTS) {
        for (int warned : List.of(0, 11)) {
          for (int audited : List.of(0, 1)) {
            for (List<String> unchecked : List.of(List.<String>of(), List.of("unread"))) {
              var found = new EnumMap<Mode, Found>(Mode.class);
              put(found, Mode.DENY, denied, search);
              put(found, Mode.WARN, warned, search);
              put(found, Mode.AUDIT, audited, search);
              lookups.add(new LookupResult.Complete(found, unchecked));
            }
          }
        }
      }
    }
    return lookups;
  }

  @ParameterizedTest
  @MethodSource("states")
  void allowsOnlyWhatIsKnownToBeFreeOrIsGoingWithItsWorkspace(
      LookupResult lookup, WorkspaceState workspace) {
    boolean free =
        lookup instanceof LookupResult.Complete complete && complete.of(Mode.DENY).isEmpty();

    assertThat(judge(lookup, workspace) instanceof Allowed)
        .isEqualTo(free || workspace == WorkspaceState.TERMINATING);
  }

  @ParameterizedTest
  @MethodSource("states")
  void saysWhyInEveryCase(LookupResult lookup, WorkspaceState workspace) {
    switch (judge(lookup, workspace)) {
      case Allowed(var outcome, var warnings, var audits, var bypassed) -> {
        assertThat(outcome).isNotEqualTo(Outcome.UNCHECKED);
        assertThat(bypassed).isEmpty();
        if (outcome == Outcome.WORKSPACE_TERMINATING) {
          assertThat(workspace).isEqualTo(WorkspaceState.TERMINATING);
          return;
        }
        var complete = (LookupResult.Complete) lookup;
        boolean warned = !complete.of(Mode.WARN).isEmpty();
        boolean audited = !complete.of(Mode.AUDIT).isEmpty();
        assertThat(outcome).isEqualTo(warned || audited ? Outcome.TOLERATED : Outcome.NO_REFERRERS);
        assertThat(warnings).hasSize((warned ? 1 : 0) + complete.unchecked().size());
        assertThat(audits).hasSize(audited ? 1 : 0);
      }
      case Denied(var outcome, var refusal, var rules) when outcome == Outcome.DENIED -> {
        assertThat(refusal.code()).isEqualTo(403);
        assertThat(refusal.clientMessage())
            .isEqualTo(refusal.message())
            .startsWith("cannot delete vpcs/net1: still referenced by VirtualMachine/vm00000")
            .hasSizeLessThan(400);
        assertThat(rules).containsExactly("compute1/DENY");
      }
      case Denied(var outcome, var refusal, var rules) -> {
        assertThat(outcome).as("nothing is in flight").isEqualTo(Outcome.LOOKUP_FAILED);
        assertThat(refusal.message()).isEqualTo("the list failed");
        assertThat(refusal.clientMessage()).isEqualTo("ask again");
        assertThat(rules).isEmpty();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("states")
  void aBypassThatFailedChangesNothingButTheMessage(LookupResult lookup, WorkspaceState workspace) {
    AdmissionDecision before = judge(lookup, workspace);

    AdmissionDecision after = judge(lookup, workspace, Mode.DENY, List.of("it ended"));

    assertThat(after.outcome()).isEqualTo(before.outcome());
    if (before.outcome() != Outcome.DENIED) {
      assertThat(after).isEqualTo(before);
      return;
    }
    assertThat(message(after)).endsWith("; not bypassed: it ended");
    List<String> reasons = IntStream.range(0, 500).mapToObj(i -> "reason " + i).toList();
    assertThat(message(judge(lookup, workspace, Mode.DENY, reasons)))
        .endsWith("; reason 9; and 490 more");
  }

  private static String message(AdmissionDecision denied) {
    return ((Denied) denied).refusal().message();
  }

  /** Whatever the entry that asks was written for. */
  @ParameterizedTest
  @MethodSource("states")
  void whatRulesThatAreKnownSayCountsEverywhere(LookupResult lookup, WorkspaceState workspace) {
    AdmissionDecision decision = judge(lookup, workspace);

    for (Mode entry : Mode.values()) {
      assertThat(judge(lookup, workspace, entry, List.of())).isEqualTo(decision);
    }
  }

  @Test
  void rulesThatAreNotKnownRefuseOnlyWhatTheyMayForbid() {
    List<Rules<List<MatchedRule>>> all =
        List.of(new Rules.Loading<>("a shard"), new Rules.Stale<>(List.of(), "silent"));
    for (Rules<List<MatchedRule>> unknown : all) {
      String problem =
          unknown instanceof Rules.Stale ? DeletionPolicy.STALE : DeletionPolicy.NOT_LOADED;
      assertThat(decided(new DeletionFacts(VPC, Mode.DENY).with(unknown)))
          .isEqualTo(new Denied(Outcome.NOT_READY, ClientRefusal.forbidden(problem)));
      for (Mode entry : List.of(Mode.WARN, Mode.AUDIT)) {
        assertThat(decided(new DeletionFacts(VPC, entry).with(unknown)))
            .isInstanceOfSatisfying(
                Allowed.class,
                allow -> {
                  assertThat(allow.outcome()).isEqualTo(Outcome.UNCHECKED);
                  assertThat(allow.warnings()).hasSize(1);
                });
      }
    }
  }

  @Test
  void checksInThisOrder() {
    assertThat(DeletionPolicy.CHECKS)
        .extracting(DeletionPolicy.Check::name, DeletionPolicy.Check::needs)
        .containsExactly(
            tuple("rules are loaded", Fact.RULES),
            tuple("rules are fresh", Fact.RULES),
            tuple("a rule protects the target", Fact.RULES),
            tuple("a rule is not bypassed", Fact.BYPASSES),
            tuple("a denying rule applies", Fact.DEPENDENTS),
            tuple("the workspace stays", Fact.WORKSPACE),
            tuple("no request is in flight", Fact.DEPENDENTS),
            tuple("dependents could be read", Fact.DEPENDENTS),
            tuple("nothing refers to the target", Fact.DEPENDENTS));
  }

  /** A fact costs requests. */
  @Test
  void needsNoFactOnceADecisionIsKnown() {
    var none = new DeletionFacts(VPC, Mode.DENY);
    assertThat(DeletionPolicy.nextStep(none)).isEqualTo(new Gather(Fact.RULES));
    assertThat(decided(none.with(new Rules.Loaded<>(List.of()))))
        .isEqualTo(new Allowed(Outcome.NO_RULES));
    DeletionFacts rules = none.with(new Rules.Loaded<>(List.of(PROTECTION)));
    assertThat(DeletionPolicy.nextStep(rules)).isEqualTo(new Gather(Fact.BYPASSES));
    assertThat(decided(rules.with(new Bypasses(List.of(PROTECTION), List.of()))))
        .isEqualTo(
            new Allowed(
                Outcome.SKIP_PROTECTION,
                List.of(),
                List.of(),
                List.of(PROTECTION.rule().qualifiedName())));
    DeletionFacts unbypassed = rules.with(Bypasses.NONE);
    assertThat(DeletionPolicy.nextStep(unbypassed)).isEqualTo(new Gather(Fact.DEPENDENTS));
    assertThat(decided(unbypassed.with(new LookupResult.Complete(Map.of(), List.of()))))
        .isEqualTo(new Allowed(Outcome.NO_REFERRERS));
    assertThat(DeletionPolicy.nextStep(unbypassed.with(new LookupResult.Incomplete("no", "no"))))
        .isEqualTo(new Gather(Fact.WORKSPACE));
  }

  @ParameterizedTest
  @EnumSource(WorkspaceState.class)
  void aRequestInFlightDeniesUnlessTheWorkspaceIsTerminating(WorkspaceState workspace) {
    var refusal = new ClientRefusal(429, "TooManyRequests", "in flight", Duration.ZERO);
    DeletionFacts facts =
        new DeletionFacts(VPC, Mode.DENY)
            .with(new Rules.Loaded<>(List.of(PROTECTION)))
            .with(Bypasses.NONE)
            .with(new LookupResult.Contended(refusal))
            .with(workspace);

    assertThat(decided(facts))
        .isEqualTo(
            workspace == WorkspaceState.TERMINATING
                ? new Allowed(Outcome.WORKSPACE_TERMINATING)
                : new Denied(Outcome.IN_FLIGHT, refusal));
  }

  private static AdmissionDecision judge(LookupResult lookup, WorkspaceState workspace) {
    return judge(lookup, workspace, Mode.DENY, List.of());
  }

  private static AdmissionDecision judge(
      LookupResult lookup, WorkspaceState workspace, Mode entry, List<String> refusals) {
    return decided(
        new DeletionFacts(VPC, entry)
            .with(new Rules.Loaded<>(List.of(PROTECTION)))
            .with(new Bypasses(List.of(), refusals))
            .with(lookup)
            .with(workspace));
  }

  private static void put(Map<Mode, Found> found, Mode mode, int count, Search search) {
    if (count > 0) {
      found.put(
          mode,
          new Found(Blockers.of(machines(count), search), List.of("compute1/" + mode), List.of()));
    }
  }

  private static List<Blocker> machines(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> new Blocker("VirtualMachine", "default", "vm%05d".formatted(i)))
        .toList();
  }
}
