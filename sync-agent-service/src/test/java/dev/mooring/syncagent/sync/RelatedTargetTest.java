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
import dev.mooring.syncagent.published.PublishedResource;
import dev.mooring.syncagent.published.RelatedResource;
import dev.mooring.syncagent.simulation.LaggingCache;
import dev.mooring.syncagent.simulation.ServerModel;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a reference and a template come to where what they name is there, is not there, or where
 * they name nothing: by the agent's own code, between two modelled servers.
 */
class RelatedTargetTest {
  private static final LogicalCluster WORKSPACE = new LogicalCluster("c1");
  private static final ObjectKey THING = new ObjectKey(WORKSPACE, "default", "web");
  private static final ObjectKey IN_KCP = new ObjectKey(WORKSPACE, "default", "tls");
  private static final ObjectKey ON_SERVICE = new ObjectKey(LogicalCluster.NONE, "c1", "tls");
  private static final long SETTLING = 20 * 60_000;
  private static final DeleteCondition ANYWAY = new DeleteCondition.Unconditional();

  private enum Origin {
    KCP,
    SERVICE
  }

  private enum Locator {
    REFERENCE(Map.of("reference", Map.of("path", "spec.secret"))),
    TEMPLATE(Map.of("template", Map.of("template", "{{ .Object.spec.secret }}")));

    private final Map<String, Object> object;

    Locator(Map<String, Object> object) {
      this.object = object;
    }
  }

  /** Ways to name nothing; null stands for a field that is not there. */
  private enum Field {
    EMPTY(""),
    OMITTED(null);

    private final String value;

    Field(String value) {
      this.value = value;
    }
  }

  static Stream<Arguments> entries() {
    return Stream.of(Locator.values())
        .flatMap(
            locator -> Stream.of(Origin.values()).map(origin -> Arguments.of(locator, origin)));
  }

  static Stream<Arguments> entriesThatNameNothing() {
    return entries()
        .flatMap(entry ->
            Stream.of(Field.values())
                .map(field -> Arguments.of(entry.get()[0], entry.get()[1], field)));
  }

  @ParameterizedTest
  @MethodSource("entries")
  void isCopiedWhereItIsThere(Locator locator, Origin origin) {
    var stage = new Stage(locator, origin);
    stage.makeOriginal();
    stage.order("tls");

    stage.untilQuiet();

    assertThat(stage.copy().at("data", "value")).isEqualTo("secret");
    stage.assertAllIsWell();
  }

  @ParameterizedTest
  @MethodSource("entries")
  void isNobodysMistakeWhereItIsNotThereAndIsCopiedOnceItIs(Locator locator, Origin origin) {
    var stage = new Stage(locator, origin);
    stage.order("tls");

    stage.untilQuiet();

    stage.assertNothingRelated();
    stage.assertAllIsWell();

    stage.makeOriginal();
    stage.untilQuiet();

    assertThat(stage.copy().at("data", "value")).isEqualTo("secret");
    stage.assertAllIsWell();
  }

  @ParameterizedTest
  @MethodSource("entriesThatNameNothing")
  void isNobodysMistakeWhereNothingIsNamed(Locator locator, Origin origin, Field field) {
    var stage = new Stage(locator, origin);
    stage.makeOriginal();
    stage.order(field.value);

    stage.untilQuiet();

    stage.assertNothingRelated();
    stage.assertAllIsWell();

    stage.rename("tls");
    stage.untilQuiet();

    assertThat(stage.copy().at("data", "value")).isEqualTo("secret");
    stage.assertAllIsWell();
  }

  @ParameterizedTest
  @MethodSource("entriesThatNameNothing")
  void losesItsCopyOnceItIsNoLongerNamed(Locator locator, Origin origin, Field field) {
    var stage = new Stage(locator, origin);
    stage.makeOriginal();
    stage.order("tls");
    stage.untilQuiet();
    assertThat(stage.copies()).hasSize(1);

    stage.rename(field.value);
    stage.untilQuiet();

    stage.assertNothingRelated();
    stage.assertAllIsWell();
  }

