package dev.mooring.depwebhook.lookup.memory;

import static dev.mooring.depwebhook.Fixtures.VPC;
import static dev.mooring.depwebhook.Fixtures.machine;
import static dev.mooring.depwebhook.Fixtures.vmNeedsVpc;
import static dev.mooring.depwebhook.Fixtures.vpc;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.depwebhook.FakeWorkspace.Scope;
import dev.mooring.depwebhook.eligibility.decide.Binding;
import dev.mooring.depwebhook.lookup.DependentLookup;
import dev.mooring.runtime.client.KubeFailure.Kind;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Lookups by versions while the binding that brings the type changes. */
class RememberedSourcesTest extends RememberedFixture {
  /** Each machine refers to it by a default, with its version unchanged. */
  private void everyReferenceDefaultsTo(String vpc) {
    machines.replaceAll(machine -> machine.with(vpc, "spec", "vpcRef", "name"));
  }

  @Test
  void areListedWholeOnceTheSchemaHasOtherDefaults() {
    has(MANY, "net2");
    blockers(VPC);
    bind("s2");
    everyReferenceDefaultsTo("net1");
    requests();

    assertThat(blockers(VPC)).hasSize(10);
    assertThat(requests()).containsExactly(VERSIONS, WHOLE);
  }

  @Test
  void costOneReadOfTheBinding() {
    has(MANY, "net2");
    blockers(VPC);
    assertThat(bindings.requests).isEmpty();

    blockers(VPC);

    assertThat(bindings.requests).containsExactly(THE_BINDING);
  }

  @Test
  void areListedWholeUntilAWrittenBindingHasSettled() {
    has(MANY, "net2");
    blockers(VPC);
    bind("s1");
    requests();
    blockers(VPC);
    blockers(VPC);
    assertThat(requests())
        .as("another server may not know it yet")
        .containsExactly(VERSIONS, WHOLE, WHOLE);

    time.advance(BindingSources.SETTLED_AFTER);
    blockers(VPC);
    blockers(VPC);
    assertThat(requests()).containsExactly(WHOLE, VERSIONS);
  }

  /** The server that answers the list does not know the binding's last change yet. */
  @Test
  void areNotRememberedFromAServerThatIsBehind() {
    has(MANY, "net2");
    blockers(VPC);
    bind("s2");
    blockers(VPC);
    time.advance(Duration.ofSeconds(1));
    everyReferenceDefaultsTo("net1");

    assertThat(blockers(VPC)).hasSize(10);
  }

  @Test
  void areListedWholeUntilTheirBindingIsKnown() {
    DependentMemory fresh = new DependentMemory(3 * MANY, time);
    DependentLookup starting = lookupWith(fresh);
    has(MANY, "net2");
    blockers(starting, VPC, vmNeedsVpc());
    await().until(() -> fresh.sources().settled(TYPE, time.instant().plusSeconds(60)).isPresent());
    assertThat(bindings.requests).containsExactly(ALL_BINDINGS);
    time.advance(BindingSources.SETTLED_AFTER);
    blockers(starting, VPC, vmNeedsVpc());
    blockers(starting, VPC, vmNeedsVpc());

    assertThat(requests()).containsExactly(WHOLE, WHOLE, VERSIONS);
    assertThat(bindings.requests).containsExactly(ALL_BINDINGS, THE_BINDING);
  }

  @Test
  void areListedWholeIfTheirBindingCannotBeRead() {
    has(MANY, "net2");
    blockers(VPC);
    requests();
    bindings.failsReadsOnce(Kind.FORBIDDEN, 403, "no");
    assertThat(blockers(VPC)).isEmpty();
    assertThat(requests()).containsExactly(VERSIONS, WHOLE);

    bindings.failsReadsOnce(Kind.UNAVAILABLE, 503, "no");
    assertThat(blockers(VPC)).isEmpty();
    assertThat(requests()).containsExactly(VERSIONS, WHOLE);
  }

  @Test
  void areListedWholeIfNoBindingBringsThem() {
    has(MANY, "net2");
    blockers(VPC);
    bindings.serves(Binding.TYPE, Scope.CLUSTER);
    requests();
    for (int i = 0; i < 3; i++) {
      assertThat(blockers(VPC)).isEmpty();
      time.advance(BindingSources.SETTLED_AFTER);
    }

    assertThat(requests()).containsExactly(VERSIONS, WHOLE, WHOLE, WHOLE);
  }
}
