package dev.mooring.syncagent.sync;

import static dev.mooring.syncagent.sync.SimulatedAgent.THINGS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.syncagent.published.NamePattern;
import dev.mooring.syncagent.published.NamespaceMetadata;
import dev.mooring.syncagent.published.Naming;
import dev.mooring.syncagent.published.SyncMarks;
import dev.mooring.syncagent.simulation.LaggingCache;
import dev.mooring.syncagent.simulation.ServerModel;
import dev.mooring.syncagent.sync.decide.SyncRules;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Two agents publish one type through two exports, a workspace binds both, and has an object of the
 * same name of each: by the agents' own code, between modelled servers.
 */
class AnotherAgentsCopyTest {
  private static final LogicalCluster WORKSPACE = new LogicalCluster("c1");
  private static final DeleteCondition ANYWAY = new DeleteCondition.Unconditional();

  @Test
  void isNeitherChangedNorDeletedAndItsNameIsACollision() {
    var stage = new Stage("c1");
    stage.ours.order(1);
    stage.untilQuiet();
    KubeObject copy = stage.copy("c1");

    stage.theirs.order(2);
    stage.untilQuiet();

    assertThat(stage.copy("c1")).isEqualTo(copy);
    assertThat(stage.theirs.agent.failures.listed().values())
        .singleElement()
        .satisfies(failure -> {
          assertThat(failure.reason()).isEqualTo("NameCollision");
          assertThat(failure.message()).contains("\"c1/web\"", "\"ours\"");
        });
    assertThat(stage.ours.agent.failures.listed()).isEmpty();

    stage.theirs.resize(3);
    stage.untilQuiet();
    assertThat(stage.copy("c1")).isEqualTo(copy);

    stage.theirs.cancel();
    stage.untilQuiet();

    assertThat(stage.theirs.kcp.all(THINGS)).isEmpty();
    assertThat(stage.copy("c1")).isEqualTo(copy);
    stage.ours.resize(4);
    stage.untilQuiet();
    assertThat(stage.copy("c1").at("spec", "size")).isEqualTo(4L);
  }

  @Test
  void givesItsNameFreeWithItsEnd() {
    var stage = new Stage("c1");
    stage.ours.order(1);
    stage.untilQuiet();
    stage.theirs.order(2);
    stage.untilQuiet();

    stage.ours.cancel();
    stage.untilQuiet();

    assertThat(stage.ours.kcp.all(THINGS)).isEmpty();
    assertThat(stage.copy("c1").labels()).containsEntry(SyncMarks.AGENT_NAME, "theirs");
    assertThat(stage.copy("c1").at("spec", "size")).isEqualTo(2L);
    assertThat(stage.theirs.agent.failures.listed()).isEmpty();
  }

  @Test
  void isNotTheCopyOfAnotherPlaceEither() {
    var stage = new Stage("elsewhere");
    stage.ours.order(1);
    stage.untilQuiet();

    stage.theirs.order(2);
    stage.untilQuiet();

    assertThat(stage.copy("c1").at("spec", "size")).isEqualTo(1L);
    assertThat(stage.copy("elsewhere").at("spec", "size")).isEqualTo(2L);

    stage.theirs.cancel();
    stage.untilQuiet();

    assertThat(stage.service.all(THINGS)).hasSize(1);
    assertThat(stage.copy("c1").at("spec", "size")).isEqualTo(1L);
    assertThat(stage.ours.kcp.all(THINGS)).hasSize(1);
  }

  /** One service cluster, and two agents at it. */
  private static final class Stage {
    private static final ResourceType NAMESPACES = ResourceType.core("namespaces");
    private static final long A_WHILE = 120_000;

    /** Far more than it takes. */
    private static final int ROUNDS_MAX = 500;

    private final Random chance = new Random(1);
    private final ServerModel service = new ServerModel(ServerModel.Faults.NONE);
    private final Export ours;
    private final Export theirs;

    /**
     * @param place the Namespace of the other agent's copies
     */
    Stage(String place) {
      KubeClient provider = service.person(LogicalCluster.NONE);
      List.of("agents", "c1", "elsewhere")
          .forEach(name -> provider.create(NAMESPACES, SimulatedThings.object("", name)));
      ours = new Export(rules("ours", "c1"), service);
      theirs = new Export(rules("theirs", place), service);
    }

    private static SyncRules rules(String agentName, String namespace) {
      SyncRules plain = SimulatedThings.rules();
      return new SyncRules(
          agentName,
          plain.source(),
          plain.copy(),
          plain.status(),
          new Naming(
              NamePattern.compile(namespace, "namespace"),
              NamePattern.compile("$remoteName", "name"),
              NamespaceMetadata.NONE),
          plain.mutations(),
          plain.resourceFilter(),
          plain.namespaceFilter(),
          plain.adoption(),
          plain.synchronization(),
          plain.policy());
    }

    KubeObject copy(String namespace) {
      return service.all(THINGS).get(new ObjectKey(LogicalCluster.NONE, namespace, "web"));
    }

    void untilQuiet() {
      settle();
      // What looks again after a while.
      ours.now += A_WHILE;
      theirs.now += A_WHILE;
      settle();
    }

    private void settle() {
      int rounds = 0;
      while (ours.work(chance) | theirs.work(chance)) {
        assertThat(++rounds).as("rounds without an end").isLessThan(ROUNDS_MAX);
      }
    }
  }

  /** One agent, and the workspace as its export shows it. */
  private static final class Export {
    private final ServerModel kcp = new ServerModel(ServerModel.Faults.NONE);
    private final KubeClient workspace = kcp.person(WORKSPACE);
    private final SimulatedAgent agent;
    private long now;

    Export(SyncRules rules, ServerModel service) {
      workspace.create(ResourceType.core("namespaces"), SimulatedThings.object("", "default"));
      agent = new SimulatedAgent(rules, List.of(), kcp, service);
    }

    void order(long size) {
      workspace.create(
          THINGS, SimulatedThings.object("default", "web").with(Map.of("size", size), "spec"));
    }

    void resize(long size) {
      workspace.patch(THINGS, "default", "web", Map.of("spec", Map.of("size", size)));
    }

    void cancel() {
      workspace.delete(THINGS, "default", "web", ANYWAY);
    }

    boolean work(Random chance) {
      for (LaggingCache cache : agent.caches()) {
        while (cache.isBehind()) {
          agent.advance(cache, now);
        }
      }
      return agent.work(chance, now);
    }
  }
}
