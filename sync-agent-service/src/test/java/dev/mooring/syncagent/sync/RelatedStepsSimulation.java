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
import dev.mooring.syncagent.published.RelatedResource.Cleanup;
import dev.mooring.syncagent.simulation.LaggingCache;
import dev.mooring.syncagent.simulation.ServerModel;
import dev.mooring.syncagent.sync.decide.SyncRules;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * One thing with a login and settings, without chance: what is rare in {@link SyncSimulation}
 * happens after every step that the agent takes, one after another.
 */
class RelatedStepsSimulation {
  /** More than it takes to bring a thing with its related objects down. */
  private static final int PASSES_MAX = 14;

  /** Shorter than a write is waited for, longer than it takes to try a few times. */
  private static final long A_WHILE = 5_000;

  private static final long SETTLING = 20 * 60_000;

  static Stream<Arguments> momentsOfTwo() {
    return IntStream.rangeClosed(0, PASSES_MAX)
        .boxed()
        .flatMap(first ->
            IntStream.rangeClosed(0, PASSES_MAX - first)
                .mapToObj(more -> Arguments.of(first, more)));
  }

  static IntStream moments() {
    return IntStream.rangeClosed(0, PASSES_MAX);
  }

  @ParameterizedTest(name = "edited after {0} passes, stopped after {1} more")
  @MethodSource("momentsOfTwo")
  void leavesNothingBehindWhereOriginalsChangeAndTheAgentStops(int edited, int stopped) {
    var stage = new Stage();
    stage.pass(edited);
    stage.edit("v2");
    stage.pass(stopped);

    stage.restart();
    stage.edit("v3");
    stage.cancel();
    stage.untilQuiet(SETTLING, Set.of());

    stage.world.checkSettled();
    assertThat(stage.world.kcp.all(THINGS)).isEmpty();
    assertThat(stage.world.service.all(SECRETS)).containsOnlyKeys(Stage.LOGIN);
    assertThat(stage.world.kcp.all(SECRETS)).containsOnlyKeys(Stage.SETTINGS);
  }

  @ParameterizedTest(name = "edited after {0} passes")
  @MethodSource("moments")
  void bringsWhatOriginalsChangeAfterEveryStep(int edited) {
    var stage = new Stage();
    stage.pass(edited);
    stage.edit("v2");

    stage.untilQuiet(SETTLING, Set.of());

    stage.world.checkSettled();
    assertThat(stage.world.service.all(SECRETS).get(Stage.SETTINGS_COPY).at("data", "value"))
        .isEqualTo("v2");
    assertThat(stage.world.kcp.all(SECRETS).get(Stage.LOGIN_COPY).at("data", "value"))
        .isEqualTo("v2");
  }

  static Stream<Arguments> momentsWithAndWithoutRestart() {
    return moments().boxed().flatMap(at -> Stream.of(Arguments.of(at, 0), Arguments.of(at, 1)));
  }

  @ParameterizedTest(name = "after {0} passes, {1} restarts")
  @MethodSource("momentsWithAndWithoutRestart")
  void bringsValuesThatReturnWhileWhatIsKnownCannotBeStored(int lost, int restarts) {
    var stage = new Stage();
    stage.pass(PASSES_MAX);
    stage.edit("v2");
    stage.pass(lost);
    stage.losesRecords = true;
    stage.untilQuiet(A_WHILE, Set.of());
    if (restarts > 0) {
      stage.restart();
    }
    stage.edit("v1");
    stage.untilQuiet(A_WHILE, Set.of());
    stage.losesRecords = false;

    stage.untilQuiet(SETTLING, Set.of());

    stage.world.checkSettled();
    assertThat(stage.value(stage.world.service, Stage.SETTINGS_COPY)).isEqualTo("v1");
    assertThat(stage.value(stage.world.kcp, Stage.LOGIN_COPY)).isEqualTo("v1");
  }

  @ParameterizedTest(name = "after {0} passes")
  @MethodSource("moments")
  void makesNothingTwiceWhileOneOfTheRelatedTypesCachesStandsStill(int passes) {
    // The first two are those of the things themselves.
    for (int still = 2; still < new Stage().agent.caches().size(); still++) {
      var stage = new Stage();
      stage.pass(passes);

      stage.untilQuiet(A_WHILE, Set.of(stage.agent.caches().get(still)));
      assertThat(stage.refusedCreates).as("refused, cache %d standing still", still).isZero();

      stage.untilQuiet(SETTLING, Set.of());
      stage.world.checkSettled();
      assertThat(stage.world.service.all(SECRETS)).containsKey(Stage.SETTINGS_COPY);
      assertThat(stage.world.kcp.all(SECRETS)).containsKey(Stage.LOGIN_COPY);
    }
  }

