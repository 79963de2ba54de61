package dev.mooring.depwebhook.lookup;

import static dev.mooring.depwebhook.Fixtures.VPC;
import static dev.mooring.depwebhook.Fixtures.machine;
import static dev.mooring.depwebhook.Fixtures.vmNeedsVpc;
import static dev.mooring.depwebhook.Fixtures.vpc;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.depwebhook.FakeWorkspace.Scope;
import dev.mooring.depwebhook.standing.decide.Binding;
import dev.mooring.runtime.client.KubeFailure.Kind;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Lookups by what is remembered, when the type may come from elsewhere meanwhile. */
class RememberedOriginsTest extends RememberedGround {
  /** Of a version as it was, each machine now refers to net1: by default. */
  private void everyReferenceDefaultsTo(String vpc) {
    machines.replaceAll(machine -> machine.with(vpc, "spec", "vpcRef", "name"));
  }

  @Test
  void areReadByOtherDefaultsOnceTheSchemaHasMoved() {
    has(MANY, "net2");
    blockers(VPC);
    bind("s2");
    everyReferenceDefaultsTo("net1");
    asked();

    assertThat(blockers(VPC)).hasSize(10);
    assertThat(asked()).containsExactly(VERSIONS, WHOLE);
  }

  @Test
  void costOneMoreReadByName() {
    has(MANY, "net2");
    blockers(VPC);
    assertThat(bindings.requests).isEmpty();

    blockers(VPC);

    assertThat(bindings.requests).containsExactly(THE_BINDING);
  }

  @Test
  void areListedWholeOnceMoreAfterTheBindingWasWritten() {
    has(MANY, "net2");
    blockers(VPC);
    bind("s1");
    asked();
    blockers(VPC);
    blockers(VPC);
    assertThat(asked()).as("servers may not know yet").containsExactly(VERSIONS, WHOLE, WHOLE);

    time.advance(KnownOrigins.SETTLED_AFTER);
    blockers(VPC);
    blockers(VPC);
    assertThat(asked()).containsExactly(WHOLE, VERSIONS);
  }

  /** The list is answered by a server that has not heard of the move that was read beside it. */
  @Test
  void areNotRememberedAsAServerThatIsBehindShowsThem() {
    has(MANY, "net2");
    blockers(VPC);
    bind("s2");
    blockers(VPC);
    time.advance(Duration.ofSeconds(1));
    everyReferenceDefaultsTo("net1");

    assertThat(blockers(VPC)).hasSize(10);
  }

  @Test
  void areListedWholeUntilItIsKnownWhereTheyComeFrom() {
    DependentMemory fresh = new DependentMemory(3 * MANY, time);
    DependentLookup starting = lookupWith(fresh);
    has(MANY, "net2");
    blockers(starting, VPC, vmNeedsVpc());
    await().until(() -> fresh.origins().settled(PLACE, time.instant().plusSeconds(60)).isPresent());
    assertThat(bindings.requests).containsExactly(ALL_BINDINGS);
    time.advance(KnownOrigins.SETTLED_AFTER);
    blockers(starting, VPC, vmNeedsVpc());
    blockers(starting, VPC, vmNeedsVpc());

    assertThat(asked()).containsExactly(WHOLE, WHOLE, VERSIONS);
    assertThat(bindings.requests).containsExactly(ALL_BINDINGS, THE_BINDING);
  }

  @Test
  void areListedWholeWhereNobodyKnowsWhereTheyComeFrom() {
    has(MANY, "net2");
    blockers(VPC);
    asked();
    bindings.failsReadsOnce(Kind.FORBIDDEN, 403, "no");
    assertThat(blockers(VPC)).isEmpty();
    assertThat(asked()).containsExactly(VERSIONS, WHOLE);

    bindings.failsReadsOnce(Kind.UNAVAILABLE, 503, "no");
    assertThat(blockers(VPC)).isEmpty();
    assertThat(asked()).containsExactly(VERSIONS, WHOLE);
  }

  @Test
  void areListedWholeWhereNoBindingBringsThem() {
    has(MANY, "net2");
    blockers(VPC);
    bindings.serves(Binding.TYPE, Scope.CLUSTER);
    asked();
    for (int i = 0; i < 3; i++) {
      assertThat(blockers(VPC)).isEmpty();
      time.advance(KnownOrigins.SETTLED_AFTER);
    }

    assertThat(asked()).containsExactly(VERSIONS, WHOLE, WHOLE, WHOLE);
  }
}
