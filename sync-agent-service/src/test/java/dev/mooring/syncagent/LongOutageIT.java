package dev.mooring.syncagent;

import static dev.mooring.syncagent.TwoClusters.CERTIFICATES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.ListQuery;
import dev.mooring.sandbox.fault.Fault;
import dev.mooring.sandbox.kube.Sandbox;
import dev.mooring.syncagent.agent.SyncAgent;
import dev.mooring.syncagent.published.PublishedResource;
import dev.mooring.syncagent.published.SyncMarks;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Servers that are away for so long that the agent has given up all its watches more than once, and
 * that no longer know the versions it heard last when they are back: as after minutes. Everything
 * that it sends to a server that is away is refused.
 */
@Tag("full")
class LongOutageIT {
  /** Several for each watch: more breaks in a row than the agent trusts its last version for. */
  private static final int SEVERAL_EACH = 20;

  /** Of an agent that has seen nothing yet, and knows of one thing to watch. */
  private static final int SEVERAL = 4;

  @RegisterExtension static final TwoClusters clusters = TwoClusters.withoutAgent();

  private final Certificates certificates = new Certificates(clusters, "consumer-1");
  private GatedConnections connections;
  private SyncAgent agent;

  @BeforeEach
  void start() throws IOException {
    connections = GatedConnections.to(clusters);
    agent = AgentStart.between(clusters).by(connections).start();
    AgentStart.awaitReady(agent);
  }

  @AfterEach
  void stop() throws IOException {
    agent.close();
    connections.close();
  }

  @Test
  void keepsAllCopiesWhileKcpIsAwayAndMakesUpForWhatHappened() {
    List.of("k-stays", "k-edited", "k-cancelled", "k-lost").forEach(this::placed);
    Map<String, String> before = copies("k-");

    connections.kcp().shut();
    awaitTurnedAway(connections.kcp(), SEVERAL_EACH);

    assertThat(agent.reasons())
        .anyMatch(reason -> reason.startsWith("kcp: "))
        .anyMatch(reason -> reason.startsWith("certificates: "))
        .noneMatch(reason -> reason.startsWith("service cluster: "));
    assertThat(agent.describe().get("reasons")).asString().contains("kcp: ");
    assertThat(copies("k-")).isEqualTo(before);

    certificates.order("k-new");
    edit("k-edited", 45);
    cancel("k-cancelled");
    certificates.report(certificates.copy("k-stays"), "Issued");
    KubeObject lost = certificates.copy("k-lost");
    TwoClusters.delete(clusters.service(), CERTIFICATES, lost.namespace(), lost.name());
    forgetVersions(clusters.kcpServer(), connections.kcp());

    certificates.copy("k-new");
    certificates.copy("k-edited", copy -> assertThat(copy.at("spec", "days")).isEqualTo(45L));
    certificates.awaitPhase("k-stays", "Issued");
    certificates.copy("k-lost", copy -> assertThat(copy.uid()).isNotEqualTo(lost.uid()));
    awaitGone("k-cancelled");
    AgentStart.awaitReady(agent);
    assertThat(copies("k-").get("default-k-stays")).isEqualTo(before.get("default-k-stays"));
    assertThat(copies("k-")).hasSize(4);
  }

  @Test
  void holdsConsumersObjectsAndTellsThemWhileTheServiceClusterIsAway() {
    List.of("s-stays", "s-edited", "s-cancelled").forEach(this::placed);
    Map<String, String> before = copies("s-");

    connections.service().shut();
    certificates.order("s-new");
    edit("s-edited", 45);
    cancel("s-cancelled");
    awaitTurnedAway(connections.service(), SEVERAL_EACH);

    assertThat(agent.reasons())
        .anyMatch(reason -> reason.startsWith("service cluster: "))
        .noneMatch(reason -> reason.startsWith("kcp: "));
    assertThat(agent.describe().get("reasons")).asString().contains("service cluster: ");
    for (String waiting : List.of("s-new", "s-edited", "s-cancelled")) {
      awaitTold(waiting);
    }
    assertThat(certificates.source("s-cancelled").finalizers()).contains(SyncMarks.FINALIZER);
    assertThat(copies("s-")).isEqualTo(before);

    forgetVersions(clusters.serviceServer(), connections.service());

    certificates.copy("s-new");
    certificates.copy("s-edited", copy -> assertThat(copy.at("spec", "days")).isEqualTo(45L));
    awaitGone("s-cancelled");
    AgentStart.awaitReady(agent);
    assertThat(copies("s-").get("default-s-stays")).isEqualTo(before.get("default-s-stays"));
    assertThat(copies("s-")).hasSize(3);
  }

