package dev.mooring.depwebhook.admission.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depwebhook.Fixtures;
import dev.mooring.depwebhook.admission.decide.Verdict.Allow;
import dev.mooring.depwebhook.admission.decide.Verdict.Deny;
import dev.mooring.depwebhook.admission.decide.Verdict.Ground;
import dev.mooring.depwebhook.admission.decide.Verdict.Missing;
import dev.mooring.depwebhook.admission.decide.Verdict.Unready;
import dev.mooring.depwebhook.lookup.decide.Lookup;
import dev.mooring.model.dependency.Blocker;
import dev.mooring.model.dependency.Blockers;
import dev.mooring.model.dependency.Blockers.Search;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The whole state space: who asked for a bypass, and everything that a lookup can come to. */
class DeletionPolicyLaws {
  static Stream<Arguments> states() {
    var lookups = new ArrayList<Lookup>();
    lookups.add(new Lookup.Incomplete("the list failed"));
    for (Search search : Search.values()) {
      for (int found : List.of(0, 1, 10, 11, 9000)) {
        lookups.add(new Lookup.Complete(Blockers.of(machines(found), search)));
      }
    }
    return Stream.of(Bypass.values())
        .flatMap(bypass -> lookups.stream().map(lookup -> Arguments.of(bypass, lookup)));
  }

  @ParameterizedTest
  @MethodSource("states")
  void allowsOnlyWhatIsBypassedOrKnownToBeFree(Bypass bypass, Lookup lookup) {
    boolean free = lookup instanceof Lookup.Complete(var blockers) && blockers.isEmpty();

    Verdict verdict = DeletionPolicy.judge(bypass, Fixtures.VPC, lookup);

    assertThat(verdict instanceof Allow).isEqualTo(bypass == Bypass.REQUESTED || free);
  }

  @ParameterizedTest
  @MethodSource("states")
  void saysWhyInEveryCase(Bypass bypass, Lookup lookup) {
    Verdict verdict = DeletionPolicy.judge(bypass, Fixtures.VPC, lookup);

    switch (verdict) {
      case Allow(var ground) ->
          assertThat(ground)
              .isEqualTo(bypass == Bypass.REQUESTED ? Ground.SKIP_PROTECTION : Ground.NO_REFERRERS);
      case Deny(var message) ->
          assertThat(message)
              .startsWith("cannot delete vpcs/net1: still referenced by VirtualMachine/vm00000")
              .hasSizeLessThan(400);
      case Unready(var what, var message) -> {
        assertThat(what).isEqualTo(Missing.REFERRERS);
        assertThat(message).isEqualTo("the list failed");
      }
    }
  }

  private static List<Blocker> machines(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> new Blocker("VirtualMachine", "default", "vm%05d".formatted(i)))
        .toList();
  }
}
