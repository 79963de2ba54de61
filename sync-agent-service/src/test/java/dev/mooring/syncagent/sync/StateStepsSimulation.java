package dev.mooring.syncagent.sync;

import static dev.mooring.syncagent.sync.SimulatedAgent.SECRETS;
import static dev.mooring.syncagent.sync.SimulatedAgent.THINGS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeFailure.Kind;
import dev.mooring.syncagent.published.SyncMarks;
import dev.mooring.syncagent.simulation.LaggingCache;
import dev.mooring.syncagent.simulation.ServerModel;
import dev.mooring.syncagent.sync.SimulatedAgent.States;
import dev.mooring.syncagent.sync.decide.SyncRules;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * One thing whose state is kept in a Secret, without chance: after every step that the agent takes
 * it goes away, and the thing, its copy or both go meanwhile without waiting for it.
 */
class StateStepsSimulation {
  /** More than it takes to bring a thing down. */
  private static final int PASSES_MAX = 6;

  private static final long SETTLING = 20 * 60_000;

  static IntStream moments() {
    return IntStream.rangeClosed(0, PASSES_MAX);
  }

  @ParameterizedTest(name = "after {0} passes")
  @MethodSource("moments")
  void clearsAwayOrphansAfterARestart(int passes) {
    var stage = new Stage();
    stage.pass(passes);
    stage.agentIsAway();
    stage.takeByForce();
    stage.removeCopy();

    stage.restart();
    stage.untilQuiet();

    assertThat(stage.states()).isEmpty();
  }

  @ParameterizedTest(name = "after {0} passes")
  @MethodSource("moments")
  void clearsAwayOnceTheCopyThatWasLeftIsGone(int passes) {
    var stage = new Stage();
    stage.pass(passes);
    stage.agentIsAway();
    stage.takeByForce();
    List<KubeObject> before = stage.states();

    stage.restart();
    stage.untilQuiet();
    if (!stage.world.service.all(THINGS).isEmpty()) {
      assertThat(stage.states()).isEqualTo(before);
    }

    stage.removeCopy();
    stage.untilQuiet();
    assertThat(stage.states()).isEmpty();
  }

  @ParameterizedTest(name = "after {0} passes")
  @MethodSource("moments")
  void clearsAwayWhatIsLeftOfAWorkspaceThatWent(int passes) {
    var stage = new Stage();
    stage.pass(passes);
    stage.agentIsAway();
    stage.world.kcp.removeCluster(Stage.CLUSTER);
    stage.removeCopy();

    stage.restart();
    stage.untilQuiet();

    assertThat(stage.states()).isEmpty();
  }

  @Test
  void clearsAwayWhatAnEarlierAgentWritesLate() {
    var stage = new Stage();
    stage.pass(PASSES_MAX);
    KubeObject state = stage.states().getFirst();
    stage.restart();
    stage.takeByForce();
    stage.removeCopy();
    stage.untilQuiet();
    assertThat(stage.states()).isEmpty();

    stage.service.create(SECRETS, state);
    stage.untilQuiet();

    assertThat(stage.states()).isEmpty();
  }

  @ParameterizedTest(name = "after {0} passes")
  @MethodSource("moments")
  void keepsTheStateOfASourceThatIsThere(int passes) {
    var stage = new Stage();
    stage.pass(PASSES_MAX);
    List<KubeObject> state = stage.states();
    assertThat(state).hasSize(1);

    stage.restart();
    stage.pass(passes);

    assertThat(stage.states()).isEqualTo(state);
  }

  @ParameterizedTest(name = "after {0} passes")
  @MethodSource("moments")
  void keepsTheStateOfASourceThatItsCacheDoesNotShowYet(int passes) {
    var stage = new Stage();
    stage.pass(PASSES_MAX);
    stage.agentIsAway();
    stage.takeByForce();
    stage.restart();
    stage.untilQuiet();
    List<KubeObject> state = stage.states();
    assertThat(state).hasSize(1);
    stage.order();
    stage.removeCopy();

    stage.passWithout(stage.agent.caches().getFirst(), passes);

    assertThat(stage.states()).isEqualTo(state);
  }