  @Test
  void startsWhileBothAreAwayAndTouchesNothingUntilBothAreBack() {
    List.of("b-stays", "b-edited", "b-cancelled").forEach(this::placed);
    Map<String, String> before = copies("b-");
    List<Object> conditions = conditions();

    connections.cut();
    agent.close();
    edit("b-edited", 45);
    cancel("b-cancelled");
    agent = AgentStart.between(clusters).by(connections).start();
    AgentStart.awaitReason(agent, "service cluster: ");
    AgentStart.awaitReason(agent, "kcp: ");
    // Now the copies are seen, and no consumer's object that they belong to.
    forgetVersions(clusters.serviceServer(), connections.service());
    await()
        .atMost(AgentStart.PATIENCE)
        .untilAsserted(
            () -> assertThat(agent.reasons()).noneMatch(h -> h.startsWith("service cluster: ")));
    awaitTurnedAway(connections.kcp(), SEVERAL);
    assertThat(copies("b-")).isEqualTo(before);
    assertThat(conditions()).isEqualTo(conditions);
    assertThat(certificates.source("b-cancelled").finalizers()).contains(SyncMarks.FINALIZER);

    forgetVersions(clusters.kcpServer(), connections.kcp());

    certificates.copy("b-edited", copy -> assertThat(copy.at("spec", "days")).isEqualTo(45L));
    awaitGone("b-cancelled");
    AgentStart.awaitReady(agent);
    assertThat(copies("b-").get("default-b-stays")).isEqualTo(before.get("default-b-stays"));
    assertThat(copies("b-")).hasSize(2);
  }

  private static List<Object> conditions() {
    return clusters
        .service()
        .find(PublishedResource.TYPE, "", "certificates")
        .orElseThrow()
        .list("status", "conditions");
  }

  private void placed(String name) {
    certificates.order(name);
    certificates.copy(name);
    clusters.eventually(
        clusters.consumer("consumer-1"),
        CERTIFICATES,
        "default",
        name,
        source -> assertThat(source.finalizers()).contains(SyncMarks.FINALIZER));
  }

  private void edit(String name, long days) {
    clusters
        .consumer("consumer-1")
        .patch(CERTIFICATES, "default", name, Map.of("spec", Map.of("days", days)));
  }

  private void cancel(String name) {
    TwoClusters.delete(clusters.consumer("consumer-1"), CERTIFICATES, "default", name);
  }

  /** On both sides. */
  private void awaitGone(String name) {
    clusters.eventuallyGone(clusters.consumer("consumer-1"), CERTIFICATES, "default", name);
    assertThat(copies(name)).isEmpty();
  }

  /** The uids of the copies by their names. */
  private Map<String, String> copies(String prefix) {
    return clusters.service().list(CERTIFICATES, ListQuery.ALL).items().stream()
        .filter(copy -> copy.name().startsWith("default-" + prefix))
        .filter(copy -> !copy.deleting())
        .collect(Collectors.toMap(KubeObject::name, KubeObject::uid));
  }

  private static void awaitTurnedAway(Gate gate, int times) {
    await().atMost(AgentStart.PATIENCE).until(() -> gate.turnedAway() >= times);
  }

  /** The server is back, and at first takes every version for too old. */
  private static void forgetVersions(Sandbox server, Gate gate) {
    long before = server.faults().injected(Fault.EXPIRED);
    server.faults().affect(TwoClusters.ROBOT_USER::equals).inject(Fault.EXPIRED, 1);
    gate.open();
    await()
        .atMost(AgentStart.PATIENCE)
        .until(() -> server.faults().injected(Fault.EXPIRED) > before);
    server.faults().reset();
  }

  private void awaitTold(String name) {
    await()
        .atMost(AgentStart.PATIENCE)
        .untilAsserted(() ->
            assertThat(
                    clusters
                        .consumer("consumer-1")
                        .list(ResourceType.core("events"), ListQuery.ALL)
                        .items())
                .as(() -> agent.describe().toString())
                .anySatisfy(event -> {
                  assertThat(event.text("reason")).isEqualTo("ReconcilingError");
                  assertThat(Trees.at(event.at("involvedObject"), "name")).isEqualTo(name);
                  assertThat(event.text("message"))
                      .endsWith(" cannot be reached at the moment. It is tried again.");
                }));
  }
}
