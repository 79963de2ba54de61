package dev.mooring.depwebhook.lookup.memory;

import static dev.mooring.depwebhook.Fixtures.MACHINES;
import static dev.mooring.depwebhook.Fixtures.VPC;
import static dev.mooring.depwebhook.Fixtures.VPCS;
import static dev.mooring.depwebhook.Fixtures.computed;
import static dev.mooring.depwebhook.Fixtures.machine;
import static dev.mooring.depwebhook.Fixtures.rule;
import static dev.mooring.depwebhook.Fixtures.vmNeedsVpc;
import static dev.mooring.depwebhook.Fixtures.vpc;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depwebhook.FakeWorkspace.Scope;
import dev.mooring.depwebhook.eligibility.decide.Binding;
import dev.mooring.depwebhook.lookup.DependentLookup;
import dev.mooring.depwebhook.lookup.decide.Lookup;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.runtime.client.KubeFailure.Kind;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Lookups after a lookup that has read a long list. */
class RememberedDependentsTest extends RememberedFixture {
  @Test
  void readOnlyVersionsIfNothingChanged() {
    has(MANY, "net2");
    assertThat(blockers(VPC)).isEmpty();
    assertThat(requests()).containsExactly(WHOLE);

    assertThat(blockers(VPC)).isEmpty();
    assertThat(requests()).containsExactly(VERSIONS);
  }

  @Test
  void readLiveWhatMayRefer() {
    has(MANY, "net2");
    add(machine("default", "first", "net1"));
    add(machine("default", "second", "net1"));
    assertThat(blockers(VPC)).containsExactly("first", "second");
    requests();

    assertThat(blockers(VPC)).containsExactly("first", "second");
    assertThat(requests()).containsExactlyInAnyOrder(VERSIONS, get("first"), get("second"));
  }

  @Test
  void findWhatWasCreated() {
    has(MANY, "net2");
    blockers(VPC);
    add(machine("default", "new", "net1"));

    assertThat(blockers(VPC)).containsExactly("new");
  }

  @Test
  void findWhatWasChanged() {
    has(MANY, "net2");
    blockers(VPC);
    change(7, machine("default", "vm7", "net1"));

    assertThat(blockers(VPC)).containsExactly("vm7");
  }

  @Test
  void findWhatWasRecreatedWithTheSameVersion() {
    has(MANY, "net2");
    blockers(VPC);
    machines.set(7, identified(machine("default", "vm7", "net1"), 1_000_000, 8));

    assertThat(blockers(VPC)).containsExactly("vm7");
  }

  @Test
  void ignoreWhatIsGoneOrNoLongerRefers() {
    has(MANY, "net2");
    add(machine("default", "gone", "net1"));
    add(machine("default", "turned", "net1"));
    blockers(VPC);
    machines.remove(MANY);
    change(MANY, machine("default", "turned", "net2"));

    assertThat(blockers(VPC)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "seven"})
  void readWhatHasNoUsableVersionOrUid(String unclear) {
    has(MANY, "net2");
    machines.set(7, machines.get(7).with(unclear, "metadata", "resourceVersion"));
    machines.set(8, machines.get(8).with("uid-8", "metadata", "uid"));
    blockers(VPC);
    machines.set(7, machines.get(7).with("net1", "spec", "vpcRef", "name"));
    machines.set(8, machines.get(8).with("net1", "spec", "vpcRef", "name"));

    assertThat(blockers(VPC)).containsExactly("vm7", "vm8");
  }

  @Test
  void readWhoseReferencesAreUndecidable() {
    has(MANY, "net2");
    DependencyRule rule = computed("expression", "object.spec.nothing.like.this");
    machines.set(7, machines.get(7).with(List.of("odd"), "spec", "nothing"));
    List<String> whole = blockers(VPC, rule);
    requests();

    assertThat(whole).isNotEmpty();
    assertThat(blockers(VPC, rule)).isEqualTo(whole);
  }

  @Test
  void distinguishTargets() {
    has(MANY, "net2");
    add(machine("default", "other", "net3"));
    blockers(VPC);
    requests();

    assertThat(blockers(vpc("default", "net3"))).containsExactly("other");
    assertThat(requests()).containsExactly(VERSIONS, get("other"));
  }

  @Test
  void areNotUsedForRulesThatReadOtherFields() {
    has(MANY, "net2");
    blockers(VPC);
    machines.set(7, machines.get(7).with("net1", "spec", "peer", "name"));
    requests();

    assertThat(blockers(VPC, rule("peers", MACHINES, "root:network", VPCS, ".spec.peer.name")))
        .containsExactly("vm7");
    assertThat(requests()).containsExactly(WHOLE);
  }

  @Test
  void areListedWholeIfTooManyHaveChanged() {
    has(MANY, "net2");
    time.advance(Duration.ofSeconds(10));
    blockers(VPC);
    time.advance(Duration.ofSeconds(10));
    for (int i = 0; i <= VersionComparison.READS_MAX; i++) {
      change(i * 20, machine("default", "vm" + i * 20, i == 3 ? "net1" : "net2"));
    }
    requests();

    assertThat(blockers(VPC)).containsExactly("vm60");
    assertThat(requests()).containsExactly(VERSIONS, WHOLE);

    time.advance(Duration.ofSeconds(6));
    blockers(VPC);
    assertThat(requests()).as("too much changes in half of that time").containsExactly(WHOLE);

    time.advance(Duration.ofSeconds(4));
    blockers(VPC);
    assertThat(requests()).contains(VERSIONS);
  }