  @ParameterizedTest(name = "after {0} passes")
  @MethodSource("moments")
  void bringsValuesThatReturnWhileTheStateCannotBeStored(int lost) {
    var stage = new Stage();
    stage.size(1);
    stage.pass(PASSES_MAX);
    stage.size(2);
    stage.pass(lost);
    stage.losesStates = true;
    stage.pass(PASSES_MAX);
    stage.restart();
    stage.size(1);
    stage.pass(PASSES_MAX);
    stage.losesStates = false;

    stage.untilQuiet();

    assertThat(stage.world.service.all(THINGS).values())
        .singleElement()
        .satisfies(copy -> assertThat(copy.at("spec", "size")).isEqualTo(1L));
  }

  @ParameterizedTest(name = "after {0} passes")
  @MethodSource("moments")
  void keepsTheStateWhileAServerDoesNotAnswer(int passes) {
    for (String verb : List.of("get", "list")) {
      var stage = new Stage();
      stage.pass(PASSES_MAX);
      stage.agentIsAway();
      stage.takeByForce();
      stage.removeCopy();
      List<KubeObject> state = stage.states();
      assertThat(state).hasSize(1);

      stage.restart();
      stage.refused = verb;
      stage.pass(passes);
      assertThat(stage.states()).as("while %s fails", verb).isEqualTo(state);

      stage.refused = "";
      stage.untilQuiet();
      assertThat(stage.states()).as("once %s does not fail", verb).isEmpty();
    }
  }

  /** Both servers, an agent, and a thing that was just ordered. */
  private static final class Stage implements ServerModel.Faults {
    static final LogicalCluster CLUSTER = new LogicalCluster("c1");
    private static final ObjectKey THING = new ObjectKey(CLUSTER, "default", "a");
    private static final ResourceType NAMESPACES = ResourceType.core("namespaces");

    private final SyncRules rules = SimulatedThings.rules();
    final SimulatedWorld world = new SimulatedWorld(rules, List.of(), this);
    private final KubeClient service = world.service.person(LogicalCluster.NONE);
    private final Random chance = new Random(1);
    SimulatedAgent agent;
    String refused = "";
    boolean losesStates;
    private long now;

    Stage() {
      world.kcp.person(CLUSTER).create(NAMESPACES, SimulatedThings.object("", "default"));
      service.create(NAMESPACES, SimulatedThings.object("", "agents"));
      service.create(NAMESPACES, SimulatedThings.object("", "c1"));
      restart();
      order();
    }

    /** As a new process would: with caches that are full. */
    void restart() {
      agent = new SimulatedAgent(rules, List.of(), States.APART, world.kcp, world.service);
    }

    /** Nothing is done until it starts again. */
    void agentIsAway() {
      agent = null;
    }

    void order() {
      world
          .kcp
          .person(CLUSTER)
          .create(THINGS, SimulatedThings.object("default", "a").with(Map.of(), "spec"));
    }

    void size(long size) {
      world.kcp.person(CLUSTER).patch(THINGS, "default", "a", Map.of("spec", Map.of("size", size)));
    }

    void takeByForce() {
      world.takeByForce(THING);
    }

    void removeCopy() {
      for (ObjectKey key : List.copyOf(world.service.all(THINGS).keySet())) {
        service.delete(THINGS, key.namespace(), key.name(), new DeleteCondition.Unconditional());
      }
    }

    List<KubeObject> states() {
      return world.service.all(SECRETS).values().stream()
          .filter(secret -> secret.labels().containsKey(SyncMarks.OBJECT_STATE))
          .toList();
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
      }
    }

    void untilQuiet() {
      long until = now + SETTLING;
      while (now <= until) {
        pass(1);
        if (agent.nextDue().isEmpty() && !agent.isBehind()) {
          return;
        }
      }
    }

    @Override
    public void before(String verb) {
      if (verb.equals(refused)) {
        throw new KubeFailure(Kind.UNAVAILABLE, 0, "", "as the test asked", null, null);
      }
    }

    @Override
    public void changing(ResourceType type, ObjectKey key) {
      if (losesStates && type.equals(SECRETS)) {
        throw new KubeFailure(Kind.UNAVAILABLE, 0, "", "state lost", null, null);
      }
    }

    @Override
    public void after(String verb) {}
  }
}
