package dev.mooring.syncagent.sync;

import static dev.mooring.syncagent.sync.SimulatedAgent.THINGS;
import static dev.mooring.syncagent.sync.SimulatedThings.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeFailure.Kind;
import dev.mooring.syncagent.published.Adoption;
import dev.mooring.syncagent.published.SyncPolicy;
import dev.mooring.syncagent.published.SyncPolicy.Drift;
import dev.mooring.syncagent.published.SyncPolicy.EmptyNamespaces;
import dev.mooring.syncagent.published.SyncPolicy.OnLeave;
import dev.mooring.syncagent.simulation.LaggingCache;
import dev.mooring.syncagent.simulation.ServerModel;
import dev.mooring.syncagent.sync.decide.SyncRules;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The place that a copy is to have, without chance: what else has its name, and the Namespace that
 * was made for it.
 */
class PlaceStepsSimulation {
  @Test
  void makesTheCopyOnceAStrangerOfItsNameIsGone() {
    var stage = new Stage();
    stage.service.create(Stage.NAMESPACES, object("", "c1"));
    stage.service.create(
        THINGS, object("c1", "a").with(List.of("example.io/hold"), "metadata", "finalizers"));
    stage.service.delete(THINGS, "c1", "a", new DeleteCondition.Unconditional());
    stage.order("a");
    stage.pass(6);
    assertThat(stage.copy("a").deleting()).isTrue();

    stage.service.patch(THINGS, "c1", "a", Map.of("metadata", Map.of("finalizers", List.of())));
    stage.untilQuiet();

    assertThat(stage.copy("a").labels()).isNotEmpty();
  }

  /** Whichever request to a server fails at the end, carried out or not. */
  @ParameterizedTest
  @ValueSource(strings = {"delete", "patch", "list"})
  void leavesNoNamespaceBehindWhereARequestFails(String verb) {
    for (Kind kind : List.of(Kind.UNAVAILABLE, Kind.CONFLICT)) {
      for (Fault.When when : Fault.When.values()) {
        for (int before = 0; before < 3; before++) {
          var stage = new Stage();
          stage.order("a");
          stage.untilQuiet();
          assertThat(stage.namespace()).isPresent();

          stage.cancel("a");
          stage.fault = new Fault(verb, when, kind, before);
          stage.untilQuiet();

          assertThat(stage.source("a")).as("%s", stage.fault).isEmpty();
          assertThat(stage.namespace()).as("%s", stage.fault).isEmpty();
        }
      }
    }
  }

  @Test
  void releasesTheSourceWhereTheNamespaceMayNotBeRemoved() {
    var stage = new Stage();
    stage.order("a");
    stage.untilQuiet();

    stage.cancel("a");
    // The copy's is the first deletion.
    stage.fault = new Fault("delete", Fault.When.BEFORE, Kind.FORBIDDEN, 1);
    stage.untilQuiet();

    assertThat(stage.source("a")).isEmpty();
    assertThat(stage.namespace()).isPresent();
  }

  @ParameterizedTest(name = "order {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void removesNoNamespaceThatHoldsACopyWhichIsNotShownYet(long seed) {
    var stage = new Stage(seed);
    stage.order("a");
    stage.untilQuiet();
    LaggingCache copies = stage.agent.caches().get(1);
    stage.cancel("a");
    stage.pass(1);
    stage.hear();

    stage.order("b");
    stage.passWithout(copies, 6);
    stage.untilQuiet();

    assertThat(stage.copy("b").deleting()).isFalse();
    assertThat(stage.made("b")).hasSize(1);
    assertThat(stage.source("a")).isEmpty();
  }

  @ParameterizedTest(name = "order {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void makesNoCopyInANamespaceThatIsBeingRemovedNorTheOtherWayRound(long seed) {
    for (String verb : List.of("list", "create", "delete")) {
      var stage = new Stage(seed);
      stage.order("a");
      stage.untilQuiet();
      stage.cancel("a");
      stage.pass(1);
      stage.hear();
      stage.order("b");
      stage.hear();

      // Another worker is at the other thing at that very moment.
      stage.meanwhile(verb, () -> stage.pass(2));
      stage.untilQuiet();

      assertThat(stage.copy("b").deleting()).isFalse();
      assertThat(stage.made("b")).as("copies made, meeting at %s", verb).hasSize(1);
      assertThat(stage.source("a")).isEmpty();
    }
  }

