package dev.mooring.syncagent;

import static dev.mooring.syncagent.TwoClusters.SECRETS;
import static dev.mooring.syncagent.TwoClusters.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.syncagent.sync.decide.SyncState.Problem;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a server refuses: consumer and owner are told why, and it is done once it is possible. */
class RefusalsIT {
  private static final ResourceType QUOTAS = ResourceType.core("resourcequotas");

  @RegisterExtension static final TwoClusters clusters = TwoClusters.withAgent();

  @Test
  void triesAgainUntilTheServiceClustersQuotaHasRoom() {
    RelatedStage.namespace(clusters.service(), "crowded");
    var orders =
        OrderedKind.publish(clusters, "crowded", "naming: {namespace: crowded, name: $remoteName}");
    String counted = "count/" + orders.target().qualified();
    quota(clusters.service(), "crowded", counted, 1);
    orders.order("a");
    orders.copy("a");

    orders.order("b");

    orders.awaitEvent("b", "ReconcilingError", "The service provider's cluster", "exceeded quota");
    orders.awaitProblem("crowded", Problem.OBJECTS_FAILING, "ReconcilingError (1)", "exceeded");
    assertThat(orders.copies("default", "b")).isEmpty();
    allow(clusters.service(), "crowded", counted, 2);

    orders.copy("b");
    orders.awaitNoProblem("crowded");
  }

  @Test
  void triesAgainUntilTheWorkspacesQuotaHasRoom() {
    RelatedStage stage =
        RelatedStage.publish(
            clusters,
            "thrifty",
            "{'identifier':'login','origin':'service','kind':'Secret',"
                + "'object':{'template':{'template':'{{ .Object.metadata.name }}-login'},"
                + "'namespace':{'template':{'template':"
                + "'{{ if eq .Side `kcp` }}thrifty{{ else }}thrifty-local{{ end }}'}}}}");
    RelatedStage.namespace(stage.consumer(), "thrifty");
    quota(stage.consumer(), "thrifty", "count/secrets", 0);
    stage.order("a");
    stage.copy("a");
    stage.secret(stage.service(), "thrifty-local", "a-login", "c2VjcmV0");

    stage.kind().awaitEvent("a", "ReconcilingError", "Your workspace", "exceeded quota", "a-login");
    stage.kind().awaitProblem("thrifty", Problem.OBJECTS_FAILING, "exceeded quota");
    assertThat(stage.consumer().find(SECRETS, "thrifty", "a-login")).isEmpty();
    allow(stage.consumer(), "thrifty", "count/secrets", 1);

    stage.awaitSecret(stage.consumer(), "thrifty", "a-login", "c2VjcmV0");
    stage.kind().awaitNoProblem("thrifty");
  }

  @Test
  void tellsWhatTheServiceClusterFindsInvalidAndGoesOnOnceItIsValid() {
    OrderedKind orders =
        sized("strict", "mutation: {spec: [{cel: {path: spec.size, expression: value * 10.0}}]}");
    orders.order("a");
    orders.copy("a", copy -> assertThat(copy.at("spec", "size")).isEqualTo(30L));

    resize(orders, 9);

    orders.awaitEvent("a", "ReconcilingError", "The service provider's cluster refuses", "size");
    orders.awaitProblem("strict", Problem.OBJECTS_FAILING, "ReconcilingError (1)");
    assertThat(orders.copy("a").at("spec", "size")).isEqualTo(30L);
    resize(orders, 4);

    orders.copy("a", copy -> assertThat(copy.at("spec", "size")).isEqualTo(40L));
    orders.awaitNoProblem("strict");
  }

  @Test
  void tellsWhatTheWorkspaceFindsInvalidAndGoesOnOnceItIsValid() {
    OrderedKind orders =
        sized(
            "blunt", "mutation: {status: [{cel: {path: status.size, expression: value * 10.0}}]}");
    orders.order("a");
    KubeObject copy = orders.copy("a");

    report(orders, copy, 9);

    orders.awaitEvent("a", "ReconcilingError", "Your workspace refuses", "size");
    orders.awaitProblem("blunt", Problem.OBJECTS_FAILING, "ReconcilingError (1)");
    report(orders, copy, 4);

    orders.awaitSource("a", source -> assertThat(source.at("status", "size")).isEqualTo(40L));
    orders.awaitNoProblem("blunt");
  }

  private static void resize(OrderedKind orders, long size) {
    orders.workspace().patch(orders.source(), "default", "a", Map.of("spec", Map.of("size", size)));
  }

  private static void report(OrderedKind orders, KubeObject copy, long size) {
    clusters
        .service()
        .patchStatus(
            orders.target(), copy.namespace(), copy.name(), Map.of("status", Map.of("size", size)));
  }

  /** Orders of at most 50, in spec and status, on both sides. */
  private static OrderedKind sized(String id, String rules) {
    var type = new ResourceType(id + ".example.io", "v1", "orders");
    clusters
        .service()
        .create(
            TwoClusters.CRDS,
            object(
                """
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: orders.%1$s}
                spec:
                  group: %1$s
                  scope: Namespaced
                  names: {kind: Order, listKind: OrderList, plural: orders, singular: order}
                  versions:
                  - name: v1
                    served: true
                    storage: true
                    subresources: {status: {}}
                    schema:
                      openAPIV3Schema:
                        type: object
                        properties:
                          spec:
                            type: object
                            properties: {size: {type: integer, maximum: 50}}
                          status:
                            type: object
                            properties: {size: {type: integer, maximum: 50}}
                """,
                type.group()));
    OrderedKind.publishType(clusters, id, type.group(), "Order", rules);
    return new OrderedKind(clusters, type, "Order", type, "consumer-1");
  }

  private static void quota(KubeClient client, String namespace, String counted, int most) {
    client.create(
        QUOTAS,
        object(
            "{apiVersion: v1, kind: ResourceQuota, metadata: {namespace: %s, name: most},"
                + " spec: {hard: {'%s': '%d'}}}",
            namespace, counted, most));
    clusters.eventually(
        client,
        QUOTAS,
        namespace,
        "most",
        quota -> assertThat(quota.map("status", "hard")).isNotEmpty());
  }

  private static void allow(KubeClient client, String namespace, String counted, int most) {
    client.patch(
        QUOTAS,
        namespace,
        "most",
        Map.of("spec", Map.of("hard", Map.of(counted, Integer.toString(most)))));
  }
}
