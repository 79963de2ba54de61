package dev.mooring.syncagent.sync;

import static dev.mooring.syncagent.sync.SimulatedAgent.THINGS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.published.Adoption;
import dev.mooring.model.published.ApiType;
import dev.mooring.model.published.LabelSelector;
import dev.mooring.model.published.NamePattern;
import dev.mooring.model.published.Naming;
import dev.mooring.model.published.ProjectedSchema.StatusSubresource;
import dev.mooring.model.published.PublishedResource.Synchronization;
import dev.mooring.model.published.Scope;
import dev.mooring.model.published.SyncPolicy;
import dev.mooring.model.published.SyncPolicy.Drift;
import dev.mooring.model.published.SyncPolicy.EmptyNamespaces;
import dev.mooring.model.published.SyncPolicy.OnLeave;
import dev.mooring.model.published.mutation.Mutations;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.syncagent.simulation.LaggingCache;
import dev.mooring.syncagent.simulation.ServerModel;
import dev.mooring.syncagent.sync.decide.SyncRules;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * The place that a copy is to have, without chance: what else has its name, and the Namespace that
 * was made for it.
 */
class PlaceStepsSimulation {
  @Test
  void makesTheCopyOnceAStrangerOfItsNameIsGone() {
    var stage = new Stage();
    stage.service.create(Stage.NAMESPACES, Stage.object("", "c1"));
    stage.service.create(
        THINGS,
        Stage.object("c1", "a").with(List.of("example.io/hold"), "metadata", "finalizers"));
    stage.service.delete(THINGS, "c1", "a", new DeleteCondition.Unconditional());
    stage.order("a");
    stage.pass(6);
    assertThat(stage.copy("a").deleting()).isTrue();

    stage.service.patch(
        THINGS, "c1", "a", Map.of("metadata", Map.of("finalizers", List.of())));
    stage.untilQuiet();

    assertThat(stage.copy("a").labels()).isNotEmpty();
  }

  /** Both servers, and an agent that removes Namespaces. */
  private static final class Stage implements ServerModel.Faults {
    static final ResourceType NAMESPACES = ResourceType.core("namespaces");
    private static final LogicalCluster CLUSTER = new LogicalCluster("c1");
    private static final long SETTLING = 20 * 60_000;

    private final SyncRules rules = rules();
    final SimulatedWorld world = new SimulatedWorld(rules, List.of(), this);
    final KubeClient service = world.service.person(LogicalCluster.NONE);
    private final Random chance = new Random(1);
    final SimulatedAgent agent;
    private long now;

    Stage() {
      world.kcp.person(CLUSTER).create(NAMESPACES, object("", "default"));
      service.create(NAMESPACES, object("", "agents"));
      agent = new SimulatedAgent(rules, List.of(), world.kcp, world.service);
    }

    void order(String name) {
      world.kcp.person(CLUSTER).create(THINGS, object("default", name).with(Map.of(), "spec"));
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
      }
    }

    void untilQuiet() {
      long until = now + SETTLING;
      while (now <= until && (agent.nextDue().isPresent() || agent.isBehind())) {
        pass(1);
      }
    }

    @Override
    public void before(String verb) {}

    @Override
    public void after(String verb) {}

    static KubeObject object(String namespace, String name) {
      return KubeObject.of(Map.of("metadata", Map.of("namespace", namespace, "name", name)));
    }

    private static SyncRules rules() {
      var thing =
          new ApiType(new ResourceType("example.io", "v1", "things"), "Thing", Scope.NAMESPACED);
      return new SyncRules(
          "agent",
          thing,
          thing,
          StatusSubresource.PRESENT,
          new Naming(
              NamePattern.compile("$remoteClusterName", "namespace"),
              NamePattern.compile("$remoteName", "name")),
          Mutations.NONE,
          LabelSelector.EVERYTHING,
          LabelSelector.EVERYTHING,
          Adoption.UNCLAIMED,
          Synchronization.ON,
          new SyncPolicy(Drift.KEEP_LOCAL, OnLeave.KEEP, EmptyNamespaces.DELETE));
    }
  }
}
