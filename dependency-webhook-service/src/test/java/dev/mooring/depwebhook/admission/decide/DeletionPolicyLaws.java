package dev.mooring.depwebhook.admission.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depwebhook.Fixtures;
import dev.mooring.depwebhook.admission.decide.Verdict.Allow;
import dev.mooring.depwebhook.admission.decide.Verdict.AllowReason;
import dev.mooring.depwebhook.admission.decide.Verdict.Deny;
import dev.mooring.depwebhook.admission.decide.Verdict.Missing;
import dev.mooring.depwebhook.admission.decide.Verdict.Undetermined;
import dev.mooring.depwebhook.eligibility.decide.WorkspaceState;
import dev.mooring.depwebhook.lookup.decide.Found;
import dev.mooring.depwebhook.lookup.decide.Lookup;
import dev.mooring.model.dependency.Blocker;
import dev.mooring.model.dependency.Blockers;
import dev.mooring.model.dependency.Blockers.Search;
import dev.mooring.model.dependency.Mode;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The whole state space: what a lookup can come to for each mode, whether something could not be
 * read, and what becomes of the workspace.
 */
class DeletionPolicyLaws {
  private static final List<Integer> COUNTS = List.of(0, 1, 10, 11, 9000);

  static Stream<Arguments> states() {
    return lookups().stream()
        .flatMap(
            lookup -> Stream.of(WorkspaceState.values()).map(state -> Arguments.of(lookup, state)));
  }

  private static List<Lookup> lookups() {
    var lookups = new ArrayList<Lookup>();
    lookups.add(new Lookup.Incomplete("the list failed"));
    for (Search search : Search.values()) {
      for (int denied : COUNTS) {
        for (int warned : List.of(0, 11)) {
          for (int audited : List.of(0, 1)) {
            for (List<String> unchecked : List.of(List.<String>of(), List.of("unread"))) {
              var found = new EnumMap<Mode, Found>(Mode.class);
              put(found, Mode.DENY, denied, search);
              put(found, Mode.WARN, warned, search);
              put(found, Mode.AUDIT, audited, search);
              lookups.add(new Lookup.Complete(found, unchecked));
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
      Lookup lookup, WorkspaceState workspace) {
    boolean free = lookup instanceof Lookup.Complete complete && complete.of(Mode.DENY).isEmpty();

    assertThat(judge(lookup, workspace) instanceof Allow)
        .isEqualTo(free || workspace == WorkspaceState.TERMINATING);
  }

  @ParameterizedTest
  @MethodSource("states")
  void saysWhyInEveryCase(Lookup lookup, WorkspaceState workspace) {
    switch (judge(lookup, workspace)) {
      case Allow(var reason, var warnings, var audits) -> {
        assertThat(reason).isNotEqualTo(AllowReason.UNCHECKED);
        if (reason == AllowReason.WORKSPACE_TERMINATING) {
          assertThat(workspace).isEqualTo(WorkspaceState.TERMINATING);
          return;
        }
        var complete = (Lookup.Complete) lookup;
        boolean warned = !complete.of(Mode.WARN).isEmpty();
        boolean audited = !complete.of(Mode.AUDIT).isEmpty();
        assertThat(reason)
            .isEqualTo(warned || audited ? AllowReason.TOLERATED : AllowReason.NO_REFERRERS);
        assertThat(warnings).hasSize((warned ? 1 : 0) + complete.unchecked().size());
        assertThat(audits).hasSize(audited ? 1 : 0);
      }
      case Verdict.Contended contended ->
          throw new AssertionError("nothing is in flight: " + contended);
      case Deny(var message, var rules) -> {
        assertThat(message)
            .startsWith("cannot delete vpcs/net1: still referenced by VirtualMachine/vm00000")
            .hasSizeLessThan(400);
        assertThat(rules).containsExactly("compute1/DENY");
      }
      case Undetermined(var what, var message) -> {
        assertThat(what).isEqualTo(Missing.REFERRERS);
        assertThat(message).isEqualTo("the list failed");
      }
    }
  }

  @ParameterizedTest
  @MethodSource("states")
  void aBypassThatFailedChangesNothingButTheMessage(Lookup lookup, WorkspaceState workspace) {
    Verdict before = judge(lookup, workspace);

    Verdict after = DeletionPolicy.withoutBypass(before, List.of("it ended"));

    assertThat(after.getClass()).isEqualTo(before.getClass());
    assertThat(DeletionPolicy.withoutBypass(before, List.of())).isEqualTo(before);
    if (after instanceof Deny(var message, _)) {
      assertThat(message).endsWith("; not bypassed: it ended");
    }
    List<String> reasons = IntStream.range(0, 500).mapToObj(i -> "reason " + i).toList();
    if (DeletionPolicy.withoutBypass(before, reasons) instanceof Deny(var message, _)) {
      assertThat(message).endsWith("; reason 9; and 490 more");
    }
  }

  /** Whatever the entry that asks was written for. */
  @ParameterizedTest
  @MethodSource("states")
  void whatRulesThatAreKnownSayCountsEverywhere(Lookup lookup, WorkspaceState workspace) {
    Verdict verdict = judge(lookup, workspace);

    for (Mode mode : Mode.values()) {
      assertThat(DeletionPolicy.under(mode, verdict)).isEqualTo(verdict);
    }
  }

  @Test
  void rulesThatAreNotKnownRefuseOnlyWhatTheyMayForbid() {
    for (Verdict unknown : List.of(DeletionPolicy.RULES_NOT_LOADED, DeletionPolicy.RULES_STALE)) {
      assertThat(DeletionPolicy.under(Mode.DENY, unknown)).isEqualTo(unknown);
      assertThat(DeletionPolicy.under(Mode.WARN, unknown))
          .isInstanceOfSatisfying(
              Allow.class,
              allow -> {
                assertThat(allow.reason()).isEqualTo(AllowReason.UNCHECKED);
                assertThat(allow.warnings()).hasSize(1);
              });
    }
  }

  private static Verdict judge(Lookup lookup, WorkspaceState workspace) {
    return DeletionPolicy.inWorkspace(DeletionPolicy.judge(Fixtures.VPC, lookup), workspace);
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