  /**
   * One request that fails.
   *
   * @param before how many like it do not
   */
  private record Fault(String verb, When when, Kind kind, int before) {
    enum When {
      /** It is not carried out. */
      BEFORE,
      /** It is, and nobody is told. */
      AFTER
    }
  }

  /** Both servers, and an agent that removes Namespaces. */
  private static final class Stage implements ServerModel.Faults {
    static final ResourceType NAMESPACES = ResourceType.core("namespaces");
    private static final LogicalCluster CLUSTER = new LogicalCluster("c1");
    private static final long SETTLING = 20 * 60_000;

    private final SyncRules rules =
        SimulatedThings.rules(
            Adoption.UNCLAIMED,
            new SyncPolicy(Drift.KEEP_LOCAL, OnLeave.KEEP, EmptyNamespaces.DELETE));
    final SimulatedWorld world = new SimulatedWorld(rules, List.of(), this);
    final KubeClient service = world.service.person(LogicalCluster.NONE);
    private final Random chance;
    final SimulatedAgent agent;
    Fault fault;
    private final Map<String, Integer> requests = new HashMap<>();
    private final Map<String, Set<String>> made = new HashMap<>();
    private String meetingAt = "";
    private Runnable meanwhile = () -> {};
    private long now;

    Stage() {
      this(1);
    }

    Stage(long seed) {
      chance = new Random(seed);
      world.kcp.person(CLUSTER).create(NAMESPACES, object("", "default"));
      service.create(NAMESPACES, object("", "agents"));
      agent = new SimulatedAgent(rules, List.of(), world.kcp, world.service);
    }

    void order(String name) {
      world.kcp.person(CLUSTER).create(THINGS, object("default", name).with(Map.of(), "spec"));
    }

    void cancel(String name) {
      world
          .kcp
          .person(CLUSTER)
          .delete(THINGS, "default", name, new DeleteCondition.Unconditional());
      requests.clear();
    }

    /** At the next such request, before it is carried out. */
    void meanwhile(String verb, Runnable what) {
      meetingAt = verb;
      meanwhile = what;
    }

    Optional<KubeObject> source(String name) {
      return Optional.ofNullable(
          world.kcp.all(THINGS).get(new ObjectKey(CLUSTER, "default", name)));
    }

    Optional<KubeObject> namespace() {
      return Optional.ofNullable(
          world.service.all(NAMESPACES).get(new ObjectKey(LogicalCluster.NONE, "", "c1")));
    }

    /** Identities of all copies that the thing ever had. */
    Set<String> made(String name) {
      return made.getOrDefault(name, Set.of());
    }

    KubeObject copy(String name) {
      return world.service.all(THINGS).get(new ObjectKey(LogicalCluster.NONE, "c1", name));
    }

    void pass(int times) {
      passWithout(null, times);
    }

    /**
     * @param standingStill a cache that hears of nothing; null for none
     */
    void passWithout(LaggingCache standingStill, int times) {
      for (int pass = 0; pass < times; pass++) {
        for (LaggingCache cache : agent.caches()) {
          while (cache != standingStill && cache.isBehind()) {
            agent.advance(cache, now);
          }
        }
        now = Math.max(now, agent.nextDue().orElse(now));
        agent.work(chance, now);
        world
            .service
            .all(THINGS)
            .forEach((key, copy) ->
                made.computeIfAbsent(key.name(), _ -> new HashSet<>()).add(copy.uid()));
      }
    }

    /** Everything that happened is known. */
    void hear() {
      agent
          .caches()
          .forEach(cache -> {
            while (cache.isBehind()) {
              agent.advance(cache, now);
            }
          });
    }

    void untilQuiet() {
      long until = now + SETTLING;
      while (now <= until && (agent.nextDue().isPresent() || agent.isBehind())) {
        pass(1);
      }
    }

    @Override
    public void before(String verb) {
      if (verb.equals(meetingAt)) {
        meetingAt = "";
        meanwhile.run();
      }
      if (fault != null && verb.equals(fault.verb()) && fault.when() == Fault.When.BEFORE) {
        failOnce(verb);
      }
    }

    @Override
    public void after(String verb) {
      if (fault != null && verb.equals(fault.verb()) && fault.when() == Fault.When.AFTER) {
        failOnce(verb);
      }
    }

    private void failOnce(String verb) {
      if (requests.merge(verb, 1, Integer::sum) == fault.before() + 1) {
        throw new KubeFailure(fault.kind(), 0, "", "as the test asked", null, null);
      }
    }
  }
}
