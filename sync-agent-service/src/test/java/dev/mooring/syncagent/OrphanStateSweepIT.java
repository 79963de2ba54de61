package dev.mooring.syncagent;

import static dev.mooring.syncagent.TwoClusters.SECRETS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.ListQuery;
import dev.mooring.syncagent.GoAgentWorld.Where;
import dev.mooring.syncagent.content.decide.StateKey;
import dev.mooring.syncagent.published.SyncMarks;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.StringJoiner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** States in Secrets of objects that went while the agent was away, without waiting for it. */
class OrphanStateSweepIT {
  private static final Duration PATIENCE = Duration.ofSeconds(120);

  /** Too short for a digest. With twice as many bytes a copy's annotations would be too long. */
  private static final int ANNOTATION = 200;

  private static final int ANNOTATIONS = 800;

  @RegisterExtension static final TwoClusters clusters = TwoClusters.withAgent();

  @Test
  void clearsAwayOrphansAfterARestartAndNothingElse() {
    clusters.createWorkspace("consumer-3");
    clusters.bindExport("consumer-3");
    OrderedKind orders = OrderedKind.publish(clusters, "stray");
    OrderedKind elsewhere = orders.of("consumer-3");
    String gone = large(orders, "gone");
    String stays = large(orders, "stays");
    String copyLeft = large(orders, "copy-left");
    String removed = large(elsewhere, "removed");
    clusters.stopAgent();
    String goAgents = leftByTheGoAgent(orders, "inherited");
    String another = ofAnotherAgent(orders, "elses");

    takeByForce(orders, "gone");
    takeByForce(orders, "inherited");
    takeByForce(elsewhere, "removed");
    takeByForce(orders, "copy-left");
    for (String name : List.of("gone", "inherited")) {
      removeCopy(orders, name);
    }
    removeCopy(elsewhere, "removed");
    clusters.removeWorkspace("consumer-3");
    clusters.startAgent();

    for (String secret : List.of(gone, goAgents, removed)) {
      clusters.eventuallyGone(clusters.service(), SECRETS, "default", secret);
    }
    for (String secret : List.of(stays, copyLeft, another)) {
      assertThat(clusters.service().find(SECRETS, "default", secret)).isPresent();
    }

    removeCopy(orders, "copy-left");

    clusters.eventuallyGone(clusters.service(), SECRETS, "default", copyLeft);
    for (String secret : List.of(stays, another)) {
      assertThat(clusters.service().find(SECRETS, "default", secret)).isPresent();
    }
  }

  /** The Secret with the state of a new order, too large for an annotation. */
  private static String large(OrderedKind orders, String name) {
    var random = new Random(1);
    var annotations = new StringJoiner(", ", "{", "}");
    for (int i = 0; i < ANNOTATIONS; i++) {
      byte[] noise = new byte[ANNOTATION * 3 / 4];
      random.nextBytes(noise);
      annotations.add("a%d: \"%s\"".formatted(i, Base64.getEncoder().encodeToString(noise)));
    }
    orders.create(
        TwoClusters.object(
            """
            apiVersion: %s
            kind: %s
            metadata: {namespace: default, name: %s, annotations: %s}
            spec: {size: 3}
            """,
            orders.source().apiVersion(), orders.kind(), name, annotations));
    orders.copy(name);
    await().atMost(PATIENCE).until(() -> states(name).size() == 1);
    return states(name).getFirst().name();
  }

  private static List<KubeObject> states(String name) {
    return clusters.service().list(SECRETS, ListQuery.ALL).items().stream()
        .filter(secret -> secret.labels().containsKey(SyncMarks.OBJECT_STATE))
        .filter(secret -> secret.annotations().containsValue(name))
        .toList();
  }

  private static String leftByTheGoAgent(OrderedKind orders, String name) {
    orders.order(name);
    GoAgentWorld.hold(orders.workspace(), orders.source(), orders.read(name));
    KubeObject source = orders.read(name);
    var made = new GoAgentWorld(clusters, orders.cluster());
    made.copy(orders.target(), source, orders.cluster(), name);
    return made.states(source, Map.ofEntries(made.entry(Where.KCP, source))).name();
  }

  /** As of an object of the same type that only that agent can see. */
  private static String ofAnotherAgent(OrderedKind orders, String name) {
    var source = new ObjectKey(clusters.cluster(orders.consumer()), "default", name);
    String secret = new StateKey(orders.source().apiVersion(), orders.kind(), source).secretName();
    clusters
        .service()
        .create(
            SECRETS,
            TwoClusters.object(
                """
                apiVersion: v1
                kind: Secret
                metadata:
                  namespace: default
                  name: %s
                  labels:
                    syncagent.kcp.io/object-state: "true"
                    syncagent.kcp.io/agent-name: another
                    syncagent.kcp.io/remote-object-cluster: %s
                  annotations:
                    syncagent.kcp.io/remote-object-name: %s
                    syncagent.kcp.io/remote-object-namespace: default
                """,
                secret, source.cluster().name(), name));
    return secret;
  }

  private static void takeByForce(OrderedKind orders, String name) {
    orders.patchMetadata(name, Map.of("finalizers", List.of()));
    orders.delete(name);
    orders.awaitGone(name);
  }

  private static void removeCopy(OrderedKind orders, String name) {
    for (KubeObject copy : orders.copies("default", name)) {
      TwoClusters.delete(clusters.service(), orders.target(), copy.namespace(), copy.name());
    }
  }
}