  @Test
  void areListedWholeIfTooManyMayRefer() {
    has(MANY, "net1");
    // Stops early: nothing is kept.
    blockers(VPC);
    blockers(vpc("default", "net2"));
    requests();

    assertThat(blockers(VPC)).hasSize(10);
    assertThat(requests()).containsExactly(VERSIONS, WHOLE);

    assertThat(blockers(vpc("default", "net2"))).isEmpty();
    assertThat(requests()).containsExactly(VERSIONS);
  }

  @Test
  void areListedWholeAfterAMinute() {
    has(MANY, "net2");
    blockers(VPC);
    time.advance(DependentMemory.AGE_MAX);
    requests();

    blockers(VPC);
    assertThat(requests()).containsExactly(VERSIONS);

    time.advance(Duration.ofMillis(1));
    blockers(VPC);
    assertThat(requests()).containsExactly(WHOLE);
  }

  @Test
  void areNotRememberedIfTheyAreFew() {
    has(MANY - 1, "net2");
    blockers(VPC);
    blockers(VPC);

    assertThat(requests()).containsExactly(WHOLE, WHOLE);
    assertThat(memory.size()).isZero();
  }

  @Test
  void areNotRememberedIfTheyAreTooMany() {
    has(3 * MANY + 1, "net2");
    blockers(VPC);
    blockers(VPC);

    assertThat(requests()).containsExactly(WHOLE, WHOLE);
    assertThat(memory.size()).isZero();
  }

  @Test
  void areEvictedLeastRecentlyUsedFirst() {
    has(MANY, "net2");
    String[] fields = {".spec.a", ".spec.b", ".spec.c", ".spec.d"};
    for (String field : fields) {
      blockers(VPC, rule("rule", MACHINES, "root:network", VPCS, field));
    }
    assertThat(memory.size()).isEqualTo(3 * MANY);
    requests();

    for (int i = fields.length - 1; i >= 0; i--) {
      blockers(VPC, rule("rule", MACHINES, "root:network", VPCS, fields[i]));
    }
    assertThat(requests()).containsExactly(VERSIONS, VERSIONS, VERSIONS, WHOLE);
  }

  @Test
  void areNotRememberedIfTheMaximumIsZero() {
    DependentLookup listing = lookupWith(new DependentMemory(0, time));
    has(MANY, "net2");

    blockers(listing, VPC, vmNeedsVpc());
    blockers(listing, VPC, vmNeedsVpc());

    assertThat(requests()).containsExactly(WHOLE, WHOLE);
  }

  @Test
  void areForgottenIfTheMaximumBecomesSmallerThanTheirList() {
    has(MANY, "net2");
    blockers(VPC);
    requests();

    memory.limit(2 * MANY);
    assertThat(blockers(VPC)).isEmpty();
    assertThat(requests()).containsExactly(VERSIONS);

    memory.limit(MANY - 1);
    assertThat(memory.size()).isZero();
    assertThat(blockers(VPC)).isEmpty();
    assertThat(requests()).containsExactly(WHOLE);

    memory.limit(MANY);
    blockers(VPC);
    blockers(VPC);
    assertThat(requests()).containsExactly(WHOLE, VERSIONS);
  }

  @ParameterizedTest
  @CsvSource({"UNAVAILABLE, 503", "FORBIDDEN, 403", "INVALID, 400"})
  void areNotAbsentIfTheirVersionsCannotBeRead(Kind kind, int code) {
    has(MANY, "net2");
    blockers(VPC);
    workspace.failsOnce(kind, code, "no");

    assertThat(outcome(lookup, VPC, vmNeedsVpc())).isInstanceOf(Lookup.Incomplete.class);
  }

  @Test
  void areNotAbsentIfOneOfThemCannotBeRead() {
    has(MANY, "net2");
    add(machine("default", "first", "net1"));
    blockers(VPC);
    workspace.failsReadsOnce(Kind.UNAVAILABLE, 503, "no");

    assertThat(outcome(lookup, VPC, vmNeedsVpc())).isInstanceOf(Lookup.Incomplete.class);
  }

  @Test
  void areListedWholeIfReadingOneIsForbidden() {
    has(MANY, "net2");
    add(machine("default", "first", "net1"));
    blockers(VPC);
    workspace.failsReadsOnce(Kind.FORBIDDEN, 403, "no");

    assertThat(blockers(VPC)).containsExactly("first");
    assertThat(requests()).containsExactly(WHOLE, VERSIONS, get("first"), WHOLE);
  }

  /** Changes between the list of versions and the reads. */
  @Test
  void areEvaluatedAsReadAfterTheirVersions() {
    has(MANY, "net2");
    add(machine("default", "gone", "net1"));
    add(machine("default", "turned", "net1"));
    add(machine("default", "recreated", "net1"));
    blockers(VPC);
    afterVersions =
        () -> {
          machines.remove(MANY);
          change(MANY, machine("default", "turned", "net2"));
          machines.set(
              MANY + 1, identified(machine("default", "recreated", "net1"), 1_000_000, ++version));
          serve();
        };

    assertThat(blockers(VPC)).containsExactly("recreated");
  }

  @Test
  void areAbsentOnceTheirTypeIsNoLongerServed() {
    has(MANY, "net2");
    add(machine("default", "first", "net1"));
    blockers(VPC);
    afterVersions =
        () -> {
          workspace.servesNoMore(MACHINES);
          bindings.serves(Binding.TYPE, Scope.CLUSTER);
        };

    assertThat(blockers(VPC)).isEmpty();
    assertThat(requests()).as("confirmed by discovery").contains("get apis/" + MACHINES.group());
  }
}
