package dev.mooring.syncagent;

import static dev.mooring.syncagent.TwoClusters.SECRETS;
import static dev.mooring.syncagent.TwoClusters.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.ListQuery;
import dev.mooring.sandbox.fault.Fault;
import dev.mooring.sandbox.kube.Sandbox;
import dev.mooring.syncagent.agent.SyncAgent;
import dev.mooring.syncagent.published.SyncMarks;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Many objects while every request of the agent may go wrong, and while the agent dies in the
 * middle of its work again and again: its connections end, and it writes nothing more.
 */
@Tag("full")
class ManyFaultsIT {
  private static final int OBJECTS = 200;
  private static final Map<Fault, Double> MENU =
      Map.of(
          Fault.LOST_RESPONSE, 0.05,
          Fault.CONFLICT, 0.05,
          Fault.TOO_MANY_REQUESTS, 0.03,
          Fault.UNAVAILABLE, 0.03,
          Fault.DROPPED_WATCH, 0.05,
          Fault.EXPIRED, 0.2);

  /** One has the name that a consumer's object asks for. */
  private static final List<String> STRANGERS = List.of("nobodys", "taken");

  @RegisterExtension static final TwoClusters clusters = TwoClusters.withAgent();
  private static GatedConnections connections;
  private static SyncAgent agent;

  @AfterAll
  static void stop() throws IOException {
    if (agent != null) {
      agent.close();
      connections.close();
    }
  }

  @Test
  void hasEverythingInStepInTheEndAndOrphansAndTouchesNothing() throws IOException {
    var orders =
        OrderedKind.publish(
            clusters,
            "many",
            "naming: {namespace: many, name: $remoteName}",
            "synchronization: {enabled: true, adoption: Unclaimed}");
    clusters.stopAgent();
    Map<String, KubeObject> strangers = strangers(orders);
    startAnew();
    servers().forEach(ManyFaultsIT::serveFaults);

    orders.order(name(0));
    orders.order("taken");
    IntStream.range(1, OBJECTS).forEach(i -> order(orders, i));
    awaitCopies(orders, 40);
    startAnew();
    awaitCopies(orders, 120);
    startAnew();
    IntStream.range(0, 50).forEach(i -> edit(orders, i));
    IntStream.range(150, OBJECTS).forEach(i -> orders.delete(name(i)));
    awaitCopies(orders, 140);
    startAnew();

    servers().forEach(server -> server.faults().reset());
    orders.awaitEvent("taken", "NameCollision");
    orders.delete("taken");
    awaitInStep(orders, IntStream.range(0, 150).mapToObj(ManyFaultsIT::name).toList());
    for (Fault fault : MENU.keySet()) {
      assertThat(servers().stream().mapToLong(server -> server.faults().injected(fault)).sum())
          .as("times of %s", fault)
          .isPositive();
    }
    assertThat(strangersNow(orders)).isEqualTo(strangers);

    servers().forEach(ManyFaultsIT::serveFaults);
    IntStream.range(0, 150).forEach(i -> orders.delete(name(i)));
    await().atMost(AgentStart.PATIENCE).until(() -> sources(orders).size() < 100);
    startAnew();
    servers().forEach(server -> server.faults().reset());
    awaitInStep(orders, List.of());
    assertThat(strangersNow(orders)).isEqualTo(strangers);
    assertThat(clusters.service().list(SECRETS, ListQuery.ALL).items())
        .noneMatch(secret -> secret.labels().containsKey(SyncMarks.OBJECT_STATE));
  }

  private static List<Sandbox> servers() {
    return List.of(clusters.kcpServer(), clusters.serviceServer());
  }

  private static void serveFaults(Sandbox server) {
    server.faults().reseed(4711).affect(TwoClusters.ROBOT_USER::equals);
    MENU.forEach(server.faults()::inject);
  }

  /** Another process, after the one before, if there was one, has died. */
  private static void startAnew() throws IOException {
    if (agent != null) {
      connections.cut();
      agent.close();
      connections.close();
    }
    connections = GatedConnections.to(clusters);
    agent = AgentStart.between(clusters).by(connections).start();
  }

  private static String name(int number) {
    return "o%03d".formatted(number);
  }

  private static void order(OrderedKind orders, int number) {
    orders
        .workspace()
        .create(
            orders.source(),
            object(
                "{apiVersion: %s, kind: Order, metadata: {namespace: default, name: %s}, spec:"
                    + " {size: %d}}",
                orders.source().apiVersion(), name(number), number));
  }

  private static void edit(OrderedKind orders, int number) {
    orders
        .workspace()
        .patch(
            orders.source(),
            "default",
            name(number),
            Map.of("spec", Map.of("size", 1000L + number)));
  }

  /** Of the same kind and in the same Namespace: another agent's, and one that is nobody's. */
  private static Map<String, KubeObject> strangers(OrderedKind orders) {
    RelatedStage.namespace(clusters.service(), "many");
    Map.of(
            "nobodys", "{}",
            "taken", "{syncagent.kcp.io/agent-name: other, mooring.example.io/marked: 'yes'}")
        .forEach((name, labels) ->
            clusters
                .service()
                .create(
                    orders.target(),
                    object(
                        "{apiVersion: %s, kind: Order, metadata: {namespace: many, name: %s,"
                            + " labels: %s}, spec: {size: 7}}",
                        orders.target().apiVersion(), name, labels)));
    return strangersNow(orders);
  }

  private static Map<String, KubeObject> strangersNow(OrderedKind orders) {
    return clusters.service().list(orders.target(), ListQuery.ALL).items().stream()
        .filter(object -> STRANGERS.contains(object.name()))
        .collect(Collectors.toMap(KubeObject::name, Function.identity()));
  }

  private static List<KubeObject> sources(OrderedKind orders) {
    return orders.workspace().list(orders.source(), ListQuery.ALL).items();
  }

  private static List<KubeObject> copies(OrderedKind orders) {
    return clusters.service().list(orders.target(), ListQuery.ALL).items().stream()
        .filter(object -> object.labels().containsKey(SyncMarks.SOURCE_CLUSTER))
        .toList();
  }

  private static void awaitCopies(OrderedKind orders, int atLeast) {
    await().atMost(AgentStart.PATIENCE).until(() -> copies(orders).size() >= atLeast);
  }

  /** These sources and no others are there, each held and with one copy like it. */
  private static void awaitInStep(OrderedKind orders, List<String> names) {
    await()
        .atMost(AgentStart.PATIENCE.multipliedBy(2))
        .untilAsserted(() -> {
          List<KubeObject> sources = sources(orders);
          assertThat(sources.stream().map(KubeObject::name))
              .containsExactlyInAnyOrderElementsOf(names);
          assertThat(sources)
              .allMatch(source -> source.finalizers().equals(List.of(SyncMarks.FINALIZER)));
          assertThat(sizes(copies(orders))).isEqualTo(sizes(sources));
          assertThat(copies(orders)).hasSameSizeAs(sources);
        });
    AgentStart.awaitReady(agent);
  }

  private static Map<String, Object> sizes(List<KubeObject> objects) {
    var sizes = new TreeMap<String, Object>();
    objects.forEach(object -> sizes.put(object.name(), object.at("spec", "size")));
    return sizes;
  }
}
