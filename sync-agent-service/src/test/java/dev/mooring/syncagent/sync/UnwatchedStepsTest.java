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
import dev.mooring.syncagent.published.RelatedResource;
import dev.mooring.syncagent.simulation.LaggingCache;
import dev.mooring.syncagent.simulation.ServerModel;
import dev.mooring.syncagent.sync.SimulatedAgent.States;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Steps without a watch event: the agent has to requeue the object itself. */
class UnwatchedStepsTest {
  private static final LogicalCluster WORKSPACE = new LogicalCluster("c1");
  private static final DeleteCondition ANYWAY = new DeleteCondition.Unconditional();
  private static final long SETTLING = 60_000;

  @Test
  void aStateThatIsWrittenForAnUnchangedCopyIsNotTheLastStep() {
    var stage = new Stage(States.APART);
    stage.untilQuiet();
    // Both sides come to the same content, and the owner reports on it before the agent looks.
    stage.service.patch(THINGS, "c1", "a", Map.of("spec", Map.of("size", 2L)));
    stage.service.patchStatus(THINGS, "c1", "a", Map.of("status", Map.of("phase", "Ready")));
    stage.workspace.patch(THINGS, "default", "a", Map.of("spec", Map.of("size", 2L)));

    stage.untilQuiet();

    assertThat(stage.source().at("status", "phase")).isEqualTo("Ready");
  }

  @Test
  void aStateThatIsWrittenForACopyThatIsAdoptedUnchangedIsNotTheLastStep() {
    var stage = new Stage(States.APART);
    stage.untilQuiet();
    stage.service.patchStatus(THINGS, "c1", "a", Map.of("status", Map.of("phase", "Ready")));
    for (ObjectKey state : List.copyOf(stage.server.all(SECRETS).keySet())) {
      stage.service.delete(SECRETS, state.namespace(), state.name(), ANYWAY);
    }
    stage.startAgain();

    stage.untilQuiet();

    assertThat(stage.source().at("status", "phase")).isEqualTo("Ready");
  }

  @Test
  void aCopyThatIsRemovedBeforeAWatchHasShownItIsMadeAgain() {
    var stage = new Stage(States.WITH_COPIES);
    stage.servesNoCreates = true;
    // What this brings about in the workspace is heard of before the copy can be made.
    stage.pass();
    stage.servesNoCreates = false;
    stage.pass();
    assertThat(stage.service.find(THINGS, "c1", "a")).isPresent();
    stage.service.delete(THINGS, "c1", "a", ANYWAY);
    stage.agent.relist(stage.copies(), stage.now);

    stage.untilQuiet();

    assertThat(stage.service.find(THINGS, "c1", "a")).isPresent();
  }

  @Test
  void aNamespaceThatIsRemovedBeforeAWatchHasShownItIsMadeAgain() {
    var stage = new Stage(States.WITH_COPIES);
    stage.service.delete(Stage.NAMESPACES, "", "c1", ANYWAY);
    for (int i = 0; i < 5 && stage.service.find(Stage.NAMESPACES, "", "c1").isEmpty(); i++) {
      stage.pass();
    }
    assertThat(stage.service.find(Stage.NAMESPACES, "", "c1")).isPresent();
    stage.service.delete(Stage.NAMESPACES, "", "c1", ANYWAY);
    stage.agent.caches().forEach(cache -> stage.agent.relist(cache, stage.now));

    stage.untilQuiet();

    assertThat(stage.service.find(THINGS, "c1", "a")).isPresent();
  }

  /** Both servers, an agent, and a thing that was just ordered. */
  private static final class Stage implements ServerModel.Faults {
    private static final ResourceType NAMESPACES = ResourceType.core("namespaces");

    private final Random chance = new Random(1);
    private final ServerModel kcp = new ServerModel(ServerModel.Faults.NONE);
    final ServerModel server = new ServerModel(this);
    final KubeClient workspace = kcp.person(WORKSPACE);
    final KubeClient service = server.person(LogicalCluster.NONE);
    private final States states;
    SimulatedAgent agent;
    boolean servesNoCreates;
    long now;

    Stage(States states) {
      workspace.create(NAMESPACES, SimulatedThings.object("", "default"));
      service.create(NAMESPACES, SimulatedThings.object("", "agents"));
      service.create(NAMESPACES, SimulatedThings.object("", "c1"));
      this.states = states;
      startAgain();
      workspace.create(
          THINGS, SimulatedThings.object("default", "a").with(Map.of("size", 1L), "spec"));
    }

    /** As a new process would: with caches that are full. */
    void startAgain() {
      agent =
          new SimulatedAgent(
              SimulatedThings.rules(), List.<RelatedResource>of(), states, kcp, server);
    }

    KubeObject source() {
      return workspace.find(THINGS, "default", "a").orElseThrow();
    }

    LaggingCache copies() {
      return agent.caches().get(1);
    }

    /** One look, after everything that happened so far was heard of. */
    void pass() {
      catchUp();
      now = Math.max(now, agent.nextDue().orElse(now));
      agent.work(chance, now);
    }

    void untilQuiet() {
      long until = now + SETTLING;
      do {
        catchUp();
        while (agent.work(chance, now)) {
          catchUp();
        }
        now = agent.nextDue().orElse(until + 1);
      } while (now <= until);
      now = until;
    }

    private void catchUp() {
      for (LaggingCache cache : agent.caches()) {
        while (cache.isBehind()) {
          agent.advance(cache, now);
        }
      }
    }

    @Override
    public void before(String verb) {
      if (servesNoCreates && verb.equals("create")) {
        throw new KubeFailure(Kind.UNAVAILABLE, 503, "", "as the test asked", null, null);
      }
    }

    @Override
    public void after(String verb) {}
  }
}