  @ParameterizedTest(name = "after {0} passes")
  @MethodSource("moments")
  void leavesNothingBehindWhereACacheStandsStillAsTheThingGoes(int passes) {
    for (int still = 2; still < new Stage().agent.caches().size(); still++) {
      var stage = new Stage();
      stage.withoutLogin(); // whose copy's end would be waited for
      stage.pass(passes);
      stage.cancel();

      stage.untilQuiet(A_WHILE, Set.of(stage.agent.caches().get(still)));
      stage.untilQuiet(SETTLING, Set.of());

      stage.world.checkSettled();
      assertThat(stage.world.kcp.all(THINGS))
          .as("things, cache %d standing still", still)
          .isEmpty();
      assertThat(stage.world.service.all(SECRETS)).isEmpty();
      assertThat(stage.world.kcp.all(SECRETS)).containsOnlyKeys(Stage.SETTINGS);
    }
  }

  @ParameterizedTest(name = "after {0} passes")
  @MethodSource("moments")
  void waitsForNothingThatAWatchNeverShows(int passes) {
    // All but that of the things themselves.
    for (int still = 1; still < new Stage().agent.caches().size(); still++) {
      var stage = new Stage();
      stage.withoutLogin();
      stage.pass(passes);
      stage.cancel();
      LaggingCache cache = stage.agent.caches().get(still);

      stage.untilQuiet(A_WHILE, Set.of(cache));
      stage.relist(cache);
      stage.untilQuiet(SETTLING, Set.of());

      assertThat(stage.world.kcp.all(THINGS))
          .as("things, cache %d standing still", still)
          .isEmpty();
    }
  }

  @ParameterizedTest(name = "after {0} passes")
  @MethodSource("moments")
  void leavesNothingBehindWhereTheLastAnswerIsLostAndACacheStandsStill(int passes) {
    for (int still = 2; still < new Stage().agent.caches().size(); still++) {
      for (boolean login : new boolean[] {true, false}) {
        var stage = new Stage();
        if (!login) {
          stage.withoutLogin();
        }
        stage.pass(passes);
        stage.losesAnswers = true;
        stage.pass(1);
        stage.losesAnswers = false;
        stage.cancel();

        stage.untilQuiet(A_WHILE, Set.of(stage.agent.caches().get(still)));
        stage.untilQuiet(SETTLING, Set.of());

        stage.world.checkSettled();
        assertThat(stage.world.kcp.all(THINGS))
            .as("things, cache %d standing still", still)
            .isEmpty();
        assertThat(stage.world.service.all(SECRETS).keySet())
            .as("Secrets, cache %d standing still", still)
            .isEqualTo(login ? Set.of(Stage.LOGIN) : Set.of());
        assertThat(stage.world.kcp.all(SECRETS)).containsOnlyKeys(Stage.SETTINGS);
      }
    }
  }

  @ParameterizedTest(name = "after {0} passes")
  @MethodSource("moments")
  void keepsRelatedCopiesUntilTheThingsCopyIsGone(int passes) {
    // Every cache, since what goes together may be shown in any order; and none.
    for (int still = 0; still <= new Stage().agent.caches().size(); still++) {
      for (boolean withNamespace : new boolean[] {true, false}) {
        var stage = new Stage();
        stage.pass(PASSES_MAX);
        stage.holdCopy(List.of("example.io/hold"));
        stage.pass(1);
        stage.goes(withNamespace);
        List<LaggingCache> caches = stage.agent.caches();
        stage.pass(passes);
        stage.untilQuiet(
            A_WHILE, Set.copyOf(caches.subList(still, Math.min(still + 1, caches.size()))));
        stage.untilQuiet(SETTLING, Set.of());

        assertThat(stage.world.service.all(THINGS)).hasSize(1);
        assertThat(stage.world.service.all(SECRETS)).containsKey(Stage.SETTINGS_COPY);
        assertThat(stage.world.kcp.all(SECRETS))
            .containsKeys(Stage.SETTINGS)
            .matches(secrets -> withNamespace || secrets.containsKey(Stage.LOGIN_COPY));

        stage.holdCopy(List.of());
        stage.untilQuiet(SETTLING, Set.of());
        assertThat(stage.world.kcp.all(THINGS)).isEmpty();
        assertThat(stage.world.service.all(SECRETS)).containsOnlyKeys(Stage.LOGIN);
        assertThat(stage.world.kcp.all(SECRETS)).isEmpty();
      }
    }
  }