  @ParameterizedTest
  @MethodSource("entries")
  void losesItsCopyOnceItIsGone(Locator locator, Origin origin) {
    var stage = new Stage(locator, origin);
    stage.makeOriginal();
    stage.order("tls");
    stage.untilQuiet();
    assertThat(stage.copies()).hasSize(1);

    stage.removeOriginal();
    stage.untilQuiet();

    stage.assertNothingRelated();
    stage.assertAllIsWell();
  }

  /** Both servers, an agent with one related entry, and no thing yet. */
  private static final class Stage {
    private static final ResourceType NAMESPACES = ResourceType.core("namespaces");

    private final Random chance = new Random(1);
    private final ServerModel kcp = new ServerModel(ServerModel.Faults.NONE);
    private final ServerModel service = new ServerModel(ServerModel.Faults.NONE);
    private final KubeClient workspace = kcp.person(WORKSPACE);
    private final KubeClient provider = service.person(LogicalCluster.NONE);
    private final boolean fromKcp;
    private final SimulatedAgent agent;
    private long now;

    Stage(Locator locator, Origin origin) {
      fromKcp = origin == Origin.KCP;
      workspace.create(NAMESPACES, SimulatedThings.object("", "default"));
      provider.create(NAMESPACES, SimulatedThings.object("", "agents"));
      provider.create(NAMESPACES, SimulatedThings.object("", "c1"));
      agent =
          new SimulatedAgent(
              SimulatedThings.rules(), List.of(entry(locator, origin)), kcp, service);
    }

    void makeOriginal() {
      ObjectKey key = fromKcp ? IN_KCP : ON_SERVICE;
      (fromKcp ? workspace : provider)
          .create(
              SECRETS,
              SimulatedThings.object(key.namespace(), key.name())
                  .with(Map.of("value", "secret"), "data"));
    }

    void removeOriginal() {
      ObjectKey key = fromKcp ? IN_KCP : ON_SERVICE;
      (fromKcp ? workspace : provider).delete(SECRETS, key.namespace(), key.name(), ANYWAY);
    }

    /** Null leaves the field out. */
    void order(String secret) {
      KubeObject thing = SimulatedThings.object(THING.namespace(), THING.name());
      workspace.create(
          THINGS, thing.with(secret == null ? Map.of() : Map.of("secret", secret), "spec"));
    }

    /** Null takes the field away. */
    void rename(String secret) {
      var spec = new HashMap<String, Object>();
      spec.put("secret", secret);
      workspace.patch(THINGS, THING.namespace(), THING.name(), Map.of("spec", spec));
    }

    KubeObject copy() {
      assertThat(copies()).hasSize(1);
      return copies().getFirst();
    }

    List<KubeObject> copies() {
      return (fromKcp ? service : kcp)
          .all(SECRETS).entrySet().stream()
              .filter(entry -> entry.getKey().equals(fromKcp ? ON_SERVICE : IN_KCP))
              .map(Map.Entry::getValue)
              .toList();
    }

    /** Neither a copy, nor a record of one, nor a hold of an original. */
    void assertNothingRelated() {
      assertThat(copies()).isEmpty();
      assertThat(service.all(SECRETS).keySet()).isSubsetOf(ON_SERVICE);
      assertThat(kcp.all(SECRETS).values()).allMatch(secret -> secret.finalizers().isEmpty());
    }

    /** The thing has its own copy, and there is nothing to tell of it. */
    void assertAllIsWell() {
      assertThat(service.all(THINGS)).hasSize(1);
      assertThat(agent.failures.listed()).isEmpty();
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

    private static RelatedResource entry(Locator locator, Origin origin) {
      var entry =
          Map.of(
              "identifier",
              "tls",
              "origin",
              origin == Origin.KCP ? "kcp" : "service",
              "kind",
              "Secret",
              "object",
              locator.object);
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
