package dev.mooring.syncagent.sync;

import static dev.mooring.syncagent.sync.SimulatedAgent.SECRETS;
import static dev.mooring.syncagent.sync.SimulatedAgent.THINGS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeFailure.Kind;
import dev.mooring.syncagent.published.PublishedResource;
import dev.mooring.syncagent.published.RelatedResource;
import dev.mooring.syncagent.published.mutation.Mutations;
import dev.mooring.syncagent.simulation.LaggingCache;
import dev.mooring.syncagent.simulation.ServerModel;
import dev.mooring.syncagent.sync.SimulatedAgent.States;
import dev.mooring.syncagent.sync.decide.SyncRules;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Related objects follow their originals also while what is due for the primary itself is refused:
 * by the agent's own code, between two modelled servers.
 */
class RefusedPrimaryTest {
  private static final LogicalCluster WORKSPACE = new LogicalCluster("c1");
  private static final ObjectKey COPY = new ObjectKey(WORKSPACE, "default", "tls");
  private static final long A_WHILE = 20 * 60_000;

  /** More than a Secret holds, and nothing that could be compressed. */
  private static final int TOO_MANY_CHARACTERS = 2_000_000;

  /** Of a text that is kept whole. */
  private static final int SHORT = 200;

  private enum Refusal {
    STATUS_RULE_FAILS,
    STATUS_IS_REFUSED,
    COPY_IS_REFUSED,
    STATE_IS_TOO_LARGE
  }

  @ParameterizedTest
  @EnumSource
  void keepsRelatedObjectsInStep(Refusal refusal) {
    var stage = new Stage(refusal);
    stage.untilQuiet();
    stage.begin();
    stage.untilQuiet();

    stage.rotate("v2");
    stage.untilQuiet();

    assertThat(stage.kcp.all(SECRETS).get(COPY).at("data", "value")).isEqualTo("v2");
    stage.assertIsRefused();
  }

  @ParameterizedTest
  @EnumSource
  void removesCopiesWithTheirOriginals(Refusal refusal) {
    var stage = new Stage(refusal);
    stage.untilQuiet();
    stage.begin();
    stage.untilQuiet();

    stage.provider.delete(SECRETS, "c1", "tls", new DeleteCondition.Unconditional());
    stage.untilQuiet();

    assertThat(stage.kcp.all(SECRETS)).isEmpty();
    stage.assertIsRefused();
  }

  @ParameterizedTest
  @EnumSource
  void lateRelatedObjectsStillCome(Refusal refusal) {
    var stage = new Stage(refusal);
    stage.provider.delete(SECRETS, "c1", "tls", new DeleteCondition.Unconditional());
    stage.untilQuiet();
    stage.begin();
    stage.untilQuiet();
    assertThat(stage.kcp.all(SECRETS)).isEmpty();

    stage.makeOriginal();
    stage.untilQuiet();

    assertThat(stage.kcp.all(SECRETS)).containsKey(COPY);
    stage.assertIsRefused();
  }

  /** A thing, and a Secret of the service cluster that belongs to it. */
  private static final class Stage {
    private static final ResourceType NAMESPACES = ResourceType.core("namespaces");

    private final Refusal refusal;
    private final Random chance = new Random(1);
    private final ServerModel kcp = new ServerModel(refusing(Refusal.STATUS_IS_REFUSED));
    private final ServerModel service = new ServerModel(refusing(Refusal.COPY_IS_REFUSED));
    private final KubeClient workspace = kcp.person(WORKSPACE);
    private final KubeClient provider = service.person(LogicalCluster.NONE);
    private final SimulatedAgent agent;
    private boolean begun;
    private int refused;
    private long now;

    Stage(Refusal refusal) {
      this.refusal = refusal;
      workspace.create(NAMESPACES, SimulatedThings.object("", "default"));
      provider.create(NAMESPACES, SimulatedThings.object("", "agents"));
      provider.create(NAMESPACES, SimulatedThings.object("", "c1"));
      makeOriginal();
      workspace.create(
          THINGS, SimulatedThings.object("default", "web").with(Map.of("size", 1L), "spec"));
      agent = new SimulatedAgent(rules(), List.of(entry()), States.APART, kcp, service);
    }

    private SyncRules rules() {
      SyncRules plain = SimulatedThings.rules();
      if (refusal != Refusal.STATUS_RULE_FAILS) {
        return plain;
      }
      Object failing =
          KubeJson.read(
              "{\"status\": [{\"cel\": {\"path\": \"status.phase\","
                  + " \"expression\": \"self.status.none\"}}]}");
      return new SyncRules(
          plain.agentName(),
          plain.source(),
          plain.copy(),
          plain.status(),
          plain.naming(),
          Mutations.read(failing, "spec.mutation"),
          plain.resourceFilter(),
          plain.namespaceFilter(),
          plain.adoption(),
          plain.synchronization(),
          plain.policy());
    }

    private ServerModel.Faults refusing(Refusal which) {
      String verb = which == Refusal.STATUS_IS_REFUSED ? "update status" : "patch";
      return new ServerModel.Faults() {
        @Override
        public void before(String asked) {
          if (begun && refusal == which && asked.equals(verb)) {
            refused++;
            throw new KubeFailure(Kind.INVALID, 422, "Invalid", "not so", null, null);
          }
        }

        @Override
        public void after(String asked) {}
      };
    }

    void begin() {
      begun = true;
      switch (refusal) {
        case STATUS_RULE_FAILS, STATUS_IS_REFUSED ->
            provider.patchStatus(THINGS, "c1", "web", Map.of("status", Map.of("phase", "Ready")));
        case COPY_IS_REFUSED ->
            workspace.patch(THINGS, "default", "web", Map.of("spec", Map.of("size", 2L)));
        case STATE_IS_TOO_LARGE ->
            workspace.patch(
                THINGS,
                "default",
                "web",
                Map.of(
                    "spec",
                    Map.of(
                        "texts",
                        Stream.generate(this::shortText)
                            .limit(TOO_MANY_CHARACTERS / SHORT)
                            .toList())));
      }
    }

    private String shortText() {
      return chance
          .ints(SHORT, ' ', '~')
          .mapToObj(Character::toString)
          .collect(Collectors.joining());
    }

    void makeOriginal() {
      provider.create(
          SECRETS, SimulatedThings.object("c1", "tls").with(Map.of("value", "v1"), "data"));
    }

    void rotate(String value) {
      provider.patch(SECRETS, "c1", "tls", Map.of("data", Map.of("value", value)));
    }

    /** Otherwise nothing would have been shown. */
    void assertIsRefused() {
      switch (refusal) {
        case STATUS_IS_REFUSED, COPY_IS_REFUSED -> assertThat(refused).isPositive();
        case STATUS_RULE_FAILS, STATE_IS_TOO_LARGE ->
            assertThat(agent.failures.listed().values())
                .singleElement()
                .satisfies(failure ->
                    assertThat(failure.reason()).isIn("MutationFailed", "StateTooLarge"));
      }
    }

    void untilQuiet() {
      long until = now + A_WHILE;
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

    private static RelatedResource entry() {
      var entry =
          Map.of(
              "identifier",
              "tls",
              "origin",
              "service",
              "kind",
              "Secret",
              "object",
              Map.of("template", Map.of("template", "tls")));
      return PublishedResource.read(
              KubeObject.of(
                  Map.of(
                      "metadata",
                      Map.of("name", "things"),
                      "spec",
                      Map.of("resource", Map.of("kind", "Thing"), "related", List.of(entry)))))
          .related()
          .getFirst();
    }
  }
}