  @Test
  void slowsDownWhereCopiesAreRemovedAsSoonAsTheyAreThere() {
    var stage = new Stage();
    stage.pass(PASSES_MAX);
    int before = stage.creates;
    for (int second = 0; second < 20 * 60; second++) {
      stage.removeRelatedCopies();
      stage.untilQuiet(1_000, Set.of());
    }
    assertThat(stage.creates - before).isBetween(10, 40);
    assertThat(stage.agent.failures.find(new ObjectKey(Stage.CLUSTER, "default", "a")))
        .hasValueSatisfying(failure -> assertThat(failure.reason()).isEqualTo("CopyKeepsChanging"));
    before = stage.creates;
    for (int second = 0; second < 20 * 60; second++) {
      stage.removeCopy();
      stage.untilQuiet(1_000, Set.of());
    }
    assertThat(stage.creates - before).isBetween(5, 40);

    stage.untilQuiet(SETTLING, Set.of());

    stage.world.checkSettled();
    assertThat(stage.world.service.all(SECRETS)).containsKey(Stage.SETTINGS_COPY);
    assertThat(stage.world.kcp.all(SECRETS)).containsKey(Stage.LOGIN_COPY);
  }

  /** An edit between a copy's creation and its record makes it no other object's. */
  @ParameterizedTest(name = "edited after {0} passes")
  @MethodSource("moments")
  void deletesCopiesThatWereEditedBeforeTheyWereRecorded(int edited) {
    var stage = new Stage();
    stage.pass(edited);
    stage.editRelatedCopies();

    stage.untilQuiet(SETTLING, Set.of());
    assertThat(stage.world.service.all(SECRETS)).containsKey(Stage.SETTINGS_COPY);
    assertThat(stage.world.kcp.all(SECRETS)).containsKey(Stage.LOGIN_COPY);

    stage.cancel();
    stage.untilQuiet(SETTLING, Set.of());
    assertThat(stage.world.kcp.all(THINGS)).isEmpty();
    assertThat(stage.world.service.all(SECRETS)).containsOnlyKeys(Stage.LOGIN);
    assertThat(stage.world.kcp.all(SECRETS)).containsOnlyKeys(Stage.SETTINGS);
  }

  @ParameterizedTest(name = "after {0} passes")
  @MethodSource("moments")
  void clearsAwayRelatedCopiesOfAForceDeletedThingOnceItsCopyIsGone(int passes) {
    var stage = new Stage();
    stage.pass(passes);
    int copies = stage.world.service.all(THINGS).size();
    stage.removeByForce();

    stage.untilQuiet(SETTLING, Set.of());
    assertThat(stage.world.service.all(THINGS)).hasSize(copies);

    stage.removeCopy();
    stage.untilQuiet(SETTLING, Set.of());
    assertThat(stage.world.service.all(SECRETS)).containsOnlyKeys(Stage.LOGIN);
    assertThat(stage.world.kcp.all(SECRETS)).containsOnlyKeys(Stage.SETTINGS);
    assertThat(stage.world.kcp.all(SECRETS).get(Stage.SETTINGS).finalizers()).isEmpty();
  }

  /** Both servers, an agent, and a thing that was just ordered. */
  private static final class Stage implements ServerModel.Faults {
    private static final LogicalCluster CLUSTER = new LogicalCluster("c1");
    static final ObjectKey LOGIN = new ObjectKey(LogicalCluster.NONE, "c1", "a-login");
    static final ObjectKey LOGIN_COPY = new ObjectKey(CLUSTER, "default", "a-login");
    static final ObjectKey SETTINGS = new ObjectKey(CLUSTER, "default", "a-settings");
    static final ObjectKey SETTINGS_COPY = new ObjectKey(LogicalCluster.NONE, "c1", "a-settings");
    private static final ResourceType NAMESPACES = ResourceType.core("namespaces");

    private final List<RelatedResource> related =
        SimulatedRelatedObjects.entries(SimulatedRelatedObjects.Kind.OWN, Cleanup.DELETE);
    private final SyncRules rules = SimulatedThings.rules();
    final SimulatedWorld world = new SimulatedWorld(rules, related, this);
    private final KubeClient workspace = world.kcp.person(CLUSTER);
    private final KubeClient service = world.service.person(LogicalCluster.NONE);
    private final Random chance = new Random(1);
    SimulatedAgent agent;
    int refusedCreates;
    int creates;
    boolean losesAnswers;
    boolean losesRecords;
    private long now;

    Stage() {
      workspace.create(NAMESPACES, SimulatedThings.object("", "default"));
      service.create(NAMESPACES, SimulatedThings.object("", "agents"));
      service.create(NAMESPACES, SimulatedThings.object("", "c1"));
      service.create(SECRETS, secret(LOGIN));
      workspace.create(SECRETS, secret(SETTINGS));
      restart();
      workspace.create(
          THINGS, SimulatedThings.object("default", "a").with(Map.of("size", 1L), "spec"));
    }

    /** As a new process would: with caches that are full. */
    void restart() {
      agent = new SimulatedAgent(rules, related, world.kcp, world.service);
    }

