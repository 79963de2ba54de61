package dev.mooring.depwebhook.lookup.memory;

import static dev.mooring.depwebhook.Fixtures.MACHINES;
import static dev.mooring.depwebhook.Fixtures.VPCS;
import static dev.mooring.depwebhook.Fixtures.computed;
import static dev.mooring.depwebhook.Fixtures.machine;
import static dev.mooring.depwebhook.Fixtures.rule;
import static dev.mooring.depwebhook.Fixtures.vmNeedsVpc;
import static dev.mooring.depwebhook.Fixtures.vpc;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depwebhook.lookup.DependentLookup;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.Target;
import dev.mooring.model.object.KubeObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random sequences of writes, of rules, and of schemas that change. */
class RememberedHistoriesTest extends RememberedFixture {
  /** After any changes the answer is that of a lookup that lists all dependents. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
  void answerAsIfAllWereListed(long seed) {
    var random = new Random(seed);
    DependentLookup listing = lookupWith(new DependentMemory(0, time));
    has(MANY + 50, "net0");
    var schema = new ChangingSchema();
    for (int round = 0; round < 60; round++) {
      int changes = random.nextInt(4) == 0 ? 60 : random.nextInt(6);
      for (int i = 0; i < changes; i++) {
        changeOne(random);
      }
      if (random.nextInt(6) == 0) {
        schema.change(random);
      }
      time.advance(Duration.ofMillis(random.nextInt(random.nextInt(3) == 0 ? 20_000 : 500)));
      Target target = vpc("default", "net" + random.nextInt(4));
      DependencyRule rule = RULES.get(random.nextInt(RULES.size()));
      List<KubeObject> stored = List.copyOf(machines);
      machines.replaceAll(schema::served);

      assertThat(outcome(lookup, target, rule))
          .as("seed %d, round %d, %s of %s", seed, round, rule.key().name(), target)
          .isEqualTo(outcome(listing, target, rule));
      machines.clear();
      machines.addAll(stored);
    }
    assertThat(requests()).as("both methods were used").contains(VERSIONS, WHOLE);
  }

  /** Rules that read other fields, and the same field by an expression. */
  private static final List<DependencyRule> RULES =
      List.of(
          vmNeedsVpc(),
          vmNeedsVpc(),
          rule("peers", MACHINES, "root:network", VPCS, ".spec.peer.name"),
          computed("computed", "[object.spec.vpcRef.name]"));

  /** A schema with a changing default for the peer. */
  private final class ChangingSchema {
    private String before = "";
    private String now = "";
    private Instant behindUntil = Instant.MIN;

    void change(Random random) {
      before = now;
      now = random.nextInt(3) == 0 ? now : "net" + random.nextInt(4);
      // Until then a server with the old schema answers.
      behindUntil = time.instant().plusMillis(random.nextInt(9_000));
      bind("default " + now);
    }

    /** Only some have no peer of their own. */
    KubeObject served(KubeObject machine) {
      String peer = time.instant().isBefore(behindUntil) ? before : now;
      return peer.isEmpty() || !machine.name().endsWith("77")
          ? machine
          : machine.with(peer, "spec", "peer", "name");
    }
  }

  private void changeOne(Random random) {
    int index = random.nextInt(machines.size());
    KubeObject there = machines.get(index);
    // Few refer: more than a message names would be found in another order.
    String vpc = "net" + (random.nextInt(30) == 0 ? random.nextInt(4) : 0);
    switch (random.nextInt(4)) {
      case 0 -> add(machine("default", "new" + version, vpc));
      case 1 -> machines.remove(index);
      case 2 -> change(index, machine("default", there.name(), vpc));
      default ->
          machines.set(
              index, identified(machine("default", there.name(), vpc), ++version, ++version));
    }
  }
}
