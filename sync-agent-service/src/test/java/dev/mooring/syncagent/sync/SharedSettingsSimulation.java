package dev.mooring.syncagent.sync;

import static dev.mooring.syncagent.sync.SimulatedAgent.SECRETS;
import static dev.mooring.syncagent.sync.SimulatedAgent.THINGS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeFailure.Kind;
import dev.mooring.runtime.testing.Seeds;
import dev.mooring.syncagent.content.decide.SourceMarks;
import dev.mooring.syncagent.published.RelatedResource;
import dev.mooring.syncagent.published.RelatedResource.Cleanup;
import dev.mooring.syncagent.simulation.LaggingCache;
import dev.mooring.syncagent.simulation.ServerModel;
import dev.mooring.syncagent.sync.SimulatedPeople.Deed;
import dev.mooring.syncagent.sync.decide.SyncRules;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Two things of a workspace share their settings. Both are ordered, cancelled and held at the
 * service in an order that the seed decides, while caches lag and answers to the creation of
 * things' copies are lost. {@link SimulatedRelatedObjects} checks at every write that the settings'
 * copy stays while the copy of a cancelled thing may need it. At the end nothing is left.
 */
class SharedSettingsSimulation {
  private static final int SEEDS = 800;
  private static final int STEPS = 200;
  private static final long SETTLING = 20 * 60_000;

  static IntStream seeds() {
    return Seeds.of(SEEDS);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void theCopyGoesWithTheLastThingAndNotBefore(long seed) {
    new Run(seed).play();
  }

  /** One seed. */
  private static final class Run implements ServerModel.Faults {
    private static final List<String> CLUSTERS = List.of("c1", "c2");

    private final RandomGenerator chance;
    private final List<RelatedResource> related =
        SimulatedRelatedObjects.entries(SimulatedRelatedObjects.Kind.SHARED, Cleanup.DELETE);
    private final SyncRules rules = SimulatedThings.rules();
    private final SimulatedWorld world = new SimulatedWorld(rules, related, this);
    private final SimulatedPeople people;
    private final SimulatedAgent agent;
    private final List<LaggingCache> lagging;
    private final double losing;
    private boolean healed;
    private long now;

    Run(long seed) {
      this.chance = new Random(seed * 7_919 + 13);
      this.losing = chance.nextBoolean() ? 0 : chance.nextDouble() / 2;
      this.people =
          new SimulatedPeople(
              world,
              chance,
              List.of(
                  Deed.ORDER,
                  Deed.ORDER,
                  Deed.CANCEL,
                  Deed.HOLD_COPY,
                  Deed.LET_GO_OF_COPY,
                  Deed.SET_LOCAL_VALUE),
              "c1");
      people.moveIn();
      KubeObject settings =
          SimulatedThings.object("default", world.relatedObjects.name("settings", ""));
      for (String cluster : CLUSTERS) {
        world
            .kcp
            .person(new LogicalCluster(cluster))
            .create(SECRETS, settings.with(Map.of("value", "v1"), "data"));
      }
      this.agent = new SimulatedAgent(rules, related, world.kcp, world.service);
      // What a cancelled thing needs is recorded by the time that the agent knows of its end.
      this.lagging = agent.caches().stream().skip(1).filter(_ -> chance.nextInt(3) > 0).toList();
    }

    void play() {
      try {
        for (int step = 0; step < STEPS; step++) {
          step();
        }
        end();
      } catch (AssertionError e) {
        throw new AssertionError(e + "\nafter " + world.recently(), e);
      }
    }

    private void step() {
      now += chance.nextInt(400);
      if (chance.nextInt(3) == 0) {
        people.act();
      }
      if (chance.nextInt(8) == 0) {
        cancelWhileItsCopyIsHeld();
      }
      agent.caches().stream().filter(cache -> !lagging.contains(cache)).forEach(this::catchUp);
      if (!lagging.isEmpty()) {
        agent.advance(lagging.get(chance.nextInt(lagging.size())), now);
      }
      agent.work(chance, now);
    }

    /** A thing whose copy is there, perhaps since this very step. */
    private void cancelWhileItsCopyIsHeld() {
      List<KubeObject> copies = List.copyOf(world.service.all(THINGS).values());
      if (copies.isEmpty()) {
        return;
      }
      KubeObject copy = copies.get(chance.nextInt(copies.size()));
      if (!copy.deleting()) {
        world
            .service
            .person(LogicalCluster.NONE)
            .patch(
                THINGS,
                copy.namespace(),
                copy.name(),
                Map.of("metadata", Map.of("finalizers", List.of("example.io/hold"))));
        cancel(SourceMarks.sourceOf(copy).orElseThrow());
      }
    }

    private void cancel(ObjectKey thing) {
      if (world.kcp.all(THINGS).containsKey(thing)) {
        world
            .kcp
            .person(thing.cluster())
            .delete(THINGS, thing.namespace(), thing.name(), SimulatedPeople.ANYWAY);
      }
    }

    private void end() {
      healed = true;
      people.letGo();
      List.copyOf(world.kcp.all(THINGS).keySet()).forEach(this::cancel);
      long until = now + SETTLING;
      do {
        do {
          agent.caches().forEach(this::catchUp);
        } while (agent.work(chance, now));
        now = agent.nextDue().orElse(until + 1);
      } while (now <= until);

      assertThat(world.kcp.all(THINGS)).isEmpty();
      assertThat(world.service.all(SECRETS)).isEmpty();
      assertThat(world.kcp.all(SECRETS).values())
          .allSatisfy(settings -> assertThat(settings.finalizers()).isEmpty());
    }

    private void catchUp(LaggingCache cache) {
      while (cache.isBehind()) {
        agent.advance(cache, now);
      }
    }

    @Override
    public void before(String verb) {}

    @Override
    public void after(String verb) {}

    @Override
    public void created(ResourceType type) {
      if (!healed && type.equals(THINGS) && chance.nextDouble() < losing) {
        throw new KubeFailure(Kind.UNAVAILABLE, 0, "", "lost, as the seed has it", null, null);
      }
    }
  }
}
