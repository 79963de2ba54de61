package dev.mooring.syncagent.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeFailure.Kind;
import dev.mooring.runtime.testing.Seeds;
import dev.mooring.syncagent.published.Adoption;
import dev.mooring.syncagent.published.ApiType;
import dev.mooring.syncagent.published.LabelSelector;
import dev.mooring.syncagent.published.NamePattern;
import dev.mooring.syncagent.published.NamespaceMetadata;
import dev.mooring.syncagent.published.Naming;
import dev.mooring.syncagent.published.ProjectedSchema.StatusSubresource;
import dev.mooring.syncagent.published.PublishedResource.Synchronization;
import dev.mooring.syncagent.published.RelatedResource;
import dev.mooring.syncagent.published.RelatedResource.Cleanup;
import dev.mooring.syncagent.published.Scope;
import dev.mooring.syncagent.published.SyncPolicy;
import dev.mooring.syncagent.published.SyncPolicy.Drift;
import dev.mooring.syncagent.published.SyncPolicy.EmptyNamespaces;
import dev.mooring.syncagent.published.SyncPolicy.OnLeave;
import dev.mooring.syncagent.published.mutation.Mutations;
import dev.mooring.syncagent.simulation.LaggingCache;
import dev.mooring.syncagent.simulation.ServerModel;
import dev.mooring.syncagent.sync.SimulatedAgent.States;
import dev.mooring.syncagent.sync.SimulatedPeople.Deed;
import dev.mooring.syncagent.sync.decide.SyncRules;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The agent's own code between two modelled servers while people, faults, late caches, restarts and
 * a second agent get in its way, in virtual time and in an order that the seed decides. After a
 * while everything heals; then it has to settle, within a bounded number of writes, to what {@link
 * SimulatedWorld#checkSettled} asks for, and write nothing more. What an agent may never do is
 * checked at every write. To replay a failure, run its seed alone.
 */
class SyncSimulation {
  private static final int SEEDS = 600;
  private static final int STEPS = 250;

  /** There are more caches to bring up to date, and more to happen. */
  private static final int RELATED_STEPS = 500;

  /** Four objects, each at most: namespace, hold, copy, content, status, and all the way back. */
  private static final int HEALING_WRITES_MAX = 60;

  /** Two related objects for each: record, hold, namespace, copy, record, name, and back. */
  private static final int RELATED_HEALING_WRITES_MAX = 200;

  /** Far more than looking at everything again every so often takes. */
  private static final int PASSES_MAX = 3_000;

  private static final long MINUTE = 60_000;

  /** Beyond those that are played anyway, each of which found a defect. */
  private static final int[] FOUND = {1300, 1914, 3197};

  static IntStream seeds() {
    return IntStream.concat(Seeds.of(SEEDS), IntStream.of(FOUND));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void settlesAfterEverythingHealed(long seed) {
    new Run(seed).play();
  }

  /** One seed. */
  private static final class Run implements ServerModel.Faults {
    private final RandomGenerator chance;
    private final SyncRules rules;
    private final List<RelatedResource> related;
    private final States states;
    private final SimulatedWorld world;
    private final SimulatedPeople people;
    private final List<SimulatedAgent> agents = new ArrayList<>();
    private final double failing;
    private final double losingRecords;
    private final double interleaving;
    private long now;
    private boolean healed;
    private boolean interrupting;

    Run(long seed) {
      this.chance = new Random(seed * 7_919 + 13);
      // Two tenants after one name; under Always they would take it from each other for ever.
      boolean sharedNamespace = chance.nextInt(3) == 0;
      this.rules = rules(chance, sharedNamespace);
      this.related =
          SimulatedRelatedObjects.entries(
              one(chance, SimulatedRelatedObjects.Kind.values()), one(chance, Cleanup.values()));
      this.states = one(chance, States.values());
      this.world = new SimulatedWorld(rules, related, this);
      this.failing = chance.nextInt(3) == 0 ? 0 : chance.nextDouble() * 0.3;
      this.losingRecords = chance.nextInt(3) == 0 ? 0.5 + chance.nextDouble() / 2 : 0;
      this.interleaving = chance.nextInt(2) == 0 ? 0 : chance.nextDouble() * 0.2;
      this.people = new SimulatedPeople(world, chance, deeds(), sharedNamespace ? "shared" : "c1");
    }

    void play() {
      people.moveIn();
      agents.add(agent());
      boolean two = chance.nextInt(4) == 0;
      if (two && states == States.WITH_COPIES) {
        // Only there content and state change at once, whoever writes.
        agents.add(agent());
        world.relatedObjects.severalAgents = true;
      }
      boolean restarts = chance.nextInt(3) == 0;
      try {
        int steps = related.isEmpty() ? STEPS : RELATED_STEPS;
        for (int step = 0; step < steps; step++) {
          step(restarts);
        }
        heal();
      } catch (AssertionError e) {
        throw new AssertionError(
            rules.adoption()
                + ", states "
                + states
                + ", "
                + rules.policy()
                + ", relatedObjects "
                + related.stream().map(e1 -> e1.identifier() + " " + e1.cleanup()).toList()
                + "\n"
                + e
                + "\nafter "
                + world.recently(),
            e);
      }
    }

    private SimulatedAgent agent() {
      return new SimulatedAgent(rules, related, states, world.kcp, world.service);
    }

    private void step(boolean restarts) {
      now += chance.nextInt(400);
      SimulatedAgent agent = agents.get(chance.nextInt(agents.size()));
      LaggingCache cache = agent.caches().get(chance.nextInt(agent.caches().size()));
      switch (chance.nextInt(10)) {
        case 0, 1 -> people.act();
        case 2, 3, 4, 5 -> agent.advance(cache, now);
        case 6 -> {
          if (chance.nextInt(6) == 0) {
            agent.relist(cache, now);
          }
        }
        default -> agent.work(chance, now);
      }
      if (restarts && chance.nextInt(60) == 0) {
        agents.set(agents.indexOf(agent), agent());
      }
    }

    private void heal() {
      healed = true;
      people.letGo();
      int before = world.kcp.writes() + world.service.writes();
      runUntilQuiet(now + 20 * MINUTE);
      int writes = world.kcp.writes() + world.service.writes() - before;
      assertThat(writes)
          .as("writes to settle")
          .isLessThanOrEqualTo(related.isEmpty() ? HEALING_WRITES_MAX : RELATED_HEALING_WRITES_MAX);
      world.checkSettled();

      runUntilQuiet(now + 20 * MINUTE);
      assertThat(world.kcp.writes() + world.service.writes())
          .as("writes once settled")
          .isEqualTo(before + writes);

      agents.replaceAll(_ -> agent());
      runUntilQuiet(now + 20 * MINUTE);
      world.checkSettled();
      world.checkStates();
    }

    /** Everything that is due until then, with caches that keep up. */
    private void runUntilQuiet(long until) {
      for (int pass = 0; pass < PASSES_MAX; pass++) {
        boolean busy = false;
        for (SimulatedAgent agent : agents) {
          while (agent.isBehind()) {
            agent.caches().forEach(cache -> agent.advance(cache, now));
          }
          busy |= agent.work(chance, now);
        }
        if (busy) {
          continue;
        }
        long next =
            agents.stream()
                .flatMap(agent -> agent.nextDue().stream())
                .min(Long::compare)
                .orElse(Long.MAX_VALUE);
        if (next > until) {
          now = until;
          return;
        }
        now = Math.max(now, next);
      }
      throw new AssertionError("after " + PASSES_MAX + " passes still at it: " + world.recently());
    }

    @Override
    public void before(String verb) {
      if (interrupting) {
        return;
      }
      world.relatedObjects.interrupted = false;
      if (healed) {
        return;
      }
      if (chance.nextDouble() < interleaving) {
        // Somebody is quicker than the request that is on its way.
        interrupting = true;
        people.act();
        interrupting = false;
        world.relatedObjects.interrupted = true;
      }
      if (chance.nextDouble() < failing) {
        boolean write = !verb.equals("get");
        throw chance.nextBoolean() && write
            ? new KubeFailure(Kind.CONFLICT, 409, "", "as the seed has it", null, null)
            : new KubeFailure(Kind.UNAVAILABLE, 0, "", "as the seed has it", null, null);
      }
    }

    @Override
    public void after(String verb) {
      if (!healed && chance.nextDouble() < failing / 2) {
        throw new KubeFailure(Kind.UNAVAILABLE, 0, "", "lost, as the seed has it", null, null);
      }
    }

    /** Records and states; the copies that they are about were written. */
    @Override
    public void changing(ResourceType type, ObjectKey key) {
      if (!healed && key.namespace().equals("agents") && chance.nextDouble() < losingRecords) {
        throw new KubeFailure(Kind.UNAVAILABLE, 0, "", "lost, as the seed has it", null, null);
      }
    }

    private List<Deed> deeds() {
      var all = new ArrayList<>(List.of(Deed.values()));
      Collections.shuffle(all, Random.from(chance));
      var some = new ArrayList<>(all.subList(0, 2 + chance.nextInt(all.size() - 1)));
      some.addAll(List.of(Deed.ORDER, Deed.ORDER, Deed.CANCEL));
      if (losingRecords > 0) {
        some.addAll(Collections.nCopies(2 * some.size(), Deed.EDIT_ORIGINAL));
        some.addAll(Collections.nCopies(some.size(), Deed.EDIT));
        some.addAll(List.of(Deed.MAKE_ORIGINAL, Deed.MAKE_ORIGINAL));
      }
      if (rules.policy().emptyNamespaces() == EmptyNamespaces.DELETE) {
        // Whatever is in a Namespace goes with it, as its owner asked for.
        some.remove(Deed.SET_LOCAL_FIELD);
      }
      return List.copyOf(some);
    }

    private static SyncRules rules(RandomGenerator chance, boolean sharedNamespace) {
      var thing =
          new ApiType(new ResourceType("example.io", "v1", "things"), "Thing", Scope.NAMESPACED);
      var wanted =
          new LabelSelector.Requirement("wanted", LabelSelector.Operator.EXISTS, List.of());
      return new SyncRules(
          "agent",
          thing,
          thing,
          StatusSubresource.PRESENT,
          new Naming(
              NamePattern.compile(sharedNamespace ? "shared" : "$remoteClusterName", "namespace"),
              NamePattern.compile("$remoteName", "name"),
              NamespaceMetadata.NONE),
          Mutations.NONE,
          chance.nextInt(3) == 0 ? new LabelSelector(List.of(wanted)) : LabelSelector.EVERYTHING,
          LabelSelector.EVERYTHING,
          sharedNamespace
              ? one(chance, new Adoption[] {Adoption.NEVER, Adoption.MARKED, Adoption.UNCLAIMED})
              : one(chance, Adoption.values()),
          Synchronization.ON,
          new SyncPolicy(
              one(chance, Drift.values()),
              one(chance, OnLeave.values()),
              sharedNamespace ? EmptyNamespaces.KEEP : one(chance, EmptyNamespaces.values())));
    }

    private static <T> T one(RandomGenerator chance, T[] values) {
      return values[chance.nextInt(values.length)];
    }
  }
}