    void edit(String value) {
      var data = Map.<String, Object>of("data", Map.of("value", value));
      service.patch(SECRETS, LOGIN.namespace(), LOGIN.name(), data);
      workspace.patch(SECRETS, SETTINGS.namespace(), SETTINGS.name(), data);
    }

    Object value(ServerModel server, ObjectKey secret) {
      return server.all(SECRETS).get(secret).at("data", "value");
    }

    void withoutLogin() {
      service.delete(SECRETS, LOGIN.namespace(), LOGIN.name(), new DeleteCondition.Unconditional());
    }

    /** Somebody takes the finalizer off, too. */
    void removeByForce() {
      cancel();
      if (!world.kcp.all(THINGS).isEmpty()) {
        workspace.patch(
            THINGS, "default", "a", Map.of("metadata", Map.of("finalizers", List.of())));
      }
    }

    void editRelatedCopies() {
      var data = Map.<String, Object>of("data", Map.of("value", "edited"));
      if (world.service.all(SECRETS).containsKey(SETTINGS_COPY)) {
        service.patch(SECRETS, SETTINGS_COPY.namespace(), SETTINGS_COPY.name(), data);
      }
      if (world.kcp.all(SECRETS).containsKey(LOGIN_COPY)) {
        workspace.patch(SECRETS, LOGIN_COPY.namespace(), LOGIN_COPY.name(), data);
      }
    }

    void removeRelatedCopies() {
      if (world.service.all(SECRETS).containsKey(SETTINGS_COPY)) {
        service.delete(
            SECRETS,
            SETTINGS_COPY.namespace(),
            SETTINGS_COPY.name(),
            new DeleteCondition.Unconditional());
      }
      if (world.kcp.all(SECRETS).containsKey(LOGIN_COPY)) {
        workspace.delete(
            SECRETS,
            LOGIN_COPY.namespace(),
            LOGIN_COPY.name(),
            new DeleteCondition.Unconditional());
      }
    }

    void removeCopy() {
      for (ObjectKey key : List.copyOf(world.service.all(THINGS).keySet())) {
        service.delete(THINGS, key.namespace(), key.name(), new DeleteCondition.Unconditional());
      }
    }

    /** As an operator, whose finalizer the copy has until it has cleaned up. */
    void holdCopy(List<String> finalizers) {
      service.patch(THINGS, "c1", "a", Map.of("metadata", Map.of("finalizers", finalizers)));
    }

    /** The thing and its settings: with their Namespace, or one by one. */
    void goes(boolean withNamespace) {
      if (withNamespace) {
        workspace.delete(NAMESPACES, "", "default", new DeleteCondition.Unconditional());
      } else {
        cancel();
        workspace.delete(
            SECRETS, SETTINGS.namespace(), SETTINGS.name(), new DeleteCondition.Unconditional());
      }
    }

    void cancel() {
      workspace.delete(THINGS, "default", "a", new DeleteCondition.Unconditional());
    }

    void pass(int times) {
      for (int pass = 0; pass < times; pass++) {
        catchUp(Set.of());
        now = Math.max(now, agent.nextDue().orElse(now));
        agent.work(chance, now);
      }
    }

    /** Shows what is there by now, and nothing of what came and went. */
    void relist(LaggingCache cache) {
      agent.relist(cache, now);
    }

    /** Everything that is due within so many milliseconds. */
    void untilQuiet(long millis, Set<LaggingCache> standingStill) {
      long until = now + millis;
      do {
        catchUp(standingStill);
        while (agent.work(chance, now)) {
          catchUp(standingStill);
        }
        now = agent.nextDue().orElse(until + 1);
      } while (now <= until);
      now = until;
    }

    private void catchUp(Set<LaggingCache> standingStill) {
      for (LaggingCache cache : agent.caches()) {
        while (!standingStill.contains(cache) && cache.isBehind()) {
          agent.advance(cache, now);
        }
      }
    }

    @Override
    public void before(String verb) {
      refusedCreates += verb.equals("create") ? 1 : 0;
    }

    /** Of those that succeed. */
    @Override
    public void after(String verb) {
      refusedCreates -= verb.equals("create") ? 1 : 0;
      creates += verb.equals("create") ? 1 : 0;
      if (losesAnswers && !verb.equals("get") && !verb.equals("list")) {
        throw new KubeFailure(Kind.UNAVAILABLE, 0, "", "lost", null, null);
      }
    }

    @Override
    public void changing(ResourceType type, ObjectKey key) {
      if (losesRecords && key.namespace().equals("agents")) {
        throw new KubeFailure(Kind.UNAVAILABLE, 0, "", "record lost", null, null);
      }
    }

    private static KubeObject secret(ObjectKey key) {
      return SimulatedThings.object(key.namespace(), key.name())
          .with(Map.of("value", "v1"), "data");
    }
  }
}
